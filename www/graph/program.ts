import type { Json } from "byname";
import { javascriptLiteral } from "../code/literal.js";
import type { GraphModel } from "./graph-model.js";
import { parsePlan } from "./plan.js";
import type { Player } from "./player.js";

export interface ProgramSource {
  /** Graph as JSON, or the lines that define `graph`. */
  graph: Json | readonly string[];
  /** Plan to run; ignored if there is a question. */
  text: string;
  question: string | null;
  /** Replies of the model, in order. */
  replies: readonly string[];
}

/** Returns the run as a program, or the text of the editor if it was edited. */
export function runProgram(
  { source }: GraphModel,
  { run, frames }: Player,
  editorText: string,
  isEdited: boolean,
): string {
  const { exchanges = [], question = null } = (isEdited ? null : run) ?? {};
  const text = isEdited ? editorText : (frames.at(-1)?.text ?? editorText);
  return toProgram({
    graph: source.code ?? (source.toJSON() as Json),
    text,
    question,
    replies: exchanges.flatMap(({ reply }) => reply ?? []),
  });
}

/** Returns the plan or question as a program. */
export function toProgram({ graph, text, question, replies }: ProgramSource): string {
  const asks = question !== null || replies.length > 0;
  const names = ["GaslSession", "Graph", "init"].filter(
    (name) => question === null || name !== "GaslSession",
  );
  const { plan } = parsePlan(text);
  const written =
    typeof plan === "string" ? javascriptLiteral(plan) : JSON.stringify(plan, null, 2);
  return [
    `import { ${question === null ? "" : "ask, "}${names.join(", ")} } from "byname";`,
    ...(asks ? ['import { scripted } from "byname/llm";'] : []),
    "",
    "await init();",
    ...(Array.isArray(graph)
      ? graph
      : [
          "// To read a file, pass its bytes to Graph.from.",
          `const graph = Graph.fromJSON(${JSON.stringify(graph)});`,
        ]),
    ...(asks
      ? [
          "",
          '// Replies of the model in the page. For a real model: openai({ model, baseUrl, apiKey }) from "byname/llm".',
          `const llm = scripted(${JSON.stringify(replies, null, 2)});`,
        ]
      : []),
    "",
    ...(question === null
      ? [
          `const session = new GaslSession({ graph${asks ? ", llm" : ""} });`,
          `const { status, records, diagnostics } = await session.run(${written});`,
          "for (const { step, command, status: ended } of records) console.log(step, ended, command);",
          'for (const { message, help } of diagnostics) console.error(message, help ?? "");',
          "console.log(status, JSON.stringify(session.summary(), null, 2));",
        ]
      : [
          `const { answer, evidence } = await ask(${javascriptLiteral(question)}, { graph, llm });`,
          "console.log(answer);",
          "console.log(JSON.stringify(evidence, null, 2));",
        ]),
    "",
  ].join("\n");
}
