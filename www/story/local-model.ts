import type { Json, Plan } from "byname";
import type { LlmCallback, LlmReply, LlmRequest } from "byname/llm";
import type { Model } from "../model/choice.js";
import { Stopped } from "../model/stop-error.js";
import { count, cut } from "../page/format.js";
import { planOf, type Short, says, shortPlan, shortTell } from "./short-prompts.js";

/** What the story needs where its model runs in the page. */
export interface InPage {
  /** Nodes and edges, in node-link form. */
  graph: Json;
  /** What is wrong with a plan, by running it to see; nothing where it finds rows. */
  trial(plan: Plan): Promise<string | null>;
  /** Who stands in where the model writes nothing of use; nobody where the script does not know the question. */
  script: LlmCallback | null;
  /** Questions that may come next; a small model thinks of none that the graph can answer. */
  next: readonly string[];
}

/** A model in the page: it is asked in short, and where that is of no use, others write instead, which is told. */
export function inPage(model: Model, desk: InPage): Model {
  const instead = new Map<string, string>();
  const ask = async (request: LlmRequest, { system, prompt, gbnf }: Short): Promise<LlmReply> => {
    const { schema: _, ...plain } = request;
    const short = { ...plain, system, prompt, grammar: { gbnf }, temperature: 0 };
    return (await model.callback(short)) as LlmReply;
  };
  const plan = async (request: LlmRequest, question: string): Promise<LlmReply> => {
    const reply = await ask(request, shortPlan(question, desk.graph));
    const made = planOf(question, reply.text ?? "");
    const fault = await desk.trial(made);
    if (fault !== null) throw new Useless(reply.text ?? "", fault);
    return { ...reply, json: made as unknown as Json };
  };
  const tell = async (request: LlmRequest, question: string): Promise<LlmReply> => {
    const rows = rowsIn(request);
    const reply = await ask(request, shortTell(question, rows));
    const answer = (reply.text ?? "").trim();
    const named = rows.some((row) => says(answer, String(row["id"] ?? "")));
    if (!named) throw new Useless(answer, "that names none of the rows");
    return { ...reply, json: { answer, next: nextAfter(question) } };
  };
  const nextAfter = (question: string): string[] =>
    desk.next.filter((one) => one !== question).slice(0, 3);
  const callback: LlmCallback = async (request) => {
    const question = /The question: (.*)/.exec(request.prompt)?.[1] ?? "";
    try {
      return await (request.id === "tell" ? tell : plan)(request, question);
    } catch (error) {
      if (error instanceof Stopped || request.signal.aborted) throw error;
      const words = error instanceof Error ? error.message : String(error);
      const scripted = desk.script !== null && (request.id !== "tell" || instead.has("plan"));
      if (!scripted && request.id !== "tell") throw error;
      instead.set(request.id, words);
      if (scripted) return (await desk.script?.(request)) as LlmReply;
      // What the script would say is of the rows of its own plan.
      const json = { answer: plainly(rowsIn(request)), next: nextAfter(question) };
      return { json };
    }
  };
  return { ...model, callback, instead };
}

type Row = { [field: string]: Json };

/** The rows that a model is to speak of. */
function rowsIn({ prompt }: LlmRequest): Row[] {
  const rows = JSON.parse(/The rows: (.*)$/s.exec(prompt)?.[1] || "[]") as Json;
  return Array.isArray(rows) ? (rows as Row[]) : [];
}

/** What is true of any rows. */
function plainly(rows: readonly Row[]): string {
  const first = rows[0]?.["id"];
  return first === undefined
    ? "The graph has no row for that."
    : `The plan found **${count(rows.length, "row")}**; ${String(first)} comes first.`;
}

/** What a model wrote does not serve. */
class Useless extends Error {
  constructor(text: string, fault: string) {
    super(`it wrote “${cut(text.replaceAll("\n", "; "), 120)}”, and ${fault}`);
  }
}
