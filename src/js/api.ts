export { DataContext } from "./context.js";
export { BynameError, GaslError } from "./errors.js";
export { compileFlow, Flow } from "./flow/flow.js";
export {
  assignIds,
  buildContext,
  detectCollisions,
  generateMappings,
  resolveTemplate,
} from "./flow/map.js";
export type * from "./flow/types.js";
export { type Answer, type AskOptions, ask, type Evidence } from "./gasl/ask.js";
export { type CsvTables, Graph, type GraphSummary } from "./gasl/graph.js";
export { GaslSession } from "./gasl/session.js";
export type * from "./gasl/types.js";
export type * from "./llm/types.js";
export { type ChildItem, HamStore, type HamStream } from "./store.js";
export { Surface, type SurfaceOptions } from "./surface.js";
export type * from "./types.js";
export { initSync } from "./wasm.js";
