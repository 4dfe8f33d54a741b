import { assertPlainObject, assertSignal, assertString } from "../arguments.js";
import type { LlmAdapter } from "./types.js";

/** An adapter that asks a model so. What is no request is misuse; without a signal nobody ends the call. */
export function adapter(ask: LlmAdapter): LlmAdapter {
  return async (request) => {
    assertPlainObject(request, "a request");
    assertString(request.prompt, "`prompt` of a request");
    assertSignal(request.signal);
    return ask(request.signal ? request : { ...request, signal: new AbortController().signal });
  };
}
