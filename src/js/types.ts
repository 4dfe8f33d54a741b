import type { Binding, Diagnostic, Json } from "./wire.js";

export type {
  Binding,
  Collision,
  ContextName,
  ContextNode,
  Diagnostic,
  ExecutionRecord,
  FlowEvent,
  FlowResult,
  FlowStatus,
  HamExtensions,
  HamLimits,
  HamStoreOptions,
  Json,
  KeyNames,
  Location,
  NodeMappings,
  Plan,
  PlanCommand,
  PlanConfig,
  PlanningContext,
  PlanResult,
  PlanStatus,
  Severity,
  SnapshotInfo,
  SolveResult,
  SolveStatus,
  Status,
  StepStatus,
} from "./wire.js";

/** HAM nodes by id. A key `!id` deletes the node `id`. */
export type HamNodes = { [idOrDeletion: string]: Json };

/** The A2UI envelope with HAM nodes in it. */
export type HamEnvelope = {
  version?: string;
  updateDataModel: { surfaceId?: string; nodes: HamNodes };
};

/** The A2UI envelope with edits of nodes: a store needs no extension for them. */
export type HamEdits = {
  version?: string;
  updateDataModel: { surfaceId?: string; edits: HamNodes };
};

/** JSON type of a node. */
export type JsonType = "null" | "boolean" | "number" | "string" | "list" | "map";

/** Component of a message. Its properties are literals, bindings, calls and component ids. */
export interface Component {
  readonly id: string;
  /** Name in the catalog. */
  readonly component: string;
  readonly [prop: string]: unknown;
}

/** Message that a surface accepts. */
export interface Message {
  version?: string;
  createSurface?: {
    surfaceId: string;
    catalogId?: string;
    components?: readonly Component[];
    readonly [key: string]: unknown;
  };
  updateComponents?: { surfaceId: string; components: readonly Component[] };
  updateDataModel?: { surfaceId?: string; nodes: HamNodes };
  deleteSurface?: { surfaceId: string };
}

/**
 * Children of a component that are made from data: the component `template` is rendered once for
 * each item of the list at `binding`.
 */
export interface ChildList {
  /** Binding of the list whose items are rendered. */
  binding: Binding;
  /** Id of the component that renders each item. */
  template?: string;
  /** Alias of `template`. */
  componentId?: string;
}

/**
 * Result of an update. `changed`, `deleted` and `inverse` are computed when they are first read.
 * They can be read until `limits.undo` further updates have been made (1,000 by default). They may
 * not be own properties, so a spread leaves them out: `toJSON()` returns a plain object.
 */
export type ApplyResult =
  | {
      readonly ok: true;
      /** Ids of the nodes that the update has created or changed. */
      readonly changed: string[];
      /** Ids of the nodes that the update has deleted. */
      readonly deleted: string[];
      /** Update that reverts this one. */
      readonly inverse: HamNodes;
      readonly diagnostics: Diagnostic[];
      toJSON(): AppliedJson;
    }
  | { readonly ok: false; readonly diagnostics: Diagnostic[] };

/** Applied update as a plain object: for logs, messages and copies. */
export interface AppliedJson {
  ok: true;
  changed: string[];
  deleted: string[];
  inverse: HamNodes;
  diagnostics: Diagnostic[];
}

/** Value of a binding with its status. */
export interface Reading {
  /** Null unless the status is `ok`. */
  value: Json;
  status: "ok" | "missing" | "error";
  /** Id that a pointer property refers to. */
  ref?: string;
  diagnostics: Diagnostic[];
}

/** Mounted component: its properties resolved, its children in order. */
export interface Instance {
  /** Component id. */
  id: string;
  /** Component name; empty while the component is not defined. */
  component: string;
  /** Unique in the surface, stable while the instance is mounted, the same when a row returns. */
  key: string;
  /** Resolved properties. Those that name children are left out; an action is unresolved. */
  props: { [prop: string]: Json };
  /** The property that names this instance in its parent, unless it is `child` or `children`. */
  slot?: string;
  children: Instance[];
}

/** Change of a surface. Keys name siblings: `before: null` is the end of the parent. */
export type SurfaceChange =
  | { kind: "mount"; key: string; parent: string | null; before: string | null; instance: Instance }
  | { kind: "unmount"; key: string }
  | { kind: "move"; key: string; before: string | null }
  /** `appended`: the text that was appended to the previous value. */
  | { kind: "set"; key: string; prop: string; value: Json; appended?: string };

/** Parts of an action that only some actions have. */
export interface ActionDetails {
  /** The call, if the action calls a function. Then `name` is the function. */
  functionCall?: { [k: string]: Json };
  /** Text of the action for a conversation. */
  userMessage?: Json;
  /** Whether the agent responds with a value, which is written at `responsePath`. */
  wantResponse?: boolean;
  responsePath?: string;
  metadata?: Json;
}

/** Action that the user has triggered, with its context resolved. */
export interface Action extends ActionDetails {
  name: string;
  surfaceId: string;
  sourceComponentId: string;
  sourceKey: string;
  /** Id of the node of the nearest list item; absent outside a list and for an item without a node. */
  node?: string;
  /** Key of the nearest list item; absent outside a list. */
  item?: string;
  /** ISO 8601, or the result of `now`. */
  timestamp: string;
  context: { [k: string]: Json };
}

/** Declares which properties of each component name children, take input or contain actions. */
export interface Catalog {
  components: {
    [name: string]: {
      props?: { [prop: string]: Json };
      /** Properties that name one component; `tabs.child` is the property `child` of each item of `tabs`. */
      child?: string[];
      /** Properties that are a ChildList or a list of component ids. */
      children?: string[];
      /** Properties that take input; by default every bound one. */
      input?: string[];
      /** Properties that contain actions; `action` by default. */
      actions?: string[];
    };
  };
  functions?: { [name: string]: Json };
}
