import { asBytes, describeType, throwMisuse } from "../arguments.js";
import { chunkReader, isChunkSource } from "../gasl/chunk-source.js";
import { requireJsonText } from "../json-text.js";
import { sourceOf } from "../storage/source.js";
import type { CallbackResult, PageCallback, PagePort, RemoteObject } from "./page-port.js";
import type { Argument, CallbackForm } from "./protocol.js";

/** Converts the result of a callback to JSON. */
export type ResultConversion = (result: unknown, signal: AbortSignal) => unknown;

/** Encodes a value under a name of options. */
export type OptionEncoder = (value: unknown) => Argument;

/** Encodes the arguments of a call. Callbacks and signals are connected until `release`. */
export class ArgumentEncoder {
  readonly transfer: Transferable[] = [];
  readonly #port: PagePort;
  readonly #releases: (() => void)[] = [];

  constructor(port: PagePort) {
    this.#port = port;
  }

  /** Disconnects callbacks and signals. */
  release(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  /** Encodes any value: text and bytes as they are, other objects as JSON. Throws if it is not. */
  encodeValue(value: unknown): Argument {
    if (typeof value !== "object" || value === null) return plain(value);
    return this.encodeBytes(value) ?? { kind: "json", text: requireJsonText(value, true) };
  }

  /** Encodes bytes, which are transferred if nothing else is in their buffer. */
  encodeBytes(value: unknown): Argument | undefined {
    const bytes = asBytes(value);
    if (bytes === undefined) return undefined;
    const own = withOwnBuffer(bytes);
    if (!this.transfer.includes(own.buffer)) this.transfer.push(own.buffer);
    return plain(own);
  }

  /** Encodes text, bytes, or a stream of them. */
  encodeText(value: unknown): Argument {
    if (!isChunkSource(value)) return this.encodeValue(value);
    const reader = chunkReader(value);
    let isOpen = true;
    const cancel = async (): Promise<void> => {
      if (!isOpen) return;
      isOpen = false;
      await reader.cancel();
    };
    // The worker may end before it has read everything.
    this.#releases.push(() => void cancel().catch(() => {}));
    const number = this.#connect(async ([action]) => {
      if (action === "return") {
        await cancel();
        return { value: plain(undefined) };
      }
      const { done = false, value } = await reader.next();
      isOpen &&= !done;
      const bytes = done ? undefined : asBytes(value);
      const chunk = bytes && withOwnBuffer(bytes);
      const transfer = chunk ? [chunk.buffer] : [];
      return { value: plain({ done, value: done ? undefined : (chunk ?? value) }), transfer };
    });
    return { kind: "stream", number };
  }

  /** Encodes options by the encoders of their names. */
  encodeOptions(
    options: unknown,
    encoders: { readonly [name: string]: OptionEncoder },
    otherwise: OptionEncoder = (value) => this.encodeValue(value),
  ): Argument {
    if (typeof options !== "object" || options === null || Array.isArray(options))
      return this.encodeValue(options);
    const parts = Object.entries(options).map(([name, value]) => {
      const encode = Object.hasOwn(encoders, name) ? encoders[name] : undefined;
      return [name, (encode ?? otherwise)(value)];
    });
    return { kind: "object", parts: Object.fromEntries(parts) };
  }

  /** Encodes a function by what the page does when the worker calls it. */
  encodeCallback(value: unknown, form: CallbackForm, call: PageCallback): Argument {
    if (typeof value !== "function") return this.encodeValue(value);
    return { kind: "callback", number: this.#connect(call), form };
  }

  /** Encodes a listener, which the worker waits for. */
  encodeListener(value: unknown): Argument {
    return this.encodeCallback(value, "listener", async (values, _, called) => {
      const result = (value as (...values: unknown[]) => unknown)(...values);
      // A promise that has rejected is an error of the call.
      if (result instanceof Promise) await Promise.race([result, Promise.resolve()]);
      called();
      await result;
      return { value: plain(undefined) };
    });
  }

  /** Encodes a function whose result is JSON, after a conversion. */
  jsonCallback(
    value: unknown,
    form: CallbackForm = "plain",
    convert: ResultConversion = (result) => result,
  ): Argument {
    return this.encodeCallback(value, form, async (values, signal) => {
      const given = form === "query" ? [...values, signal] : values;
      const result = await (value as (...values: unknown[]) => unknown)(...given);
      return jsonResult(await convert(result, signal));
    });
  }

  /** Encodes a clock with its current time. */
  encodeClock(value: unknown): Argument {
    if (typeof value !== "function") return this.encodeValue(value);
    const now = value as () => unknown;
    const time = now();
    if (typeof time !== "string")
      throwMisuse(`expected the result of \`now\` to be a string, found ${describeType(time)}`);
    const number = this.#connect(async () => ({ value: plain(now()) }));
    return { kind: "clock", number, time };
  }

  encodeSignal(value: unknown): Argument {
    if (!(value instanceof AbortSignal)) return this.encodeValue(value);
    const { number, reason, release } = this.#port.forwardSignal(value);
    this.#releases.push(release);
    return { kind: "signal", number, reason };
  }

  /** Encodes an object of the same worker. */
  encodeHandle({ port, handle }: RemoteObject, what: string): Argument {
    if (port !== this.#port) throwMisuse(`the ${what} belongs to another worker`);
    return { kind: "handle", handle };
  }

  /** Encodes a storage: one in a file or database is opened by the worker itself. */
  encodeBackend(value: unknown): Argument {
    const source = typeof value === "object" && value !== null ? sourceOf(value) : undefined;
    return source
      ? { kind: "storage", source }
      : this.encodeMethods(value, ["load", "save", "saveChanges"]);
  }

  /** Encodes an object with methods whose results are JSON. */
  encodeMethods(
    value: unknown,
    names: readonly string[],
    form: CallbackForm = "plain",
    convert?: ResultConversion,
  ): Argument {
    if (typeof value !== "object" || value === null) return this.encodeValue(value);
    const object = value as { [name: string]: unknown };
    const present = names.filter((name) => typeof object[name] === "function");
    const parts = present.map((name) => {
      const method = (...values: unknown[]): unknown =>
        (object[name] as (...values: unknown[]) => unknown).apply(object, values);
      return [name, this.jsonCallback(method, form, convert)];
    });
    return { kind: "object", parts: Object.fromEntries(parts) };
  }

  #connect(callback: PageCallback): number {
    const number = this.#port.addCallback(callback);
    this.#releases.push(() => this.#port.removeCallback(number));
    return number;
  }
}

function plain(value: unknown): { kind: "plain"; value: unknown } {
  return { kind: "plain", value };
}

/** Returns bytes that are alone in their buffer: themselves or a copy. */
function withOwnBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isAlone ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice();
}

/** Returns the result of a callback as the local API serialises it. */
export function jsonResult(value: unknown): CallbackResult {
  try {
    return { value: { kind: "json", text: JSON.stringify(value) ?? "null" } };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throwMisuse("the result of a callback is nested too deep, or its text is too long");
  }
}
