import { fileStorage } from "../storage/file-storage.js";
import { indexedDbStorage } from "../storage/indexed-db-storage.js";
import type { StorageSource } from "../storage/source.js";
import type { KeyStorage } from "../storage/types.js";
import type { PageCalls } from "./page-calls.js";
import type { Argument } from "./protocol.js";
import { restoreFromPage } from "./thread-errors.js";

/** Data of the worker that arguments refer to. */
export interface DecoderScope {
  calls: PageCalls;
  /** Returns the object of a handle. */
  objectOf(handle: number): unknown;
  /** Controllers of the signals of running calls, by number. */
  signals: Map<number, AbortController>;
}

/** Decodes an argument of the page. */
export function decodeArgument(argument: Argument, scope: DecoderScope): unknown {
  switch (argument.kind) {
    case "plain":
      return argument.value;
    case "json":
      return JSON.parse(argument.text);
    case "object":
      return decodeObject(argument.parts, scope);
    case "callback":
      return scope.calls.function(argument.number, argument.form);
    case "signal":
      return decodeSignal(argument, scope);
    case "handle":
      return scope.objectOf(argument.handle);
    case "storage":
      return openStorage(argument.source);
    case "stream":
      return decodeStream(argument.number, scope);
    case "clock":
      return decodeClock(argument, scope);
  }
}

function decodeObject(parts: { [name: string]: Argument }, scope: DecoderScope): object {
  const entries = Object.entries(parts);
  return Object.fromEntries(entries.map(([name, part]) => [name, decodeArgument(part, scope)]));
}

function decodeSignal(
  { number, reason }: Argument & { kind: "signal" },
  { signals }: DecoderScope,
): AbortSignal {
  const controller = new AbortController();
  if (reason) controller.abort(restoreFromPage(reason));
  else signals.set(number, controller);
  return controller.signal;
}

/** Returns the numbers of the signals in arguments. */
export function signalNumbers(given: readonly Argument[]): number[] {
  return given.flatMap((argument) => {
    if (argument.kind === "signal") return [argument.number];
    return argument.kind === "object" ? signalNumbers(Object.values(argument.parts)) : [];
  });
}

function openStorage({ kind, name, key }: StorageSource): KeyStorage {
  const storage = kind === "file" ? fileStorage(name) : indexedDbStorage(name);
  return key === undefined ? storage : storage.at(key);
}

function decodeStream(number: number, { calls }: DecoderScope): AsyncIterable<unknown> {
  const iterator = {
    next: () => calls.call(number, ["next"]) as Promise<IteratorResult<unknown>>,
    return: async () => {
      await calls.call(number, ["return"]);
      return { done: true as const, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/** Returns a clock that returns the time of the call first, and promises of later times. */
function decodeClock(
  { number, time }: Argument & { kind: "clock" },
  { calls }: DecoderScope,
): () => unknown {
  let isFirst = true;
  return () => {
    if (!isFirst) return calls.call(number, []);
    isFirst = false;
    return time;
  };
}
