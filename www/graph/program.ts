import type { Json } from "byname";
import { javascriptLiteral } from "../code/literal.js";
import { parsePlan } from "./plan.js";

export interface ProgramSource {
  graph: Json;
  /** Plan to run; ignored if there is a question. */
  text: string;
  question: string | null;
  /** Replies of the model, in order. */
  replies: readonly string[];
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
    "// To read a file, pass its bytes to Graph.from.",
    `const graph = Graph.fromJSON(${JSON.stringify(graph)});`,
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
