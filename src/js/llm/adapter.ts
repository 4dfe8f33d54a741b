import { assertPlainObject, assertSignal, assertString } from "../arguments.js";
import type { LlmAdapter } from "./types.js";

/** Wraps a function as an adapter: checks the request, and adds a signal if it has none. */
export function toAdapter(ask: LlmAdapter): LlmAdapter {
  return async (request) => {
    assertPlainObject(request, "a request");
    assertString(request.prompt, "`prompt` of a request");
    assertSignal(request.signal);
    return ask(request.signal ? request : { ...request, signal: new AbortController().signal });
  };
}
