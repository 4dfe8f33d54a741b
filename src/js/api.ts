export { DataContext } from "./context.js";
export { BynameError, GaslError } from "./errors.js";
export { type CsvTables, Graph, type GraphSummary } from "./gasl/graph.js";
<<<<<<< HEAD
=======
export { GaslSession } from "./gasl/session.js";
export type * from "./gasl/types.js";
export type * from "./llm/types.js";
>>>>>>> main
export { type ChildItem, HamStore, type HamStream } from "./store.js";
export { Surface, type SurfaceOptions } from "./surface.js";
export type * from "./types.js";
export { initSync } from "./wasm.js";
