import { bytesOf, named, refuse } from "./arguments.js";
import type { Core, Waiting } from "./core.js";
import { closedByHand, closeWhenDropped } from "./finalizer.js";
import { surrogateFault } from "./json-text.js";
import type { ApplyResult } from "./types.js";
import type { Diagnostic } from "./wire.js";

/** One document arriving in pieces; complete nodes are visible at once. */
export interface HamStream {
  push(chunk: string | Uint8Array): ApplyResult;
  end(): ApplyResult;
  /** Ends the stream where it stands: what is complete stays. */
  [Symbol.dispose](): void;
}

/** Whether a text ends in the first half of a pair, which waits for the second. */
function endsInHalf(chunk: string | Uint8Array): boolean {
  if (typeof chunk !== "string") return false;
  const unit = chunk.charCodeAt(chunk.length - 1);
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** No stream has this number: whatever it is told, it has ended. */
const ENDED = 0xffffffff;

/** Longer chunks are read at once, and no more than so much waits. */
const MOST = 1 << 14;

/** Opens a stream of a store. */
export function openStream(core: Core): HamStream {
  return new Stream(core);
}

let readPieces: (
  stream: Stream,
  all: string | Uint8Array,
  ends: readonly number[],
) => (nth: number) => ApplyResult;

class Stream implements HamStream {
  readonly #core: Core;
  #number: number;
  #half = "";
  /** The pieces that came last and may still wait. */
  #pieces: Pieces | undefined;
  /** Holds a copy of bytes that wait: the caller may write over his. */
  #room: Uint8Array | undefined;

  constructor(core: Core) {
    this.#core = core;
    const number = core.handle.stream_open();
    this.#number = number;
    closeWhenDropped(this, core, (living) => living.closeStream(number));
  }

  push(chunk: string | Uint8Array): ApplyResult {
    let piece: string | Uint8Array = chunk;
    // What waits may hold what ends the stream, and then there is no half.
    if (this.#half || endsInHalf(piece)) this.#core.readWaiting();
    if (typeof piece === "string") {
      if (this.#half) piece = this.#half + piece;
      this.#half = "";
      if (endsInHalf(piece)) {
        this.#half = piece.slice(-1);
        piece = piece.slice(0, -1);
      }
    } else if (this.#half) {
      // The second half of a pair did not come, and bytes cannot bring it.
      return this.#refuse(surrogateFault(0));
    }
    const given = typeof piece === "string" ? piece : bytesOf(piece);
    if (given === undefined) refuse(`a chunk is text or bytes, not ${named(piece)}`);
    // Nobody sees when it is read, unless somebody is told of it or looks.
    return this.#canWait(given) ? this.#pushLater(given) : this.#pushNow(given);
  }

  #canWait({ length }: string | Uint8Array): boolean {
    const { bridge, isUnheard } = this.#core;
    return isUnheard && this.#number !== ENDED && length < MOST && length <= bridge.largest;
  }

  #pushLater(piece: string | Uint8Array): ApplyResult {
    let pieces = this.#pieces;
    if (pieces === undefined || !pieces.canTake(piece) || !this.#core.isWaiting(pieces)) {
      const isText = typeof piece === "string";
      // What waited before has been read when the room is written into again.
      if (!isText) this.#room ??= new Uint8Array(MOST);
      pieces = new Pieces(this.#core, this, isText ? undefined : this.#room);
      this.#core.waitFor(pieces);
      this.#pieces = pieces;
    }
    return pieces.add(piece);
  }

  #pushNow(chunk: unknown): ApplyResult {
    const core = this.#core;
    const { changing, bridge } = core;
    const fault = core.write(chunk);
    if (fault !== undefined) return this.#refuse(fault);
    const revision = changing.stream_push(this.#number, bridge.length, bridge.held);
    const result = core.settle(revision, bridge.text);
    if (!result.ok) this.#close();
    return result;
  }

  /** Ends with a piece that cannot be written; its places count from where the piece begins. */
  #refuse(fault: Diagnostic): ApplyResult {
    // Of a stream that has ended there is nothing else to say.
    if (this.#number === ENDED) return this.#pushNow("");
    const begin = this.#core.handle.stream_length(this.#number);
    const { start, end } = fault.location as { start: number; end: number };
    this.#close();
    const location = { kind: "text", start: begin + start, end: begin + end } as const;
    return { ok: false, diagnostics: [{ ...fault, location }] };
  }

  static {
    readPieces = (stream, all, ends) => stream.#read(all, ends);
  }

  /** Reads pieces that waited; answers what became of each. */
  #read(all: string | Uint8Array, ends: readonly number[]): (nth: number) => ApplyResult {
    const core = this.#core;
    const { handle, bridge } = core;
    const place = bridge.writePieces(all, ends);
    if (place === undefined) {
      // There is half a pair in one of them.
      const results = ends.map((end, nth) => this.#pushNow(all.slice(ends[nth - 1] ?? 0, end)));
      return (nth) => results[nth] as ApplyResult;
    }
    const { length, held } = bridge;
    const count = ends.length;
    const owners = handle.stream_push_all(this.#number, length, place, count, held);
    const revisions = bridge.wordsAt(place, count);
    const told = owners && (bridge.diagnostics() ?? []);
    core.tell(undefined);
    if (told === undefined) return (nth) => core.result(revisions[nth] as number, undefined);
    if (revisions.includes(0)) this.#close();
    return (nth) => {
      const own = told.filter((_, at) => owners?.[at] === nth);
      return core.result(revisions[nth] as number, own);
    };
  }

  end(): ApplyResult {
    this.#core.readWaiting();
    if (this.#half) return this.#refuse(surrogateFault(0));
    const revision = this.#core.changing.stream_end(this.#number);
    const result = this.#core.settle(revision, undefined);
    this.#close();
    return result;
  }

  [Symbol.dispose](): void {
    this.#core.readWaiting();
    this.#close();
  }

  #close(): void {
    closedByHand(this);
    this.#core.closeStream(this.#number);
    this.#number = ENDED;
    this.#half = "";
  }
}

/**
 * Pieces that came while nobody looked. They are read together, as soon as anybody asks the store or one of
 * their results anything; each of them is still an update of its own. All of them are text, or all are bytes.
 */
class Pieces implements Waiting {
  readonly #core: Core;
  #stream: Stream | undefined;
  #text = "";
  /** Where bytes are put. */
  readonly #room: Uint8Array | undefined;
  /** Where each of them ends: at which code unit, or at which byte. */
  #ends: number[] = [];
  #length = 0;
  #result: ((nth: number) => ApplyResult) | undefined;

  constructor(core: Core, stream: Stream, room: Uint8Array | undefined) {
    this.#core = core;
    this.#stream = stream;
    this.#room = room;
  }

  canTake(piece: string | Uint8Array): boolean {
    const isAlike = (typeof piece === "string") === (this.#room === undefined);
    return isAlike && this.#length + piece.length <= MOST && this.#ends.length < MOST;
  }

  add(piece: string | Uint8Array): ApplyResult {
    if (typeof piece === "string") this.#text += piece;
    else this.#room?.set(piece, this.#length);
    this.#length += piece.length;
    const nth = this.#ends.push(this.#length) - 1;
    return new Pushed(this, nth) as unknown as ApplyResult;
  }

  read(): void {
    const stream = this.#stream as Stream;
    this.#stream = undefined;
    const bytes = this.#room?.subarray(0, this.#length);
    this.#result = readPieces(stream, bytes ?? this.#text, this.#ends);
    this.#text = "";
    this.#ends = [];
  }

  result(nth: number): ApplyResult {
    if (this.#result === undefined) this.#core.readWaiting();
    return (this.#result as (nth: number) => ApplyResult)(nth);
  }
}

/** What became of a piece: asked for when somebody looks, and then the result of any update. It is shown as that. */
class Pushed {
  /** Where it is to be asked for, then what was answered. */
  #source: Pieces | ApplyResult;
  readonly #nth: number;

  constructor(pieces: Pieces, nth: number) {
    this.#source = pieces;
    this.#nth = nth;
  }

  static {
    for (const name of ["ok", "diagnostics", "changed", "deleted", "inverse"]) {
      Object.defineProperty(Pushed.prototype, name, {
        get(this: Pushed): unknown {
          return Reflect.get(this.#result, name);
        },
      });
    }
  }

  get #result(): ApplyResult {
    if (this.#source instanceof Pieces) this.#source = this.#source.result(this.#nth);
    return this.#source;
  }

  toJSON(): object {
    return this.#result.ok ? this.#result.toJSON() : this.#result;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): object {
    return this.#result;
  }
}
