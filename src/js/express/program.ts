import type { Json } from "../types.js";
import type { CallNode, Expression, Span } from "./syntax.js";

/** Name of the surface of a text that names none. */
export const DEFAULT_SURFACE = "default_surface";

/** Assignment to a path of the data model. */
export interface DataAssignment {
  readonly path: string;
  readonly expression: Expression;
  readonly span: Span;
}

/** Component that a statement assigns to a variable. */
export interface ComponentStatement {
  readonly variable: string;
  readonly call: CallNode;
}

/** Options of `surface(…)`. */
export interface SurfaceOptions {
  readonly surfaceId: string;
  readonly catalogId?: string;
  readonly sendDataModel?: boolean;
  readonly update?: boolean;
}

/** Component with the parts of the text that its values come from. */
export interface CompiledComponent {
  readonly json: { [prop: string]: Json };
  readonly catalogId: string;
  /** Spans by property and path: `options/0/label`. */
  readonly spans: ReadonlyMap<string, Span>;
  readonly span: Span;
}
