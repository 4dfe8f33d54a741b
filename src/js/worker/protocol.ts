import type { StorageSource } from "../storage/source.js";
import type { Diagnostic } from "../wire.js";

/** Error that crosses between the page and its worker. */
export type ErrorMessage =
  /** Value of the page that comes back to it, by number. */
  | { kind: "own"; number: number }
  | {
      kind: "error";
      type: string;
      message: string;
      stack?: string | undefined;
      code?: string | undefined;
      reason?: string | undefined;
      diagnostics?: Diagnostic[] | undefined;
      /** Whether a later attempt may succeed. */
      isTransient?: boolean | undefined;
      /** Number of the original of the page. */
      number?: number;
    }
  /** Thrown value that is not an error. */
  | { kind: "value"; value: unknown };

/** Signature of a callback: where its signal is, and whether the worker waits for its end. */
export type CallbackForm =
  /** `(…args)` without a signal. */
  | "plain"
  /** `(request)` whose `signal` aborts. */
  | "request"
  /** `(query, signal)`. */
  | "query"
  /** `(event)`, called before the worker continues. */
  | "listener";

/** Argument of a call of the worker. */
export type Argument =
  | { kind: "plain"; value: unknown }
  | { kind: "json"; text: string }
  | { kind: "object"; parts: { [name: string]: Argument } }
  | { kind: "callback"; number: number; form: CallbackForm }
  | { kind: "signal"; number: number; reason?: ErrorMessage | undefined }
  | { kind: "handle"; handle: number }
  | { kind: "storage"; source: StorageSource }
  /** Chunks, which the worker requests by a callback. */
  | { kind: "stream"; number: number }
  /** Clock with the time of the call; later times are requested by a callback. */
  | { kind: "clock"; number: number; time: string };

/** Result of a callback of the page. */
export type CallbackValue =
  | { kind: "json"; text: string }
  | { kind: "plain"; value: unknown }
  /** Result of `suspend`, with its payload as JSON text. */
  | { kind: "suspended"; text: string };

/** Result of a call of the worker. */
export type CallValue =
  | { kind: "plain"; value: unknown }
  /** Properties of a new object, whose handle the page has chosen. */
  | { kind: "graph"; properties: GraphProperties }
  | { kind: "flow"; ok: boolean; diagnostics: Diagnostic[]; fingerprint: string }
  | { kind: "answer"; value: unknown; graph: GraphProperties | undefined };

/** Properties of a graph, which never change. */
export interface GraphProperties {
  nodeCount: number;
  edgeCount: number;
  format: string;
  directed: boolean;
  diagnostics: Diagnostic[];
}

/** Message of the page to its worker. */
export type PageMessage =
  | { type: "start"; wasm: string | WebAssembly.Module | undefined; lock: string | undefined }
  | {
      type: "call";
      id: number;
      method: string;
      /** Handle of the object; 0 for static methods. */
      target: number;
      /** Handles of the objects that the call creates. */
      created: number[];
      arguments: Argument[];
    }
  | { type: "abort"; signal: number; reason: ErrorMessage }
  /** A listener was called. */
  | { type: "called"; id: number }
  | { type: "answer"; id: number; value: CallbackValue }
  | { type: "failure"; id: number; error: ErrorMessage }
  | { type: "free"; handle: number };

/** Message of a worker to its page. */
export type WorkerMessage =
  | { type: "ready"; lock: string | undefined }
  | { type: "unready"; error: ErrorMessage }
  | { type: "result"; id: number; value: CallValue }
  | { type: "error"; id: number; error: ErrorMessage }
  | { type: "callback"; id: number; number: number; arguments: unknown[] }
  | { type: "abort"; id: number; reason: ErrorMessage };

/** Port to the other side. */
export interface Port<Sent> {
  post(message: Sent, transfer?: Transferable[]): void;
}
