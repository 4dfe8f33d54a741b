import { refuse } from "../arguments.js";
import type { Surface } from "../surface.js";
import type { Diagnostic } from "../types.js";
import { EventMarks } from "./events.js";
import { AROUND, brokenBy, HAS_ENDED, nothing, senderFailed, TOLD_WORDS } from "./faults.js";
import { Nodes } from "./nodes.js";

/** What became of a piece. Places are UTF-16 offsets into all that was pushed. */
export interface Received {
  ok: boolean;
  diagnostics: Diagnostic[];
}

/** Messages for a surface, arriving in pieces. */
export interface MessageStream {
  /** Takes the next piece. Bytes are UTF-8, and may be cut anywhere. */
  push(piece: string | Uint8Array): Received;
  /** Takes what is left; a message that is not whole is an error. The surface stays as it is. */
  end(): Received;
}

/** What messages go to: a `Surface` of `byname` or of `byname/ham`. */
export type MessageTarget = Pick<Surface, "receive"> & { store: Pick<Surface["store"], "stream"> };

/**
 * Opens a stream of messages. A component mounts as soon as it is complete, a node of `updateDataModel` shows as soon as
 * it is complete; every other message is taken when it has come to its end, and so is one that does not name its surface first.
 */
export function messageStream(surface: MessageTarget): MessageStream {
  if (typeof surface?.receive !== "function") refuse("messages go to a surface, which comes first");
  const reader = new MessageReader(surface);
  const decoder = new TextDecoder();
  return {
    push(piece) {
      if (typeof piece === "string") return reader.read(piece);
      if (!(piece instanceof Uint8Array)) {
        refuse(
          Array.isArray(piece)
            ? "a piece of messages is text or bytes; `receiveAll` takes a list of messages"
            : "a piece of messages is text or bytes; `surface.receive` takes objects",
        );
      }
      return reader.read(decoder.decode(piece, { stream: true }));
    },
    end: () => reader.end(decoder.decode()),
  };
}

/**
 * How a message begins. Where a line begins so inside of another message, that one was never finished; in a list of messages such a line
 * is set in like the others.
 */
