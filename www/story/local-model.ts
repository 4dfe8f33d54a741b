import type { Json, Plan } from "byname";
import type { LlmCallback, LlmReply, LlmRequest } from "byname/llm";
import type { Model } from "../model/choice.js";
import { StopError } from "../model/stop-error.js";
import { errorText, formatCount, truncate } from "../page/format.js";
import {
  completePlan,
  mentionsWord,
  type ShortPrompt,
  shortAnswerPrompt,
  shortPlanPrompt,
} from "./short-prompts.js";

export interface LocalModelContext {
  /** Graph in node-link form. */
  graph: Json;
  /** Returns the error of a plan by running it, or null if it returns rows. */
  dryRunError(plan: Plan): Promise<string | null>;
  /** Scripted model for useless replies; null if the script does not know the question. */
  fallback: LlmCallback | null;
  /** Suggested next questions, because a small model invents unanswerable ones. */
  nextQuestions: readonly string[];
}

/**
 * Wraps a local model: uses short prompts, and falls back to the script or a generic answer,
 * recording the reason.
 */
export function withScriptedFallback(model: Model, context: LocalModelContext): Model {
  const fallbackReasons = new Map<string, string>();
  const ask = async (
    request: LlmRequest,
    { system, prompt, gbnf }: ShortPrompt,
  ): Promise<LlmReply> => {
    const { schema: _, ...plain } = request;
    const short = { ...plain, system, prompt, grammar: { gbnf }, temperature: 0 };
    return (await model.callback(short)) as LlmReply;
  };
  const writePlan = async (request: LlmRequest, question: string): Promise<LlmReply> => {
    const reply = await ask(request, shortPlanPrompt(question, context.graph));
    const made = completePlan(question, reply.text ?? "");
    const error = await context.dryRunError(made);
    if (error !== null) throw new UselessReplyError(reply.text ?? "", error);
    return { ...reply, json: made as unknown as Json };
  };
  const answerQuestion = async (request: LlmRequest, question: string): Promise<LlmReply> => {
    const rows = rowsIn(request);
    const reply = await ask(request, shortAnswerPrompt(question, rows));
    const answer = (reply.text ?? "").trim();
    const named = rows.some((row) => mentionsWord(answer, String(row["id"] ?? "")));
    if (!named) throw new UselessReplyError(answer, "that mentions none of the rows");
    return { ...reply, json: { answer, next: nextAfter(question) } };
  };
  const nextAfter = (question: string): string[] =>
    context.nextQuestions.filter((one) => one !== question).slice(0, 3);
  const callback: LlmCallback = async (request) => {
    const question = /The question: (.*)/.exec(request.prompt)?.[1] ?? "";
    try {
      return await (request.id === "tell" ? answerQuestion : writePlan)(request, question);
    } catch (error) {
      if (error instanceof StopError || request.signal.aborted) throw error;
      const words = errorText(error);
      const scripted =
        context.fallback !== null && (request.id !== "tell" || fallbackReasons.has("plan"));
      if (!scripted && request.id !== "tell") throw error;
      fallbackReasons.set(request.id, words);
      if (scripted) return (await context.fallback?.(request)) as LlmReply;
      // The scripted answer refers to the rows of the scripted plan only.
      const json = { answer: genericAnswer(rowsIn(request)), next: nextAfter(question) };
      return { json };
    }
  };
  return { ...model, callback, fallbackReasons };
}

type Row = { [field: string]: Json };

/** Returns the rows of an answer prompt. */
function rowsIn({ prompt }: LlmRequest): Row[] {
  const rows = JSON.parse(/The rows: (.*)$/s.exec(prompt)?.[1] || "[]") as Json;
  return Array.isArray(rows) ? (rows as Row[]) : [];
}

/** Returns an answer that is true for any rows. */
function genericAnswer(rows: readonly Row[]): string {
  const first = rows[0]?.["id"];
  return first === undefined
    ? "The graph has no row for that."
    : `The plan found **${formatCount(rows.length, "row")}**; ${String(first)} comes first.`;
}

/** Reply of a model that cannot be used. */
class UselessReplyError extends Error {
  constructor(text: string, reason: string) {
    super(`it wrote “${truncate(text.replaceAll("\n", "; "), 120)}”, and ${reason}`);
  }
}
