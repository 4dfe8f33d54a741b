/**
 * `byname/express`: compiles A2UI Express, a compact language for models, to messages while it
 * arrives, and prints surfaces in it. Does not load the WebAssembly.
 */
export {
  type CompiledExpress,
  compileExpress,
  type ExpressMessage,
} from "./express/compile.js";
export { expressGbnf } from "./express/gbnf.js";
export type { ExpressOptions, ExpressVersion } from "./express/options.js";
export { expressPrompt } from "./express/prompt.js";
export type { ExpressCatalog } from "./express/signatures.js";
export { type ExpressStream, type ExpressStreamOptions, expressStream } from "./express/stream.js";
export type { ExpressTarget, SurfaceList } from "./express/target.js";
export { messagesToExpress, type PrintedSurface, toExpress } from "./express/to-express.js";
