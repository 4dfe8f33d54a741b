import { asBytes, assertOptions, throwExpected } from "./arguments.js";
import type { Core, PendingReads } from "./core.js";
import { cancelCleanup, closeOnCollect } from "./finalizer.js";
import { loneSurrogateDiagnostic } from "./json-text.js";
import type { ApplyResult } from "./types.js";
import type { Diagnostic } from "./wire.js";

/** Stream of one document in chunks. Complete nodes are visible at once. */
export interface HamStream {
  push(chunk: string | Uint8Array): ApplyResult;
  end(): ApplyResult;
  /** Closes the stream. Complete nodes stay. */
  [Symbol.dispose](): void;
}

export interface StreamOptions {
  /**
   * Applies texts of more than 32 bytes while they arrive, in nodes that are texts and in
   * properties of nodes that are maps.
   */
  partialText?: boolean;
}

/** Returns whether a chunk ends with a high surrogate, whose low surrogate may follow. */
function endsInHighSurrogate(chunk: string | Uint8Array): boolean {
  if (typeof chunk !== "string") return false;
  const unit = chunk.charCodeAt(chunk.length - 1);
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Id of a closed stream; no open stream has it. */
const ENDED_STREAM_ID = 0xffffffff;

/** Maximum length of pending chunks. Longer chunks are read at once. */
const MAX_PENDING_LENGTH = 1 << 14;

export function openStream(core: Core, options: StreamOptions): HamStream {
  assertOptions(options, ["partialText"], "the options of a stream");
  return new Stream(core, options.partialText === true);
}

let readChunks: (
  stream: Stream,
  all: string | Uint8Array,
  ends: readonly number[],
) => (index: number) => ApplyResult;

class Stream implements HamStream {
  readonly #core: Core;
  readonly #showsPartialText: boolean;
  #id: number;
  #highSurrogate = "";
  /** Last chunks, which may still be pending. */
  #pending: PendingChunks | undefined;
  /** Copy of pending bytes, because the caller may reuse its buffer. */
  #buffer: Uint8Array | undefined;

  constructor(core: Core, showsPartialText: boolean) {
    this.#core = core;
    this.#showsPartialText = showsPartialText;
    const id = core.handle.stream_open(showsPartialText);
    this.#id = id;
    closeOnCollect(this, core, (living) => living.closeStream(id));
  }

  push(chunk: string | Uint8Array): ApplyResult {
    let input: string | Uint8Array = chunk;
    // Pending chunks may end the stream, which clears the high surrogate.
    if (this.#highSurrogate || endsInHighSurrogate(input)) this.#core.readPending();
    if (typeof input === "string") {
      if (this.#highSurrogate) input = this.#highSurrogate + input;
      this.#highSurrogate = "";
      if (endsInHighSurrogate(input)) {
        this.#highSurrogate = input.slice(-1);
        input = input.slice(0, -1);
      }
    } else if (this.#highSurrogate) {
      // Bytes cannot contain the missing low surrogate.
      return this.#fail(loneSurrogateDiagnostic(0));
    }
    const content = typeof input === "string" ? input : asBytes(input);
    if (content === undefined) throwExpected("a chunk", "text or bytes", input);
    // Without listeners the time of reading is not observable.
    return this.#canDefer(content) ? this.#pushLater(content) : this.#pushNow(content);
  }

  #canDefer({ length }: string | Uint8Array): boolean {
    const { bridge, hasNoListeners } = this.#core;
    return (
      hasNoListeners &&
      !this.#showsPartialText &&
      this.#id !== ENDED_STREAM_ID &&
      length < MAX_PENDING_LENGTH &&
      length <= bridge.maxBytes
    );
  }

  #pushLater(chunk: string | Uint8Array): ApplyResult {
    let pending = this.#pending;
    if (pending === undefined || !pending.canAdd(chunk) || !this.#core.isPending(pending)) {
      const isText = typeof chunk === "string";
      // The previous pending chunks have been read before the buffer is reused.
      if (!isText) this.#buffer ??= new Uint8Array(MAX_PENDING_LENGTH);
      pending = new PendingChunks(this.#core, this, isText ? undefined : this.#buffer);
      this.#core.deferReads(pending);
      this.#pending = pending;
    }
    return pending.add(chunk);
  }

  #pushNow(chunk: unknown): ApplyResult {
    const core = this.#core;
    const { handleForUpdate, bridge } = core;
    const error = core.write(chunk);
    if (error !== undefined) return this.#fail(error);
    const revision = handleForUpdate.stream_push(this.#id, bridge.length, bridge.encoding);
    const result = core.finishUpdate(revision, bridge.text);
    if (!result.ok) this.#close();
    return result;
  }

  /**
   * Ends the stream with the error of an invalid chunk, whose offsets are relative to the chunk.
   */
  #fail(error: Diagnostic): ApplyResult {
    // A closed stream reports only that it is closed.
    if (this.#id === ENDED_STREAM_ID) return this.#pushNow("");
    const begin = this.#core.handle.stream_length(this.#id);
    const { start, end } = error.location as { start: number; end: number };
    this.#close();
    const location = { kind: "text", start: begin + start, end: begin + end } as const;
    return { ok: false, diagnostics: [{ ...error, location }] };
  }

  static {
    readChunks = (stream, all, ends) => stream.#read(all, ends);
  }

  /** Reads pending chunks. Returns a function from the index of a chunk to its result. */
  #read(content: string | Uint8Array, ends: readonly number[]): (index: number) => ApplyResult {
    const core = this.#core;
    const { handle, bridge } = core;
    const endsOffset = bridge.writeChunks(content, ends);
    if (endsOffset === undefined) {
      // A chunk contains a lone surrogate.
      const results = ends.map((end, index) =>
        this.#pushNow(content.slice(ends[index - 1] ?? 0, end)),
      );
      return (index) => results[index] as ApplyResult;
    }
    const { length, encoding } = bridge;
    const count = ends.length;
    const owners = handle.stream_push_all(this.#id, length, endsOffset, count, encoding);
    const revisions = bridge.wordsAtOffset(endsOffset, count);
    const found = owners && (bridge.lastDiagnostics() ?? []);
    core.notify(undefined);
    if (found === undefined) return (index) => core.toResult(revisions[index] as number, undefined);
    if (revisions.includes(0)) this.#close();
    return (index) => {
      const ownDiagnostics = found.filter((_, at) => owners?.[at] === index);
      return core.toResult(revisions[index] as number, ownDiagnostics);
    };
  }

  end(): ApplyResult {
    this.#core.readPending();
    if (this.#highSurrogate) return this.#fail(loneSurrogateDiagnostic(0));
    const revision = this.#core.handleForUpdate.stream_end(this.#id);
    const result = this.#core.finishUpdate(revision, undefined);
    this.#close();
    return result;
  }

  [Symbol.dispose](): void {
    this.#core.readPending();
    this.#close();
  }

  #close(): void {
    cancelCleanup(this);
    this.#core.closeStream(this.#id);
    this.#id = ENDED_STREAM_ID;
    this.#highSurrogate = "";
  }
}

/**
 * Pending chunks, either all text or all bytes. They are read together when the store or one of
 * their results is used; each is still a separate update.
 */
class PendingChunks implements PendingReads {
  readonly #core: Core;
  #stream: Stream | undefined;
  #text = "";
  /** Buffer for bytes. */
  readonly #buffer: Uint8Array | undefined;
  /** End of each chunk, in code units or bytes. */
  #ends: number[] = [];
  #length = 0;
  #result: ((index: number) => ApplyResult) | undefined;

  constructor(core: Core, stream: Stream, buffer: Uint8Array | undefined) {
    this.#core = core;
    this.#stream = stream;
    this.#buffer = buffer;
  }

  canAdd(chunk: string | Uint8Array): boolean {
    const isAlike = (typeof chunk === "string") === (this.#buffer === undefined);
    return (
      isAlike &&
      this.#length + chunk.length <= MAX_PENDING_LENGTH &&
      this.#ends.length < MAX_PENDING_LENGTH
    );
  }

  add(chunk: string | Uint8Array): ApplyResult {
    if (typeof chunk === "string") this.#text += chunk;
    else this.#buffer?.set(chunk, this.#length);
    this.#length += chunk.length;
    const index = this.#ends.push(this.#length) - 1;
    return new DeferredResult(this, index) as unknown as ApplyResult;
  }

  read(): void {
    const stream = this.#stream as Stream;
    this.#stream = undefined;
    const bytes = this.#buffer?.subarray(0, this.#length);
    try {
      this.#result = readChunks(stream, bytes ?? this.#text, this.#ends);
    } catch (error) {
      // Each result throws it, because the chunks are not read again.
      this.#result = () => {
        throw error;
      };
      throw error;
    }
    this.#text = "";
    this.#ends = [];
  }

  result(index: number): ApplyResult {
    if (this.#result === undefined) this.#core.readPending();
    return (this.#result as (index: number) => ApplyResult)(index);
  }
}

/** Result of a pending chunk, read on first access. It serialises as that result. */
class DeferredResult {
  /** Chunks to read, then the result. */
  #source: PendingChunks | ApplyResult;
  readonly #index: number;

  constructor(pending: PendingChunks, index: number) {
    this.#source = pending;
    this.#index = index;
  }

  static {
    for (const name of ["ok", "diagnostics", "changed", "deleted", "inverse"]) {
      Object.defineProperty(DeferredResult.prototype, name, {
        get(this: DeferredResult): unknown {
          return Reflect.get(this.#result, name);
        },
      });
    }
  }

  get #result(): ApplyResult {
    if (this.#source instanceof PendingChunks) this.#source = this.#source.result(this.#index);
    return this.#source;
  }

  toJSON(): object {
    return this.#result.ok ? this.#result.toJSON() : this.#result;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): object {
    return this.#result;
  }
}
