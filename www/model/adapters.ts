// Adapters of models outside the page; loaded when one is chosen.
import { chromeAi, type LlmAdapter, type LlmCallback, openai } from "byname/llm";
import { showNotice } from "../page/notice.js";

export const chromeOptions = { expectedOutputs: [{ type: "text", languages: ["en"] }] };

/** Milliseconds after which a notice explains the delay. */
const slowAfter = 20_000;

/** Returns the model of an OpenAI-compatible server. Throws for an invalid address. */
export function serverModel(baseUrl: string, model: string, apiKey: string): LlmCallback {
  return warnIfSlow(baseUrl, openai({ baseUrl, model, ...(apiKey === "" ? {} : { apiKey }) }));
}

export function chromeModel(): LlmCallback {
  return chromeAi({ download: true, options: chromeOptions });
}

/** Returns an address without its query, which may contain a key. */
function withoutQuery(address: string): string {
  return address.replace(/[?#].*/s, "");
}

/**
 * Shows a notice while a reply is slow, without cancelling, because a large model may take minutes.
 */
function warnIfSlow(address: string, adapter: LlmAdapter): LlmAdapter {
  return async (request) => {
    let closeNotice = (): void => {};
    const late = setTimeout(() => {
      closeNotice = showNotice({
        text: `${withoutQuery(address)} has not responded for ${slowAfter / 1000} seconds; still waiting. A large model may take that long; otherwise check the address and whether the server is running.`,
      });
    }, slowAfter);
    try {
      return await adapter(request);
    } finally {
      clearTimeout(late);
      closeNotice();
    }
  };
}
