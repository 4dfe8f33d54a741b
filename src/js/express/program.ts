import type { Diagnostic, Json } from "../types.js";
import type { Signatures } from "./signatures.js";
import type { CallNode, Expression, Span } from "./syntax.js";

/** Name of the surface of a text that names none. */
export const DEFAULT_SURFACE = "default_surface";

/** Assignment to a path of the data model. */
export interface DataAssignment {
  readonly path: string;
  readonly expression: Expression;
  readonly span: Span;
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

/** Variables of a surface, as their users see them. */
export interface Variables {
  readonly signatures: Signatures;
  /** Catalog that the surface names. */
  readonly catalogId: string | undefined;
  /** Returns the id of the component that a variable contains. */
  idOf(name: string): string | undefined;
  /** Returns the value of a variable that contains no component. */
  valueOf(name: string): Expression | undefined;
  isComponent(call: CallNode): boolean;
  /** Counts a value of a variable. Returns false above the limit. */
  spendValue(): boolean;
}

/** Compiler of the values in a component. */
export interface ValueCompiler {
  readonly scope: Variables;
  /** Variables that the component refers to. */
  readonly uses: Set<string>;
  readonly diagnostics: Diagnostic[];
  /** Compiles a value for any property. Returns undefined after an error. */
  anyValue(expression: Expression, path: string): Json | undefined;
  /** Reports, once, that variables expand to too much. */
  reportTooLarge(span: Span): undefined;
}
