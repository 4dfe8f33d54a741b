import { ComponentList } from "./component-list.js";
import { senderErrorResult } from "./diagnostics.js";
import type { JsonScanner } from "./json-scanner.js";
import { NodeStream } from "./node-stream.js";
import type { ResultCollector } from "./result-collector.js";
import type { TextBuffer } from "./text-buffer.js";

/** What holds a list of components. */
const COMPONENT_MESSAGES = ["updateComponents", "createSurface"];
/** What a message can be; the last is how servers of models say that they failed. */
const MESSAGE_KINDS = [...COMPONENT_MESSAGES, "updateDataModel", "deleteSurface", "error"];

/** One message as it comes. Its components and its nodes are taken one by one, any other message at its end. */
export class PartialMessage {
  readonly #collector: ResultCollector;
  readonly #text: TextBuffer;
  /** The key that says what it is. */
  kind = "";
  /** Components are taken one by one where it is known by then which surface they are for. */
  #components: ComponentList | undefined;
  /** Nodes are streamed where it is known by then that they are for this surface. */
  #nodes: NodeStream | undefined;
  /** What is left of the message is not taken: its nodes are broken, or it was refused for what it is. */
  #isSkipped = false;

  constructor(collector: ResultCollector, text: TextBuffer) {
    this.#collector = collector;
    this.#text = text;
  }

  /** Whether its key is one of those of messages. */
  get isKnown(): boolean {
    return MESSAGE_KINDS.includes(this.kind);
  }

  /** Its list, while a component of that has begun and is not complete. */
  get unfinishedList(): ComponentList | undefined {
    return this.#components?.isInComponent ? this.#components : undefined;
  }

  /** How many levels there are on which a key follows a comma: those of the message, and the map of its nodes. */
  get keyedLevels(): number {
    return this.#nodes ? 3 : 2;
  }

  /** Takes a key of it. */
  addKey(key: string): void {
    if (key !== "version" && this.kind === "") this.kind = key;
  }

  /** Sees what stands at a place outside of texts. False for a bracket that is one too much, which ends neither its list nor its map. */
  observe(char: string, offset: number, { depth, indent }: JsonScanner): boolean {
    if (this.#components?.isOpen) return this.#components.observe(char, offset, indent);
    if (!this.#nodes || depth !== 3) return true;
    if (char === ",") this.#nodes.pendingCommas.push(offset);
    return char !== "]";
  }

  /** Goes into its components or its nodes, which begin at a place behind a bracket that follows a key. */
  enterPart(char: string, offset: number, key: string): void {
    const isList = char === "[" && key === "components" && COMPONENT_MESSAGES.includes(this.kind);
    const isMap = char === "{" && key === "nodes" && this.kind === "updateDataModel";
    if (!(isList || isMap) || this.#components || this.#nodes || this.#isSkipped) return;
    const head = this.#text.sliceTo(offset);
    const prefix = head + (isList ? "]}}" : "}}}");
    const surfaceId = surfaceIdOf(prefix, this.kind);
    if (surfaceId === undefined) return;
    const { start } = this.#text;
    const result = this.#collector.surface.receive(prefix);
    // Nodes are streamed with what stands before them, which is told then.
    if (isList || !result.ok) this.#collector.add(result, start);
    this.#isSkipped = !result.ok;
    if (this.#isSkipped) return;
    if (isList) this.#components = new ComponentList(this.#collector, this.#text, surfaceId);
    else this.#nodes = new NodeStream(this.#collector, head, start);
    this.#text.dropBefore(offset);
  }

  /** Takes what has come, up to a place. */
  receiveUntil(offset: number): void {
    this.#components?.receiveUntil(offset);
    this.#receiveNodes(offset);
  }

  /** Takes what is left, up to the end. */
  finish(end: number, isComplete: boolean): void {
    if (this.#nodes || this.#isSkipped) {
      this.#receiveNodes(end);
      this.#nodes?.end();
    } else if (this.#components) {
      this.#components.receiveUntil(end);
      this.#components.receiveRest(end, isComplete);
    } else {
      const text = this.#text.sliceTo(end);
      const { surface } = this.#collector;
      const result = this.kind === "error" ? senderErrorResult(text) : surface.receive(text);
      this.#collector.add(result, this.#text.start);
    }
    this.#text.dropBefore(end);
  }

  /** Takes what has come of the nodes; what is not taken is passed. */
  #receiveNodes(offset: number): void {
    if (!this.#nodes && !this.#isSkipped) return;
    if (this.#nodes?.receive(this.#text.sliceTo(offset), this.#text.start) === false) {
      this.#nodes = undefined;
      this.#isSkipped = true;
    }
    this.#text.dropBefore(offset);
  }
}

/** The surface that a message names in what has come of it, closed as it would be at best. */
function surfaceIdOf(text: string, kind: string): string | undefined {
  try {
    const message = JSON.parse(text) as { [kind: string]: { surfaceId?: unknown } | undefined };
    const id = message[kind]?.surfaceId;
    return typeof id === "string" ? id : undefined;
  } catch {
    // The whole message will tell what is wrong with it.
    return undefined;
  }
}
