/**
 * `byname/testing`: renders surfaces without a document, finds instances by id or role, acts on
 * them, and streams scripted replies. Works with every test runner.
 */
export {
  type Query,
  Rendered,
  render,
  type TestMessages,
  type TestOptions,
} from "./testing/rendered.js";
export type { Roles } from "./testing/roles.js";
export { type ScriptOptions, type ScriptPart, scriptedStream } from "./testing/scripted-stream.js";
