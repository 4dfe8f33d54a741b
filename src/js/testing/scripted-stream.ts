import { abortable } from "../abort.js";
import { assertCount, assertOptionTypes, assertSignal, throwExpected } from "../arguments.js";

/** Part of a script: text, a message, or a pause in milliseconds. */
export type ScriptPart = string | object | number;

export interface ScriptOptions {
  /** Milliseconds between two chunks; 0 by default, which still waits for other tasks. */
  delay?: number;
  /** Characters of a chunk; by default each text is one chunk. */
  chunkSize?: number;
  /** Ends the stream: it rejects with the reason of the signal. */
  signal?: AbortSignal;
}

const ASSERTIONS = {
  delay: (value: unknown, what: string) => assertCount(value, what),
  chunkSize: (value: unknown, what: string) => assertCount(value, what, 1),
  signal: assertSignal,
};

/**
 * Returns a stream of chunks as a model sends them. Texts are cut into chunks, messages are written
 * as lines of JSON, and numbers are pauses.
 */
export async function* scriptedStream(
  script: string | readonly ScriptPart[],
  options: ScriptOptions = {},
): AsyncGenerator<string, void, void> {
  assertOptionTypes(options, ASSERTIONS, "the options of `scriptedStream`");
  const { delay = 0, chunkSize = Number.POSITIVE_INFINITY, signal } = options;
  const parts = typeof script === "string" ? [script] : script;
  if (!Array.isArray(parts)) throwExpected("the script", "a text or a list", script);
  for (const part of parts) {
    if (typeof part === "number") {
      await pause(part, signal);
      continue;
    }
    const text = typeof part === "string" ? part : `${JSON.stringify(part)}\n`;
    const size = Math.min(chunkSize, Math.max(1, text.length));
    for (let at = 0; at < text.length; at += size) {
      await pause(delay, signal);
      yield text.slice(at, at + size);
    }
  }
}

async function pause(time: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, time);
  });
  try {
    await (signal ? abortable(ended, signal) : ended);
  } finally {
    clearTimeout(timer);
  }
}
