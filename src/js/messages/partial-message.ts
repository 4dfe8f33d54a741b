import { isJsonObject, textOf } from "../json-value.js";
import { ComponentList } from "./component-list.js";
import { senderErrorResult } from "./diagnostics.js";
import { COMPONENT_MESSAGES, MESSAGE_KEYS, updateKindOf } from "./frames/frame.js";
import { isFrameKey } from "./frames/read-frame.js";
import type { JsonScanner } from "./json-scanner.js";
import { NodeStream } from "./node-stream.js";
import { closeInString, endsWithLongText } from "./partial-text.js";
import { receiveRepaired } from "./repair.js";
import type { ResultCollector } from "./result-collector.js";
import type { TextBuffer } from "./text-buffer.js";
import type { MessageTarget, NodeStore } from "./types.js";

/** Keys of messages; `error` is how model servers report errors. */
const MESSAGE_KINDS = [...MESSAGE_KEYS, "error"];

/**
 * Message while it is streamed. Components and nodes are received one by one, any other message at
 * its end.
 */
export class PartialMessage {
  readonly #collector: ResultCollector;
  readonly #text: TextBuffer;
  /** Key with the type of the message. */
  kind = "";
  /** Components, received one by one if their surface is known before. */
  #components: ComponentList | undefined;
  /** Start offset of a message whose components are received one by one. */
  #start: number | undefined;
  /** Nodes, streamed if their surface is known before. */
  #nodes: NodeStream | undefined;
  /** Whether the rest of the message is skipped, because it was rejected. */
  #isSkipped = false;

  constructor(collector: ResultCollector, text: TextBuffer) {
    this.#collector = collector;
    this.#text = text;
  }

  /** Whether the key is one of a message. */
  get isKnown(): boolean {
    return MESSAGE_KINDS.includes(this.kind);
  }

  /** Whether the object is a frame of a transport, whose lists are not read one by one. */
  get isFrame(): boolean {
    return isFrameKey(this.kind);
  }

  /** List of components, if its last one is incomplete. */
  get unfinishedList(): ComponentList | undefined {
    return this.#components?.isInComponent ? this.#components : undefined;
  }

  /**
   * Number of levels on which a key follows a comma: those of the message, and the map of its
   * nodes.
   */
  get keyedLevels(): number {
    if (this.isFrame) return 0;
    return this.#nodes ? 3 : 2;
  }

  /** Sets the type from the first key other than `version`. */
  addKey(key: string): void {
    if (key !== "version" && this.kind === "") this.kind = key;
  }

