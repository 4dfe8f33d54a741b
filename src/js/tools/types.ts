import type { Json } from "../types.js";

/** Tool that a model calls. `execute` never rejects: errors are results with `ok: false`. */
export interface Tool {
  name: string;
  description: string;
  /** JSON Schema of the arguments: an object with `properties`. */
  inputSchema: Json;
  /** Runs the tool. `args` is an object, or its JSON text as some providers return it. */
  execute(args: Json, options?: { signal?: AbortSignal }): Promise<Json>;
}

/** Options of all lists of tools. */
export interface ToolsOptions {
  /** Maximum length of a result as JSON text, in UTF-16 units; 8,000 by default, at least 1,000. */
  maxCharacters?: number;
}

/** Reason of a failed call. */
export type ToolErrorKind =
  /** The arguments do not fit the schema; `fields` lists each problem. */
  | "arguments"
  /** The data have errors; `diagnostics` lists them with their fixes. */
  | "diagnostics"
  /** The surface, session or graph was disposed of. */
  | "disposed"
  /** The signal was aborted. */
  | "cancelled"
  /** The workflow waits for an answer of the host. */
  | "paused"
  /** A callback of the host threw. */
  | "failed";

/** Argument that does not fit the schema. */
export interface FieldError {
  /** JSON pointer into the arguments. */
  field: string;
  message: string;
  help: string;
}
