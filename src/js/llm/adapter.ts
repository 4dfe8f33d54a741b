import { needFields, needSignal } from "../arguments.js";
import { needString } from "../errors.js";
import type { LlmAdapter } from "./types.js";

/** An adapter that asks a model so. What is no request is misuse; without a signal nobody ends the call. */
export function adapter(ask: LlmAdapter): LlmAdapter {
  return async (request) => {
    needFields(request, "a request");
    needString(request.prompt, "`prompt` of a request");
    needSignal(request.signal);
    return ask(request.signal ? request : { ...request, signal: new AbortController().signal });
  };
}
