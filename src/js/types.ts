/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Where a diagnostic points: UTF-16 offsets into the text that was given, or a JSON pointer into the object. */
export type Location =
  | { kind: "text"; start: number; end: number }
  | { kind: "pointer"; pointer: string };

/** What is wrong with data, and how to mend it. */
export interface Diagnostic {
  code: string;
  severity: "error" | "warning" | "info";
  message: string;
  help?: string;
  location?: Location;
}

/** HAM nodes by id. A key `!id` deletes the node `id`. */
export type HamNodes = { [idOrDeletion: string]: Json };

/** Names a value: the node (the data context when left out) and a direct property of it (the whole value when left out). */
export interface Binding {
  node?: string;
  key?: string;
}

/** A list to iterate and the component that renders each item. */
export interface ChildList {
  binding: Binding;
  template?: string;
  componentId?: string;
}

export type ApplyResult =
  | { ok: true; changed: string[]; deleted: string[]; inverse: HamNodes; diagnostics: Diagnostic[] }
  | { ok: false; diagnostics: Diagnostic[] };

export interface Reading {
  value: Json;
  status: "ok" | "missing" | "error";
  /** The id that a pointer property named. */
  ref?: string;
  diagnostics: Diagnostic[];
}

/** One mounted component: its properties resolved, its children in order. */
export interface Instance {
  /** Component id. */
  id: string;
  /** Component name; empty while the component has not come yet. */
  component: string;
  /** Unique in the surface, stable while the instance lives, the same when the row returns. */
  key: string;
  /** Resolved properties. Properties that name children are left out; an action stands as it was written. */
  props: { [prop: string]: Json };
  /** The property that names this instance in its parent, where that is neither `child` nor `children`. */
  slot?: string;
  children: Instance[];
}

export type SurfaceChange =
  | { kind: "mount"; key: string; parent: string | null; before: string | null; instance: Instance }
  | { kind: "unmount"; key: string }
  | { kind: "move"; key: string; before: string | null }
  | { kind: "set"; key: string; prop: string; value: Json };

export interface Action {
  name: string;
  surfaceId: string;
  sourceComponentId: string;
  sourceKey: string;
  timestamp: string;
  context: { [k: string]: Json };
}

/** Which properties of which component name children, take input or hold actions. */
export interface Catalog {
  components: {
    [name: string]: {
      props?: { [prop: string]: Json };
      /** Properties that name one component; `tabs.child` means the property `child` of each item of the list `tabs`. */
      child?: string[];
      /** Properties that are a ChildList or a list of component ids. */
      children?: string[];
      input?: string[];
      actions?: string[];
    };
  };
  functions?: { [name: string]: Json };
}

export interface HamLimits {
  /** Bytes of one message. */
  bytes: number;
  /** Nodes of the document. */
  nodes: number;
  /** Levels of nesting of one message. */
  depth: number;
  /** Values that one deep read may visit. */
  deepRead: number;
  /** Mounted instances of one surface. */
  instances: number;
  /** Steps that can be undone. */
  undo: number;
}

export interface HamStoreOptions {
  /** What marks a pointer; `*` by default. */
  sigil?: string;
  /** Strip one leading sigil from an id, with a warning. */
  repair?: boolean;
  extensions?: { listEdits?: boolean };
  limits?: Partial<HamLimits>;
}
