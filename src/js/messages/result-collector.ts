import { maxTextLengthOf, tooLargeDiagnostic } from "../message-limit.js";
import {
  ignoredPartDiagnostic,
  ignoredTextDiagnostic,
  messageTextDiagnostic,
  senderErrorResult,
} from "./diagnostics.js";
import { Activities } from "./frames/activities.js";
import type { Frame } from "./frames/frame.js";
import { readFrame, readTransport } from "./frames/read-frame.js";
import { MergedResult } from "./merged-result.js";
import { FrameLimit } from "./partial-text.js";
import type { MessageStreamOptions, MessageTarget, Received } from "./types.js";

/** Key of a message of a surface, as JSON. */
const MESSAGE_KEY =
  /"(?:createSurface|updateComponents|updateDataModel|beginRendering|surfaceUpdate|dataModelUpdate)"\s*:\s*\{/;
/** Maximum length of the part of a key that is kept for the next text. */
const MAX_KEY_LENGTH = 40;

/** Surface with the merged results of its messages. */
export class ResultCollector {
  readonly surface: MessageTarget;
  /** Maximum length of a message, of a frame and of the data of an event. */
  readonly maxLength: number;
  /** Called with texts that are not messages. */
  readonly onText: ((text: string) => void) | undefined;
  /** Limits how often incomplete components are displayed; undefined if they are not. */
  readonly frameLimit: FrameLimit | undefined;
  #result = new MergedResult();
  readonly #activities = new Activities();
  /** Number of texts in frames without a listener. */
  #ignoredTexts = 0;
  /** Number of parts of frames that are neither messages nor texts for the user. */
  #ignoredParts = 0;
  /** End of the texts of frames, in which the key of a message may begin. */
  #textTail = "";
  #hasMessageText = false;
  /** Whether a frame of a transport or a text for a listener has arrived. */
  hasContent = false;

  constructor(surface: MessageTarget, { onText, partialText }: MessageStreamOptions = {}) {
    this.surface = surface;
    this.maxLength = maxTextLengthOf(surface);
    this.onText = onText;
    this.frameLimit = partialText === true ? new FrameLimit() : undefined;
  }

  /**
   * Receives a frame of a transport, or a list of messages in an object. Returns false for a
   * message and for any other value.
   */
  receiveFrame(value: unknown, offset: number): boolean {
    return this.#receiveIf(readFrame(value, this.#activities), offset);
  }

  /** Receives a frame of a transport. Returns false for a list of messages too. */
  receiveTransport(value: unknown, offset: number): boolean {
    return this.#receiveIf(readTransport(value, this.#activities), offset);
  }

  #receiveIf(frame: Frame | undefined, offset: number): boolean {
    if (frame === undefined) return false;
    this.#receiveContent(frame, offset);
    return true;
  }

  /** Passes a text to the listener; without one the text is counted. */
  receiveText(text: string): void {
    this.hasContent = true;
    if (this.onText === undefined) this.#ignoredTexts += 1;
    else this.onText(text);
  }

  /** Reports that a text from an offset is larger than a message may be. */
  reportTooLarge(offset: number): void {
    this.add({ ok: false, diagnostics: [tooLargeDiagnostic(this.maxLength)] }, offset);
  }

  /** Reports the number of texts without a listener, and of parts without a message. */
  reportIgnored(): void {
    const diagnostics = [
      ...(this.#ignoredTexts === 0 ? [] : [ignoredTextDiagnostic(this.#ignoredTexts)]),
      ...(this.#ignoredParts === 0 ? [] : [ignoredPartDiagnostic(this.#ignoredParts)]),
    ];
    this.#ignoredTexts = 0;
    this.#ignoredParts = 0;
    if (diagnostics.length > 0) this.add({ ok: true, diagnostics }, 0);
  }

  #receiveContent({ messages, texts, errors, ignored }: Frame, offset: number): void {
    this.hasContent = true;
    this.#ignoredParts += ignored;
    for (const error of errors) this.add(senderErrorResult(error), offset);
    for (const message of messages) this.add(this.surface.receive(message), offset);
    for (const text of texts) {
      this.#findMessages(text);
      this.receiveText(text);
    }
  }

  /** Reports once that the texts of frames, which may be parts of one, contain messages. */
  #findMessages(text: string): void {
    if (this.#hasMessageText) return;
    const joined = this.#textTail + text;
    this.#textTail = joined.slice(-MAX_KEY_LENGTH);
    if (!MESSAGE_KEY.test(joined)) return;
    this.#hasMessageText = true;
    this.add({ ok: true, diagnostics: [messageTextDiagnostic()] }, 0);
  }

  /** Adds a result whose part begins at an offset in the complete text. */
  add({ ok, diagnostics }: Received, offset: number): void {
    const placed = diagnostics.map((diagnostic) => {
      const { location } = diagnostic;
      if (location?.kind !== "text") return diagnostic;
      const start = Math.max(0, location.start + offset);
      const end = Math.max(start, location.end + offset);
      return { ...diagnostic, location: { kind: "text" as const, start, end } };
    });
    this.#result.add({ ok, diagnostics: placed });
  }

  /** Returns the merged result and starts a new one. */
  takeResult(): Received {
    const { result } = this.#result;
    this.#result = new MergedResult();
    return result;
  }
}
