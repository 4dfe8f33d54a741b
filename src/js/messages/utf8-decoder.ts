/** Decoder of UTF-8 in chunks. Calls `onInvalid` for invalid bytes and replaces them by U+FFFD. */
export class Utf8Decoder {
  readonly #onInvalid: () => void;
  #decoder = createFatalDecoder();
  /** Whether the last chunk was bytes and may have ended inside a character. */
  #mayBeCut = false;

  constructor(onInvalid: () => void) {
    this.#onInvalid = onInvalid;
  }

  /** Decodes a chunk; text is unchanged. */
  decode(chunk: string | Uint8Array<ArrayBuffer>): string {
    if (typeof chunk === "string") return this.#mayBeCut ? this.end() + chunk : chunk;
    this.#mayBeCut = true;
    return this.#decode(chunk, { stream: true });
  }

  /** Returns the rest if the bytes end inside a character. */
  end(): string {
    this.#mayBeCut = false;
    return this.#decode(new Uint8Array(), {});
  }

  #decode(bytes: Uint8Array<ArrayBuffer>, options: TextDecodeOptions): string {
    try {
      return this.#decoder.decode(bytes, options);
    } catch {
      this.#onInvalid();
      this.#decoder = createFatalDecoder();
      return new TextDecoder().decode(bytes) || "\ufffd";
    }
  }
}

function createFatalDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { fatal: true });
}
