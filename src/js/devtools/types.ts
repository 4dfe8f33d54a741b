import type { FlowRunOptions } from "../flow/types.js";
import type { GaslSession } from "../gasl/session.js";
import type { Surface } from "../surface.js";
import type { Surfaces } from "../surfaces.js";
import type {
  Action,
  Catalog,
  Diagnostic,
  ExecutionRecord,
  FlowEvent,
  Json,
  Plan,
} from "../types.js";
import type { FlowResult } from "../wire.js";

/** Parts of the store of a surface that the log reads and wraps. */
export type ObservedStore = Pick<
  Surface["store"],
  "apply" | "stream" | "write" | "read" | "children" | "has" | "export"
>;

/** Parts of a `Surface` of `byname` or of `byname/ham` that the log reads and wraps. */
export type ObservedSurface = Pick<
  Surface,
  "receive" | "subscribe" | "tree" | "input" | "trigger" | "diagnostics" | "export"
> & { readonly store: ObservedStore; readonly catalog?: Catalog | undefined };

/** Parts of `Surfaces` that the log reads and wraps. */
export type ObservedSurfaces = Pick<Surfaces, "receive" | "subscribe"> & {
  list(): readonly (readonly [string, ObservedSurface])[];
};

/** Parts of a `GaslSession` that the log reads and wraps. */
export type ObservedSession = Pick<
  GaslSession,
  "execute" | "run" | "resume" | "solve" | "variable"
>;

/** Parts of a `Flow` that the log wraps. */
export interface ObservedFlow {
  run(options: FlowRunOptions): Promise<FlowResult>;
}

/** One object, a list of objects, or objects by the names that the panel displays. */
export type Named<T> = T | readonly T[] | { readonly [name: string]: T };

/** Objects that `attach` observes. */
export interface Targets {
  surfaces?: Named<ObservedSurface | ObservedSurfaces>;
  sessions?: Named<ObservedSession>;
  flows?: Named<ObservedFlow>;
}

/** Surface with the definitions of its components, whose bindings the tree does not have. */
export interface TracedSurface {
  readonly surface: Pick<ObservedSurface, "tree" | "diagnostics" | "catalog">;
  readonly store: ObservedStore;
  readonly definitions: ReadonlyMap<string, { readonly [prop: string]: Json }>;
}

/** Change of a surface without the instances that were mounted. */
export type LoggedChange =
  | { kind: "mount"; key: string; component: string; parent: string | null; before: string | null }
  | { kind: "unmount"; key: string }
  | { kind: "move"; key: string; before: string | null }
  | { kind: "set"; key: string; prop: string; value: Json };

/** Content of an entry, by its kind. */
export type EntryContent =
  | {
      kind: "message";
      /** Message, or its text if it is not JSON; null while it is streamed. */
      message: Json;
      /** Whether the agent sent it, or the page wrote to the store. */
      from: "agent" | "page";
      ok: boolean;
      diagnostics: Diagnostic[];
      /** Milliseconds of parsing, applying and rendering. */
      duration: number;
      /** Number of UTF-16 units or bytes of the text; 0 for an object. */
      length: number;
      /** Messages that the surface received after a translation, if they differ. */
      applied?: Json[];
    }
  | { kind: "changes"; changes: LoggedChange[]; count: number }
  | { kind: "input"; key: string; prop: string; value: Json }
  | { kind: "action"; action: Action }
  /** Entry of the page itself. */
  | { kind: "note"; title: string; value: Json }
  | { kind: "begin"; run: number; title: string }
  | { kind: "plan"; run: number; plan: Plan }
  | { kind: "step"; run: number; record: ExecutionRecord; rows?: Json[]; rowCount?: number }
  | { kind: "event"; run: number; event: FlowEvent }
  | { kind: "end"; run: number; status: string; diagnostics: Diagnostic[] };

export type EntryKind = EntryContent["kind"];

/** Entry of a log. */
export type LogEntry = { id: number; time: string; source: string } & EntryContent;

/** Entry of one kind. */
export type EntryOf<K extends EntryKind> = Extract<LogEntry, { kind: K }>;
