import { compileFlow, Flow } from "../flow/flow.js";
import { ask } from "../gasl/ask.js";
import { Graph } from "../gasl/graph.js";
import { GaslSession } from "../gasl/session.js";
import { HamStore } from "../store.js";
import { decodeArgument, signalNumbers } from "./decoder.js";
import { PageCalls } from "./page-calls.js";
import type { CallValue, GraphProperties, PageMessage, WorkerMessage } from "./protocol.js";
import { describeForPage, restoreFromPage } from "./thread-errors.js";

type PostMessage = (message: WorkerMessage) => void;
type CallMessage = PageMessage & { type: "call" };
/** Error of the creation of an object, which its methods throw. */
class FailedObject {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** Objects of a worker, whose methods the page calls. */
export class WorkerHost {
  readonly #post: PostMessage;
  readonly #calls: PageCalls;
  readonly #objects = new Map<number, unknown>();
  readonly #signals = new Map<number, AbortController>();

  constructor(post: PostMessage) {
    this.#post = post;
    this.#calls = new PageCalls(post);
  }

  receive(message: PageMessage): void {
    if (message.type === "call") void this.#call(message);
    else if (message.type === "abort")
      this.#signals.get(message.signal)?.abort(restoreFromPage(message.reason));
    else if (message.type === "called") this.#calls.onCalled(message.id);
    else if (message.type === "answer") this.#calls.onAnswer(message.id, message.value);
    else if (message.type === "failure") this.#calls.onFailure(message.id, message.error);
    else if (message.type === "free") this.#free(message.handle);
  }

  async #call(call: CallMessage): Promise<void> {
    const { id, created } = call;
    try {
      // The first part runs at once, so that later calls find the objects.
      const value = await this.#perform(call);
      this.#post({ type: "result", id, value });
    } catch (error) {
      for (const handle of created) this.#objects.set(handle, new FailedObject(error));
      this.#post({ type: "error", id, error: describeForPage(error) });
    } finally {
      for (const number of signalNumbers(call.arguments)) this.#signals.delete(number);
    }
  }

  #perform({
    method,
    target,
    created,
    arguments: given,
  }: CallMessage): Promise<CallValue> | CallValue {
    const scope = {
      calls: this.#calls,
      signals: this.#signals,
      objectOf: (handle: number) => this.#objectOf(handle),
    };
    const values = given.map((argument) => decodeArgument(argument, scope)) as never[];
    const [first = 0, second = 0] = created;
    const [type = "", name = ""] = method.split(".");
    if (target !== 0) return this.#callMethod(this.#objectOf(target), name, values, first);
    if (type === "Graph") return this.#createGraph(name, values, first);
    if (name === "new") return this.#add(first, new GaslSession(...(values as unknown as [never])));
    if (name === "replay") return this.#replay(values, first);
    if (type === "GaslSession") return plain(callNamed(GaslSession, name, values));
    if (type === "ask") return this.#ask(values, first, second);
    return this.#compile(values, first);
  }

  /** Calls a method, or reads a property. */
  async #callMethod(
    object: unknown,
    name: string,
    values: unknown[],
    created: number,
  ): Promise<CallValue> {
    const value = await callNamed(object as object, name, values);
    return value instanceof GaslSession ? this.#add(created, value) : plain(value);
  }

  async #createGraph(name: string, values: unknown[], handle: number): Promise<CallValue> {
    const graph = name === "fromHam" ? graphOfNodes(values) : await callNamed(Graph, name, values);
    this.#objects.set(handle, graph);
    return { kind: "graph", properties: propertiesOf(graph as Graph) };
  }

  async #replay(values: unknown[], handle: number): Promise<CallValue> {
    return this.#add(handle, await (callNamed(GaslSession, "replay", values) as Promise<unknown>));
  }

  async #ask(values: unknown[], handle: number, graphHandle: number): Promise<CallValue> {
    const [question, options] = values as [string, Parameters<typeof ask>[1]];
    const { session, ...value } = await ask(question, options);
    this.#objects.set(handle, session);
    // A graph of the page's GraphML belongs to the session only.
    const isOwn = session.graph instanceof Graph && options.graph !== session.graph;
    if (isOwn) this.#objects.set(graphHandle, session.graph);
    return {
      kind: "answer",
      value,
      graph: isOwn ? propertiesOf(session.graph as Graph) : undefined,
    };
  }

  #compile(values: never[], handle: number): CallValue {
    const compiled = compileFlow(...(values as unknown as Parameters<typeof compileFlow>));
    const { ok, diagnostics } = compiled;
    if (!compiled.ok) return { kind: "flow", ok, diagnostics, fingerprint: "" };
    this.#objects.set(handle, compiled.flow);
    return { kind: "flow", ok, diagnostics, fingerprint: compiled.flow.fingerprint };
  }

  #add(handle: number, object: unknown): CallValue {
    this.#objects.set(handle, object);
    return plain(undefined);
  }

  #objectOf(handle: number): unknown {
    const object = this.#objects.get(handle);
    if (object instanceof FailedObject) throw object.reason;
    return object;
  }

  #free(handle: number): void {
    const object = this.#objects.get(handle);
    this.#objects.delete(handle);
    if (object instanceof Graph || object instanceof GaslSession || object instanceof Flow)
      object[Symbol.dispose]();
  }
}

function plain(value: unknown): CallValue {
  return { kind: "plain", value };
}

/** Calls the method of a name, or returns the property. */
function callNamed(object: object, name: string, values: unknown[]): unknown {
  const property = (object as { [name: string]: unknown })[name];
  return typeof property === "function" ? property.apply(object, values) : property;
}

function graphOfNodes([nodes, sigil]: unknown[]): Graph {
  const store = new HamStore({ sigil: sigil as string });
  store.apply(nodes as never);
  return Graph.fromHam(store);
}

function propertiesOf(graph: Graph): GraphProperties {
  const { nodeCount, edgeCount, format, directed, diagnostics } = graph;
  return { nodeCount, edgeCount, format, directed, diagnostics };
}

/**
 * Starts a worker when the page has sent the source of the WebAssembly. Returns its message
 * handler.
 */
export function startHost(
  post: PostMessage,
  load: (wasm: URL | WebAssembly.Module | undefined) => Promise<void>,
  acquire: (lock: string) => Promise<void>,
): (message: PageMessage) => void {
  const host = new WorkerHost(post);
  const start = async ({ wasm, lock }: PageMessage & { type: "start" }): Promise<void> => {
    try {
      await load(typeof wasm === "string" ? new URL(wasm) : wasm);
      if (lock !== undefined) await acquire(lock);
      post({ type: "ready", lock });
    } catch (error) {
      post({ type: "unready", error: describeForPage(error) });
    }
  };
  return (message) => {
    if (message.type === "start") void start(message);
    else host.receive(message);
  };
}
