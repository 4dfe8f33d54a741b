export { GaslError } from "./diagnostic-error.js";
export { compileFlow, Flow } from "./flow/flow.js";
export {
  assignIds,
  buildContext,
  detectCollisions,
  generateMappings,
  resolveTemplate,
} from "./flow/mappings.js";
export { mergeWorkflows } from "./flow/merge.js";
export type { StepwiseRun } from "./flow/stepwise.js";
export type * from "./flow/types.js";
export { type Answer, type AskOptions, ask, type Evidence } from "./gasl/ask.js";
export type { ChunkSource, CsvStreams, ReadOptions, TextSource } from "./gasl/chunk-source.js";
export {
  type CsvTables,
  Graph,
  type GraphFormat,
  type GraphOptions,
  type GraphSummary,
} from "./gasl/graph.js";
export { GaslSession } from "./gasl/session.js";
export type * from "./gasl/types.js";
export * from "./ham.js";
export type * from "./llm/types.js";
export type { StateChange } from "./state-change.js";
