import type { Json } from "../types.js";

/** Part of the text, in UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Expression =
  | LiteralNode
  | PathNode
  | NameNode
  | SkippedNode
  | ListNode
  | MapNode
  | CallNode
  | CheckNode;

export interface LiteralNode extends Span {
  readonly kind: "literal";
  readonly value: Exclude<Json, Json[] | { [key: string]: Json }>;
}

/** Reference to data: `$/absolute` or `$relative`. */
export interface PathNode extends Span {
  readonly kind: "path";
  readonly path: string;
}

export interface NameNode extends Span {
  readonly kind: "name";
  readonly name: string;
}

/** Skipped argument: `_`. */
export interface SkippedNode extends Span {
  readonly kind: "skipped";
}

export interface ListNode extends Span {
  readonly kind: "list";
  readonly items: readonly Expression[];
}

export interface MapNode extends Span {
  readonly kind: "map";
  readonly entries: readonly { readonly key: string; readonly value: Expression }[];
}

export interface Argument {
  /** Name of a named argument. */
  readonly name?: string;
  readonly value: Expression;
  readonly span: Span;
}

export interface CallNode extends Span {
  readonly kind: "call";
  readonly name: string;
  readonly nameSpan: Span;
  readonly args: readonly Argument[];
}

/** Check of an input: `?name` or `?name(…)`. */
export interface CheckNode extends Span {
  readonly kind: "check";
  readonly name: string;
  readonly args: readonly Argument[];
}

export interface Statement extends Span {
  /** Assigned name or path; undefined for an expression alone. */
  readonly target?: NameNode | PathNode;
  readonly expression: Expression;
}
