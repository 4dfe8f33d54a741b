import { ComponentList } from "./component-list.js";
import { senderFailed } from "./diagnostics.js";
import type { Structure } from "./json-scanner.js";
import { Nodes } from "./node-stream.js";
import type { Recipient } from "./result-collector.js";
import type { Pending } from "./text-buffer.js";

/** What holds a list of components. */
const LISTING = ["updateComponents", "createSurface"];
/** What a message can be; the last is how servers of models say that they failed. */
const KINDS = [...LISTING, "updateDataModel", "deleteSurface", "error"];

/** One message as it comes. Its components and its nodes are taken one by one, any other message at its end. */
export class ComingMessage {
  readonly #recipient: Recipient;
  readonly #text: Pending;
  /** The key that says what it is. */
  kind = "";
  /** Components are taken one by one where it is known by then which surface they are for. */
  #components: ComponentList | undefined;
  /** Nodes are streamed where it is known by then that they are for this surface. */
  #nodes: Nodes | undefined;
  /** What is left of the message is not taken: its nodes are broken, or it was refused for what it is. */
  #skipped = false;

  constructor(recipient: Recipient, text: Pending) {
    this.#recipient = recipient;
    this.#text = text;
  }

  /** Whether its key is one of those of messages. */
  get isKnown(): boolean {
    return KINDS.includes(this.kind);
  }

  /** Its list, while a component of that has begun and is not complete. */
  get unfinished(): ComponentList | undefined {
    return this.#components?.isWithin ? this.#components : undefined;
  }

  /** How many levels there are on which a key follows a comma: those of the message, and the map of its nodes. */
  get keyedLevels(): number {
    return this.#nodes ? 3 : 2;
  }

  /** Takes a key of it. */
  name(key: string): void {
    if (key !== "version" && this.kind === "") this.kind = key;
  }

  /** Sees what stands at a place outside of texts. False for a bracket that is one too much, which ends neither its list nor its map. */
  see(mark: string, place: number, { depth, blanks }: Structure): boolean {
    if (this.#components?.isOpen) return this.#components.see(mark, place, blanks);
    if (!this.#nodes || depth !== 3) return true;
    if (mark === ",") this.#nodes.commas.push(place);
    return mark !== "]";
  }

  /** Goes into its components or its nodes, which begin at a place behind a bracket that follows a key. */
  open(mark: string, place: number, key: string): void {
    const isList = mark === "[" && key === "components" && LISTING.includes(this.kind);
    const isMap = mark === "{" && key === "nodes" && this.kind === "updateDataModel";
    if (!(isList || isMap) || this.#components || this.#nodes || this.#skipped) return;
    const head = this.#text.until(place);
    const begun = head + (isList ? "]}}" : "}}}");
    const surfaceId = surfaceOf(begun, this.kind);
    if (surfaceId === undefined) return;
    const { start } = this.#text;
    const result = this.#recipient.surface.receive(begun);
    // Nodes are streamed with what stands before them, which is told then.
    if (isList || !result.ok) this.#recipient.note(result, start);
    this.#skipped = !result.ok;
    if (this.#skipped) return;
    if (isList) this.#components = new ComponentList(this.#recipient, this.#text, surfaceId);
    else this.#nodes = new Nodes(this.#recipient, head, start);
    this.#text.drop(place);
  }

  /** Takes what has come, up to a place. */
  take(place: number): void {
    this.#components?.take(place);
    this.#takeNodes(place);
  }

  /** Takes what is left, up to the end. */
  finish(end: number, whole: boolean): void {
    if (this.#nodes || this.#skipped) {
      this.#takeNodes(end);
      this.#nodes?.end();
    } else if (this.#components) {
      this.#components.take(end);
      this.#components.takeRest(end, whole);
    } else {
      const text = this.#text.until(end);
      const { surface } = this.#recipient;
      const result = this.kind === "error" ? senderFailed(text) : surface.receive(text);
      this.#recipient.note(result, this.#text.start);
    }
    this.#text.drop(end);
  }

  /** Takes what has come of the nodes; what is not taken is passed. */
  #takeNodes(place: number): void {
    if (!this.#nodes && !this.#skipped) return;
    if (this.#nodes?.take(this.#text.until(place), this.#text.start) === false) {
      this.#nodes = undefined;
      this.#skipped = true;
    }
    this.#text.drop(place);
  }
}

/** The surface that a message names in what has come of it, closed as it would be at best. */
function surfaceOf(text: string, kind: string): string | undefined {
  try {
    const message = JSON.parse(text) as { [kind: string]: { surfaceId?: unknown } | undefined };
    const id = message[kind]?.surfaceId;
    return typeof id === "string" ? id : undefined;
  } catch {
    // The whole message will tell what is wrong with it.
    return undefined;
  }
}
