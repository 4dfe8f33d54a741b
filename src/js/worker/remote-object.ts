// `Symbol.dispose` is newer than the `lib` setting of most projects that import this package.
/// <reference lib="esnext.disposable" preserve="true" />

import { BynameError } from "../errors.js";
import type { Call, Connection } from "./connection.js";
import type { PagePort, RemoteObject } from "./page-port.js";
import type { CallValue } from "./protocol.js";

/** Object in a worker. It is released by `Symbol.dispose`, or when it is garbage-collected. */
export class WorkerObject implements RemoteObject {
  readonly #connection: Connection;
  readonly #handle: number;
  readonly #name: string;
  readonly #release: () => void;
  #isDisposed = false;

  /** @internal `release` disconnects the callbacks of the object. */
  constructor(connection: Connection, handle: number, name: string, release: () => void) {
    this.#connection = connection;
    this.#handle = handle;
    this.#name = name;
    this.#release = release;
    connection.register(this, handle, release);
  }

  /** @internal */
  get port(): PagePort {
    return this.#connection;
  }

  /** @internal Throws if the object is disposed. */
  get handle(): number {
    if (this.#isDisposed) throw new BynameError("disposed", `this ${this.#name} has been disposed`);
    return this.#handle;
  }

  /** @internal */
  async call(method: string, encode?: Call["encode"], created: number[] = []): Promise<CallValue> {
    const call: Call = { method, target: this, created, ...(encode && { encode }) };
    return this.#connection.call(call);
  }

  /** @internal Returns the result of a method that creates no object. */
  async read<T>(method: string, encode?: Call["encode"]): Promise<T> {
    return plainValue(await this.call(method, encode)) as T;
  }

  [Symbol.dispose](): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#connection.releaseRemote(this.#handle, this.#release, this);
  }
}

/** Returns the value of a call that creates no object. */
export function plainValue(value: CallValue): unknown {
  return value.kind === "plain" ? value.value : undefined;
}
