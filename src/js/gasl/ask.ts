import { assertOptions, assertString } from "../arguments.js";
import type { LlmCallback } from "../llm/types.js";
import type { Diagnostic, Json, PlanResult } from "../types.js";
import { Graph } from "./graph.js";
import { RUN_OPTIONS, SESSION_OPTIONS } from "./options.js";
import { GaslSession } from "./session.js";
import type { GaslSessionOptions, GraphAdapter, SolveOptions } from "./types.js";

/** Options of a question to a graph. */
export interface AskOptions
  extends Omit<GaslSessionOptions, "graph" | "query" | "llm">,
    SolveOptions {
  /** A graph, an adapter, or the GraphML that GraphRAG and LightRAG export. */
  graph: Graph | GraphAdapter | string | Uint8Array;
  llm: LlmCallback;
}

/** Finding with its sources. */
export interface Evidence {
  key: string;
  item: Json;
  sources: {
    source_id: string | null;
    doc_id: string | null;
    snippet: string | null;
    step: number;
    extraction: Json;
    /** Set if the reply of the model cites no row. */
    uncited?: true;
  }[];
  /** Set if the finding has no other sources than such replies. */
  uncited?: true;
}

export interface Answer {
  status: "complete" | "stopped" | "cancelled";
  answer: string | null;
  /** Each declared key with its type, its size and an example. */
  summary: { [key: string]: Json };
  /** Findings under each declared key. */
  evidence: { [key: string]: Evidence[] };
  plans: PlanResult[];
  diagnostics: Diagnostic[];
  /** For more questions, for the state and for the recording. */
  session: GaslSession;
}

const OPTIONS = [...SESSION_OPTIONS, ...RUN_OPTIONS].filter(
  (name) => name !== "query" && name !== "why",
);

/**
 * Answers a question from a graph. The model plans in GASL until it replies COMPLETE; the state is
 * stored after each step if there is a backend. The result contains the findings with their
 * evidence.
 */
export async function ask(question: string, options: AskOptions): Promise<Answer> {
  assertString(question, "a question");
  assertOptions(options, OPTIONS, "the options of `ask`");
  const {
    graph,
    signal,
    onStep,
    onBatch,
    onPlan,
    maxPlans,
    maxCalls,
    maxTokens,
    maxSteps,
    timeout,
    ...rest
  } = options;
  const text = typeof graph === "string" || graph instanceof Uint8Array;
  const source = text ? Graph.fromGraphML(graph) : graph;
  const session = new GaslSession({ ...rest, graph: source, query: question });
  const runOptions = {
    signal,
    onStep,
    onBatch,
    onPlan,
    maxPlans,
    maxCalls,
    maxTokens,
    maxSteps,
    timeout,
  };
  const definedOptions = Object.entries(runOptions).filter(([, value]) => value !== undefined);
  const solved = await session.solve(question, Object.fromEntries(definedOptions) as SolveOptions);
  const summary = session.summary();
  const evidence = Object.fromEntries(
    Object.keys(summary).map((key) => [key, session.evidence(key) as unknown as Evidence[]]),
  );
  // Problems of the graph may explain a wrong answer.
  const graphDiagnostics = source instanceof Graph ? source.diagnostics : [];
  const diagnostics = [...graphDiagnostics, ...solved.diagnostics];
  return { ...solved, diagnostics, summary, evidence, session };
}
