import type { Json } from "byname";
import { javascriptLiteral } from "../code/literal.js";
import { formatJson } from "../page/format-json.js";
import { asList, asRecord } from "../page/json.js";
import { type CompiledProgram, nestedJson } from "./nested.js";
import type { Call, Run } from "./run.js";

/** Source code of simple node types. */
const inlineNodes: { readonly [type: string]: string } = {
  text: 'async ({ inputs }) => ({ outputs: { text: String(inputs.template ?? "") } })',
  wait: "async ({ inputs }) => {\n    await new Promise((done) => setTimeout(done, inputs.ms ?? 0));\n    return { outputs: {} };\n  }",
  count: "async ({ inputs }) => ({ outputs: { n: Number(inputs.n ?? 0) + 1 } })",
};

export interface ProgramSource {
  /** Texts of the editors. */
  workflow: string;
  inputs: string;
  registry: Json;
  concurrency: number;
  compiled: CompiledProgram | null;
  /** Last run, whose results and answers the program repeats. */
  run: Pick<Run, "calls" | "answers"> | null;
}

/** Returns the inputs of a text; none if it is invalid. */
function parseInputs(text: string): Json {
  try {
    return JSON.parse(text.trim() === "" ? "{}" : text) as Json;
  } catch {
    return {};
  }
}

/** Returns the workflow as a program. Complex nodes replay the results recorded in the page. */
export function toProgram(source: ProgramSource): string {
  const { workflow, registry, concurrency, compiled, run } = source;
  const inputs = parseInputs(source.inputs);
  const calls = [...(run?.calls.values() ?? [])];
  const inside = nestedJson(compiled?.nested ?? new Map());
  const used = typesOf(compiled?.diagram?.nodes.map(({ type }) => type) ?? [], inside);
  const isRecorded = (type: string): boolean =>
    !Object.hasOwn(inlineNodes, type) && !inside.has(type);
  const recorded = calls.filter(({ type }) => isRecorded(type)).map(toRecord);
  const suspends = recorded.some((one) => "payload" in one);
  const fromFlow = [...(inside.size > 0 ? ["subflow"] : []), ...(suspends ? ["suspend"] : [])];
  return [
    'import { compileFlow, init } from "byname";',
    ...(fromFlow.length > 0 ? [`import { ${fromFlow.join(", ")} } from "byname/flow";`] : []),
    "",
    "await init();",
    `const registry = ${JSON.stringify(usedTypes(used, registry), null, 2)};`,
    "",
    "function compile(workflow) {",
    "  const answer = compileFlow(workflow, registry);",
    '  if (!answer.ok) throw new Error(answer.diagnostics.map(({ message }) => message).join("\\n"));',
    "  return answer.flow;",
    "}",
    "",
    ...(used.some(isRecorded) ? recordedNode(recorded, suspends) : []),
    "const nodes = {",
    ...used.map((type) => `  ${JSON.stringify(type)}: ${callbackOf(type, inside)},`),
    "};",
    `const flow = compile(${javascriptLiteral(workflow)});`,
    `const options = { nodes, inputs: ${JSON.stringify(inputs)}, concurrency: ${concurrency} };`,
    `${suspends ? "let" : "const"} result = await flow.run(options);`,
    ...(suspends ? answerLoop(run?.answers ?? []) : []),
    "console.log(result.status, JSON.stringify(result.outputs, null, 2));",
    'const print = result.status === "failed" ? console.error : console.log;',
    "for (const { message } of result.diagnostics) print(message);",
    "",
  ].join("\n");
}

/** Returns the types of a workflow and of those inside of its nodes, the inner ones first. */
function typesOf(types: readonly string[], inside: ReadonlyMap<string, Json>): string[] {
  const found = new Set<string>();
  const add = (type: string): void => {
    const { nodes } = asRecord(inside.get(type));
    for (const node of asList(nodes)) add(String(asRecord(node)["type"]));
    found.add(type);
  };
  for (const type of types) add(type);
  return [...found];
}

/** Returns the registry of the used types, without their workflows. */
function usedTypes(used: readonly string[], registry: Json): { [type: string]: Json } {
  const known = asRecord(registry);
  const entries = used.flatMap((type): [string, Json][] => {
    if (!Object.hasOwn(known, type)) return [];
    const { workflow: _, ...rest } = asRecord(known[type]);
    return [[type, rest]];
  });
  return Object.fromEntries(entries);
}

function callbackOf(type: string, inside: ReadonlyMap<string, Json>): string {
  const workflow = inside.get(type);
  if (workflow === undefined) return inlineNodes[type] ?? "recorded";
  return `subflow(compile(${javascriptLiteral(formatJson(workflow))}))`;
}

/** Beginning of an error message that a run adds: "`read` (item 1: `reef`) failed: ". */
const failurePrefix = /^`[^`]+`(?: \(item .*?\))? failed: /;

/** Returns what the program needs to repeat a call: its values, and its outputs or its error. */
function toRecord({ node, iteration, item, attempts, ...call }: Call): { [part: string]: Json } {
  const { outputs, action, state, payload, wasSuspended } = call;
  const { params = {}, inputs = {}, error = null } = attempts.at(-1) ?? {};
  const hasFailed = state === "failed" || state === "handled";
  return {
    // A call has the id of its node without its path.
    id: node.split("/").at(-1) ?? node,
    pass: iteration,
    index: item,
    params,
    inputs,
    ...(wasSuspended && { payload }),
    ...(hasFailed && { error: (error ?? "it failed").replace(failurePrefix, "") }),
    ...(outputs && !hasFailed && { outputs, ...(action !== null && { action }) }),
  };
}

function recordedNode(recorded: readonly Json[], suspends: boolean): string[] {
  return [
    "// Results recorded in the page: replace them by real work.",
    '// linkedNodes of "byname/flow" has nodes for models, graphs and surfaces.',
    `const said = ${JSON.stringify(recorded, null, 2)};`,
    `const recorded = async ({ id, pass, index, params, inputs${suspends ? ", resumed" : ""} }) => {`,
    "  const same = said.filter((one) => one.id === id && one.pass === pass && one.index === index);",
    "  const values = JSON.stringify([params, inputs]);",
    "  const found = same.find((one) => JSON.stringify([one.params, one.inputs]) === values);",
    "  // Secret values are not recorded.",
    "  const answered = found ?? (same.length === 1 ? same[0] : undefined);",
    ...(suspends
      ? [
          '  if (answered && "payload" in answered && resumed === undefined) return suspend(answered.payload);',
        ]
      : []),
    "  if (answered?.error !== undefined) throw new Error(answered.error);",
    "  if (!answered?.outputs) throw new Error(`${id} has not run in the page: implement it here`);",
    "  const { outputs, action } = answered;",
    "  return action === undefined ? { outputs } : { outputs, action };",
    "};",
    "",
  ];
}

/** Returns the lines that continue a paused run with the answers of the page, in their order. */
function answerLoop(answers: Run["answers"]): string[] {
  return [
    "// Answers given in the page, in their order.",
    `const given = ${JSON.stringify(answers)};`,
    'while (result.status === "paused") {',
    "  const { trace, waiting } = result;",
    "  for (const { node, payload } of waiting) console.log(`${node} asks`, JSON.stringify(payload));",
    "  const at = given.findIndex(([node]) => waiting.some((one) => one.node === node));",
    "  if (at < 0) break;",
    "  const [[node, value]] = given.splice(at, 1);",
    "  result = await flow.run({ ...options, resume: trace, answers: { [node]: value } });",
    "}",
  ];
}