  /**
   * Reads a character outside of strings. Returns false for an unmatched bracket, which ends
   * neither list nor map.
   */
  observeCharacter(char: string, offset: number, { depth, indent }: JsonScanner): boolean {
    if (this.#components?.isOpen) return this.#components.observeCharacter(char, offset, indent);
    if (!this.#nodes || depth !== 3) return true;
    if (char === ",") this.#nodes.pendingCommas.push(offset);
    return char !== "]";
  }

  /**
   * Enters the components or the nodes, which begin at an offset after a bracket that follows a
   * key.
   */
  enterPart(char: string, offset: number, key: string): void {
    const isList = char === "[" && key === "components" && COMPONENT_MESSAGES.includes(this.kind);
    const isMap = char === "{" && key === "nodes" && this.kind === "updateDataModel";
    if (!(isList || isMap) || this.#components || this.#nodes || this.#isSkipped) return;
    const head = this.#text.sliceTo(offset);
    const prefix = head + (isList ? "]}}" : "}}}");
    const surfaceId = surfaceIdOf(prefix, this.kind);
    if (surfaceId === undefined) return;
    const { start } = this.#text;
    const target = this.#collector.surface;
    // Whether the message resets the surface is known at its end.
    if (this.kind === "createSurface" && target.hasComponent?.("root", surfaceId)) return;
    const result = target.receive(prefix);
    // Nodes are streamed with their head, whose result is reported then.
    if (isList || !result.ok) this.#collector.add(result, start);
    this.#isSkipped = !result.ok;
    if (this.#isSkipped) return;
    if (isList) {
      const kind = updateKindOf(this.kind);
      this.#components = new ComponentList(this.#collector, this.#text, kind, surfaceId);
      this.#start = start;
    } else {
      const store = storeOf(target, surfaceId);
      // Without a store the message is received at its end.
      if (store === undefined) return;
      this.#nodes = new NodeStream(this.#collector, store, head, start);
    }
    this.#text.dropBefore(offset);
  }

  /** Receives the text up to an offset. */
  receiveUntil(offset: number): void {
    if (this.#components) this.limitLength(offset);
    this.#components?.receiveUntil(offset);
    this.#receiveNodes(offset);
  }

  /** Skips the rest of a message that is too large. The store limits the length of nodes. */
  limitLength(offset: number): void {
    const start = this.#start ?? this.#text.start;
    if (this.#isSkipped || offset - start <= this.#collector.maxLength) return;
    this.#collector.reportTooLarge(start);
    this.#isSkipped = true;
    this.#components = undefined;
    this.#text.dropBefore(offset);
  }

  /** Displays the text of the last component, or the last text value, which ends later. */
  showPartialText(offset: number): void {
    const { frameLimit } = this.#collector;
    if (frameLimit === undefined || this.#isSkipped || this.#nodes) return;
    const components = this.#components;
    if (components) frameLimit.run(() => components.showPartialText(offset));
    else if (this.kind === "updateDataModel") frameLimit.run(() => this.#showPartialValue(offset));
  }

  #showPartialValue(offset: number): void {
    const { surface } = this.#collector;
    const closed = closeInString(this.#text.sliceTo(offset), "}}");
    const body = closed?.value["updateDataModel"];
    if (closed === undefined || !isJsonObject(body) || Object.keys(body).at(-1) !== "value") return;
    const { surfaceId, path, value } = body;
    if (typeof path !== "string" || !endsWithLongText(body)) return;
    // A text that is sent again stays as it is, as after a reconnection.
    if (surface.repeatsText?.(textOf(surfaceId), path, textOf(value))) return;
    // The complete message reports its diagnostics.
    surface.receive(closed.json);
  }

  /** Receives the rest up to the end. */
  finish(end: number, isComplete: boolean): void {
    if (this.#components) this.limitLength(end);
    if (this.#nodes || this.#isSkipped) {
      this.#receiveNodes(end);
      this.#nodes?.end();
    } else if (this.#components) {
      this.#components.receiveUntil(end);
      this.#components.receiveRest(end, isComplete);
    } else {
      const text = this.#text.sliceTo(end);
      const { maxLength } = this.#collector;
      if (text.length > maxLength) this.#collector.reportTooLarge(this.#text.start);
      else if (this.isKnown || !isComplete || !this.#receiveFrame(text)) {
        const { surface } = this.#collector;
        const isError = this.kind === "error";
        const result = isError ? senderErrorResult(text) : receiveRepaired(surface, text);
        this.#collector.add(result, this.#text.start);
      }
    }
    this.#text.dropBefore(end);
  }

  /** Receives a frame of a transport. Returns false for any other object and for invalid JSON. */
  #receiveFrame(text: string): boolean {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return false;
    }
    return this.#collector.receiveFrame(value, this.#text.start);
  }

  /** Receives the nodes that have arrived, or skips them. */
  #receiveNodes(offset: number): void {
    if (!this.#nodes && !this.#isSkipped) return;
    if (this.#nodes?.receive(this.#text.sliceTo(offset), this.#text.start) === false) {
      this.#nodes = undefined;
      this.#isSkipped = true;
    }
    this.#text.dropBefore(offset);
  }
}

/** Returns the store of a surface, or undefined if the target has none for it. */
function storeOf(target: MessageTarget, surfaceId: string): NodeStore | undefined {
  return target.storeOf ? target.storeOf(surfaceId) : target.store;
}

/** Returns the surface id in the beginning of a message, which is closed for parsing. */
function surfaceIdOf(text: string, kind: string): string | undefined {
  try {
    const message = JSON.parse(text) as { [kind: string]: { surfaceId?: unknown } | undefined };
    const id = message[kind]?.surfaceId;
    return typeof id === "string" ? id : undefined;
  } catch {
    // The complete message will report the error.
    return undefined;
  }
}
