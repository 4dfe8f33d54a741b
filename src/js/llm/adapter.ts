import { assertPlainObject, assertSignal, assertString } from "../arguments.js";
import type { LlmRequest } from "./types.js";

/** Wraps a function that replies to requests: checks a request, and adds a signal if it has none. */
export function toAdapter<Result>(
  ask: (request: LlmRequest) => Promise<Result>,
): (request: LlmRequest) => Promise<Result> {
  return async (request) => {
    assertPlainObject(request, "a request");
    assertString(request.prompt, "`prompt` of a request");
    assertSignal(request.signal);
    return ask(request.signal ? request : { ...request, signal: new AbortController().signal });
  };
}