const OPENING =
  /^\{\s*(?:"version"\s*:\s*"[^"]*"\s*,\s*)?"(?:createSurface|updateComponents|updateDataModel|deleteSurface)"\s*:/;
/** How an object begins that is no message. */
const OTHER_KEY = /^\{\s*(?:[^"\s]|"(?!version")[^"]*"\s*:)/;
/** How a component begins. Where a line begins so inside of another component of a list, that one was never finished. */
const COMPONENT = /^\{\s*"id"\s*:\s*"[^"]*"\s*,\s*"component"\s*:/;
const LONGEST_OPENING = 96;
const LONGEST_MARGIN = 16;
/** No key that says something is longer. */
const LONGEST_KEY = 32;

/** The components of the message at hand. */
interface ComponentList {
  /** What makes a message of components that are cut out of the list. */
  head: string;
  /** Where the first component begins that is not taken yet, and where each of those ends that are complete. */
  from: number | undefined;
  ends: number[];
  /** How far they are set in. What is inside of them is set in further. */
  margin: number;
  /** The brackets that are open in the last one. */
  brackets: string[];
  /** Whether more may come. */
  open: boolean;
}

/** Finds the messages of a text by their brackets, and hands the surface what is complete. */
class MessageReader {
  readonly #surface: MessageTarget;
  readonly #marks = new EventMarks();
  /** The message at hand, without what was taken of it; `#base` is its place in the whole text. */
  #text = "";
  #base = 0;
  /** How far it was looked at. */
  #at = 0;
  /** The end of it, which has come last, and where that begins: to look at what is put together puts it together, every time. */
  #fresh = "";
  #freshAt = 0;
  #depth = 0;
  #inString = false;
  /** What stands last outside of texts. */
  #last = "";
  /** The last text on the two upper levels: the key, where a colon or a bracket follows. */
  #key = "";
  #keyStart = 0;
  /** The key of the message that says what it is. */
  #kind = "";
  #list: ComponentList | undefined;
  /** How many objects are open that only hold a list of messages. */
  #lists = 0;
  /** The nodes of the message at hand. */
  #data: Nodes | undefined;
  /** What is left of the message is not taken: its data are broken, or it was refused for what it is. */
  #skipped = false;
  /** How many blanks the line at hand begins with, while there was nothing else; a bracket around all messages is one. */
  #blanks: number | undefined = 0;
  /** How far the messages are set in. What is inside of them is set in further. */
  #margin = 0;
  /** Whether there was a message. */
  #begun = false;
  #saidAround = false;
  /** The first words that are no message. */
  #words = "";
  /** What of them was passed last, and whether they are the thoughts of a model: what is in brackets there is no message. */
  #passed = "";
  #thinks = false;
  #ended = false;
  #reading = false;
  #result: Received = { ok: true, diagnostics: [] };

  constructor(surface: MessageTarget) {
    this.#surface = surface;
  }

  read(piece: string): Received {
    return this.#take(() => {
      this.#add(this.#marks.read(piece));
      this.#scan(false);
      this.#takeComponents();
      this.#takeData(Math.min(this.#at, this.#text.length));
      if (this.#depth === 0) this.#drop(this.#text.length);
    });
  }

  end(rest: string): Received {
    return this.#take(() => {
      this.#add(this.#marks.read(rest) + this.#marks.end());
      this.#scan(true);
      if (this.#depth > 0) this.#finish(this.#text.length, false);
      if (!this.#begun) this.#note({ ok: false, diagnostics: [nothing(this.#words)] }, 0);
      this.#ended = true;
    });
  }

  /** What comes of a task, in which listeners of the surface are called. */
  #take(task: () => void): Received {
    if (this.#ended) return { ok: false, diagnostics: [HAS_ENDED] };
    if (this.#reading) {
      refuse(
        "a stream takes no piece while it takes another: a listener pushes when `push` has returned",
      );
    }
    this.#reading = true;
    try {
      task();
    } finally {
      this.#reading = false;
    }
    const result = this.#result;
    this.#result = { ok: true, diagnostics: [] };
    return result;
  }

  #add(piece: string): void {
    // A key that is not whole yet is kept together.
    const key = this.#inString && this.#isKey() ? this.#keyStart : this.#at;
    const at = Math.min(key, this.#text.length);
    this.#fresh = this.#slice(at, this.#text.length) + piece;
    this.#freshAt = at;
    this.#text += piece;
  }

  /** A part of the message at hand. */
  #slice(from: number, to: number): string {
    const start = this.#freshAt;
    return from >= start ? this.#fresh.slice(from - start, to - start) : this.#text.slice(from, to);
  }

  #scan(last: boolean): void {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const mark = this.#fresh.charAt(this.#at - this.#freshAt);
      if (mark === "\n" && this.#depth > 0 && !this.#startLine(last)) return;
      if (this.#depth === 0) this.#between(mark);
      else if (this.#inString) this.#inside(mark);
      else if (mark === "{" && this.#wantsKey()) {
        if (!this.#startWithin(last)) return;
      } else this.#structure(mark);
      if (mark > " ") this.#last = mark;
      if (mark === "\n") this.#blanks = 0;
      else if (this.#blanks !== undefined) this.#setIn(mark);
    }
  }

  #setIn(mark: string): void {
    const isBlank = mark === " " || mark === "\t" || mark === "[";
    this.#blanks = isBlank ? Math.min((this.#blanks ?? 0) + 1, LONGEST_MARGIN) : undefined;
  }

  /** Ends the message, or the component, that another one follows on the next line. False where more has to come to tell. */
  #startLine(last: boolean): boolean {
    const start = this.#at + 1;
    const list = this.#depth > 3 && this.#list?.open ? this.#list : undefined;
    const margin = Math.max(this.#margin, list?.margin ?? 0);
    const next = this.#slice(start, start + margin + LONGEST_OPENING);
    const line = next.replace(/^[ \t]*/, "");
    const blanks = next.length - line.length;
    if (blanks > margin) return true;
    if (blanks <= this.#margin && OPENING.test(line)) {
      this.#finish(this.#at, false);
      return true;
    }
    if (list && blanks <= list.margin && COMPONENT.test(line) && this.#isUnfinished(list)) {
      let end = this.#at;
      while (/[\s,]/.test(this.#text.charAt(end - 1))) end -= 1;
      list.ends.push(end);
      list.brackets = [];
      this.#depth = 3;
      this.#inString = false;
      return true;
    }
    if (line === "") return last;
    return last || line.length >= LONGEST_OPENING || /^[^{]/.test(line);
  }

  /** Whether a key is due where the text is now, in the message or in the map of its nodes. */
  #wantsKey(): boolean {
    return (
      this.#last === "," && (this.#depth <= 2 || (this.#depth === 3 && this.#data !== undefined))
    );
  }

  /** Takes a bracket in place of a key, which ends the message where it begins another one. False where more has to come to tell. */
  #startWithin(last: boolean): boolean {
    const next = this.#slice(this.#at, this.#at + LONGEST_OPENING);
    if (OPENING.test(next)) {
      this.#finish(this.#at, false);
      this.#between("{");
    } else if (last || next.length >= LONGEST_OPENING || OTHER_KEY.test(next)) {
      this.#structure("{");
    } else {
      return false;
    }
    return true;
  }

  /** Whether no object may begin where the text of a component is now: within a text, or where an object expects a key. */
  #isUnfinished({ brackets }: ComponentList): boolean {
    return this.#inString || (brackets.at(-1) === "{" && this.#last !== ":");
  }

  /** Between two messages: blanks, the marks of a list, or words that are nobody's. */
  #between(mark: string): void {
    this.#passed = (this.#passed + mark).slice(-"</think>".length);
    if (this.#passed.endsWith("<think>")) this.#thinks = true;
    else if (this.#passed === "</think>") this.#thinks = false;
    if (mark === "{" && !this.#thinks) {
      this.#margin = this.#blanks ?? this.#margin;
      this.#drop(this.#at);
      this.#depth = 1;
      this.#begun = true;
    } else if (mark === "}" && this.#lists > 0) {
      this.#lists -= 1;
    } else if (this.#saidAround) {
      if (this.#words.length < TOLD_WORDS) this.#words += mark;
    } else if (!/[\s[\],]/.test(mark)) {
      this.#saidAround = true;
      this.#words = mark;
      const start = this.#base + this.#at;
      const location = { kind: "text", start, end: start + 1 } as const;
      this.#result.diagnostics.push({ ...AROUND, location });
    }
  }

  #inside(mark: string): void {
    if (mark === "\\") {
      this.#at += 1;
    } else if (mark === '"') {
      this.#inString = false;
      if (this.#depth <= 2) this.#key = this.#isKey() ? this.#slice(this.#keyStart, this.#at) : "?";
    }
  }

  /** Whether the text that is open may be a key that says something, and is all there. */
  #isKey(): boolean {
    const isShort = this.#at - this.#keyStart <= LONGEST_KEY;
    return this.#depth <= 2 && isShort && this.#keyStart >= 0;
  }

  #structure(mark: string): void {
    const list = this.#depth === 3 && this.#list?.open ? this.#list : undefined;
    if (list && !/[\s,\]]/.test(mark)) list.from ??= this.#at;
    // A bracket too much in a component ends no list, and one in a node no map.
    if (list && mark === "}") return;
    if (this.#data && this.#depth === 3 && mark === "]") return;
    if (list && mark === "{") list.margin = this.#blanks ?? list.margin;
    if (list && /[,\]]/.test(mark)) list.ends.push(this.#at);
    if (mark === "," && this.#depth === 3) this.#data?.commas.push(this.#base + this.#at);
    if (mark === '"') {
      this.#inString = true;
      this.#keyStart = this.#at + 1;
    } else if (mark === ":" && this.#depth === 1) {
      if (this.#key !== "version" && this.#kind === "") this.#kind = this.#key;
    } else if (mark === "{" || mark === "[") {
      this.#depth += 1;
      this.#list?.brackets.push(mark);
      if (mark === "[" && this.#depth === 2 && this.#kind === "messages") this.#enter();
      if (mark === "[" && this.#depth === 3 && this.#key === "components") this.#openComponents();
      if (mark === "{" && this.#depth === 3 && this.#key === "nodes") this.#openData();
    } else if (mark === "}" || mark === "]") {
      this.#depth -= 1;
      this.#list?.brackets.pop();
      if (this.#depth === 3 && this.#list?.open) this.#list.ends.push(this.#at + 1);
      if (list) list.open = false;
      if (this.#depth === 0) this.#finish(this.#at + 1, true);
    }
  }

  /** Goes into `{"messages": […]}`, which some structured outputs need: what is in it are the messages. */
  #enter(): void {
    this.#lists += 1;
    this.#depth = 0;
    this.#kind = "";
  }

  /** Components are taken one by one where it is known by now which surface they are for. */
  #openComponents(): void {
    if (this.#list || this.#skipped) return;
    if (this.#kind !== "updateComponents" && this.#kind !== "createSurface") return;
    const begun = `${this.#text.slice(0, this.#at + 1)}]}}`;
    const surfaceId = surfaceOf(begun, this.#kind);
    if (surfaceId === undefined) return;
    const result = this.#surface.receive(begun);
    this.#note(result, this.#base);
    if (!result.ok) {
      this.#skipped = true;
      return;
    }
    const head = `{"updateComponents":{"surfaceId":${JSON.stringify(surfaceId)},"components":[`;
    this.#list = {
      head,
      from: undefined,
      ends: [],
      margin: -1,
      brackets: [],
      open: true,
    };
    this.#drop(this.#at + 1);
  }

  /** Nodes are streamed where it is known by now that they are for this surface. */
  #openData(): void {
    if (this.#kind !== "updateDataModel" || this.#data || this.#skipped) return;
    const begun = `${this.#text.slice(0, this.#at + 1)}}}}`;
    if (surfaceOf(begun, this.#kind) === undefined) return;
    const result = this.#surface.receive(begun);
    if (!result.ok) {
      this.#note(result, this.#base);
      this.#skipped = true;
      return;
    }
    const note = (received: Received, from: number) => this.#note(received, from);
    const head = this.#text.slice(0, this.#at + 1);
    this.#data = new Nodes(this.#surface.store, note, head, this.#base);
    this.#drop(this.#at + 1);
  }

  #takeComponents(): void {
    const list = this.#list;
    const to = list?.ends.at(-1);
    if (list?.from === undefined || to === undefined || to <= list.from) return;
    const all = this.#describe(list, list.from, to);
    // One that is broken takes no other with it.
    if (brokenBy(all) && list.ends.length > 1) {
      let from = list.from;
      for (const end of list.ends) {
        from += /^[\s,]*/.exec(this.#text.slice(from, end))?.[0].length ?? 0;
        if (from < end)
          this.#note(this.#describe(list, from, end), this.#base + from - list.head.length);
        from = end;
      }
    } else {
      this.#note(all, this.#base + list.from - list.head.length);
    }
    this.#drop(to);
    // The next component may have begun already.
    const begun = this.#text.slice(0, this.#at).search(/[^\s,]/);
    list.from = list.open && begun >= 0 ? begun : undefined;
    list.ends = [];
  }

  /** Hands the surface what stands between two places of a list. */
  #describe({ head }: ComponentList, from: number, to: number): Received {
    return this.#surface.receive(`${head}${this.#text.slice(from, to)}]}}`);
  }

  /** Takes what has come of the nodes, up to a place of the text. */
  #takeData(end: number): void {
    const data = this.#data;
    if (data && !data.take(this.#text.slice(0, end), this.#base)) {
      this.#data = undefined;
      this.#skipped = true;
    }
    if (data || this.#skipped) this.#drop(end);
  }

  /** Takes what is left of the message at hand, which ends at a place of the text. */
  #finish(end: number, whole: boolean): void {
    const next = this.#base + end;
    if (this.#data || this.#skipped) {
      this.#takeData(end);
      this.#data?.end();
    } else {
      this.#takeComponents();
      this.#takeRest(next - this.#base, whole);
    }
    this.#drop(next - this.#base);
    this.#depth = 0;
    this.#inString = false;
    this.#kind = "";
    this.#list = undefined;
    this.#data = undefined;
    this.#skipped = false;
  }

  /** The whole message, or what is left of it behind its components. */
  #takeRest(end: number, whole: boolean): void {
    const text = this.#text.slice(0, end);
    if (!this.#list) {
      const answer = this.#kind === "error" ? senderFailed(text) : this.#surface.receive(text);
      this.#note(answer, this.#base);
    } else if (!whole || !/^\s*\]\s*\}\s*\}$/.test(text)) {
      const comma = /^\s*,?/.exec(text)?.[0].length ?? 0;
      // A bracket of another kind is wrong behind a component, not in place of one.
      const before = /^\s*\}/.test(text) ? "0" : "";
      const head = this.#list.head + before;
      const result = this.#surface.receive(head + text.slice(comma));
      this.#note(result, this.#base + comma - head.length);
    }
  }

  /** Forgets the text before a place. */
  #drop(end: number): void {
    this.#text = this.#text.slice(end);
    this.#base += end;
    this.#at -= end;
    this.#freshAt -= end;
    this.#keyStart -= end;
  }

  /** Keeps what came of a part of the text that begins at a place of the whole. */
  #note({ ok, diagnostics }: Received, from: number): void {
    this.#result.ok &&= ok;
    for (const diagnostic of diagnostics) {
      const { location } = diagnostic;
      if (location?.kind !== "text") {
        this.#result.diagnostics.push(diagnostic);
        continue;
      }
      const start = Math.max(0, location.start + from);
      const end = Math.max(start, location.end + from);
      this.#result.diagnostics.push({ ...diagnostic, location: { kind: "text", start, end } });
    }
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
