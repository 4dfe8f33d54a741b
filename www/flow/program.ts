import type { Json } from "byname";
import { javascriptLiteral } from "../code/literal.js";
import type { Call } from "./run.js";

/** Source code of simple node types. */
const inlineNodes: { readonly [type: string]: string } = {
  text: 'async ({ inputs }) => ({ outputs: { text: String(inputs.template ?? "") } })',
  wait: "async ({ inputs }) => {\n    await new Promise((done) => setTimeout(done, inputs.ms ?? 0));\n    return { outputs: {} };\n  }",
  count: "async ({ inputs }) => ({ outputs: { n: Number(inputs.n ?? 0) + 1 } })",
};

export interface ProgramSource {
  workflow: string;
  registry: Json;
  inputs: Json;
  concurrency: number;
  /** Types that the workflow uses. */
  types: readonly string[];
  /** Calls of the last run. */
  calls: readonly Call[];
}

/** Returns the workflow as a program. Complex nodes replay the outputs recorded in the page. */
export function toProgram({
  workflow,
  registry,
  inputs,
  concurrency,
  types,
  calls,
}: ProgramSource): string {
  const used = [...new Set(types)];
  const recorded = used.filter((type) => !Object.hasOwn(inlineNodes, type));
  const recordedAnswers = Object.fromEntries(
    calls.flatMap(({ node, type, iteration, item, outputs, action }) =>
      outputs && recorded.includes(type)
        ? [[`${node} ${iteration} ${item}`, { outputs, ...(action === null ? {} : { action }) }]]
        : [],
    ),
  );
  const known = (registry ?? {}) as { [type: string]: Json };
  const usedTypes = Object.fromEntries(
    used.flatMap((type) => (type in known ? [[type, known[type]]] : [])),
  );
  return [
    'import { compileFlow, init } from "byname";',
    "",
    "await init();",
    `const registry = ${JSON.stringify(usedTypes, null, 2)};`,
    `const answer = compileFlow(${javascriptLiteral(workflow)}, registry);`,
    'if (!answer.ok) throw new Error(answer.diagnostics.map(({ message }) => message).join("\\n"));',
    "",
    ...(recorded.length > 0
      ? [
          "// Outputs recorded in the page: replace them by real work.",
          '// linkedNodes of "byname/flow" has nodes for models, graphs and surfaces.',
          `const said = ${JSON.stringify(recordedAnswers, null, 2)};`,
          "const recorded = async ({ id, pass, index }) => {",
          "  const answered = said[`${id} ${pass} ${index}`];",
          "  if (!answered) throw new Error(`${id} has not run in the page: implement it here`);",
          "  return answered;",
          "};",
        ]
      : []),
    "const nodes = {",
    ...used.map((type) => `  ${JSON.stringify(type)}: ${inlineNodes[type] ?? "recorded"},`),
    "};",
    `const result = await answer.flow.run({ nodes, inputs: ${JSON.stringify(inputs)}, concurrency: ${concurrency} });`,
    "for (const { message } of result.diagnostics) console.error(message);",
    "console.log(result.status, JSON.stringify(result.outputs, null, 2));",
    "",
  ].join("\n");
}
