// What calls models of others; it comes when one of them is chosen.
import { chromeAi, type LlmAdapter, type LlmCallback, openai } from "byname/llm";
import { showNotice } from "../page/notice.js";

/** What Chrome wants to know of its own model. */
export const chromeOptions = { expectedOutputs: [{ type: "text", languages: ["en"] }] };

/** After so long, in milliseconds, one wants to know why nothing happens. */
const slowAfter = 20_000;

/** A server that speaks like OpenAI's. Throws where its address makes no sense. */
export function serverModel(baseUrl: string, model: string, apiKey: string): LlmCallback {
  return warnIfSlow(baseUrl, openai({ baseUrl, model, ...(apiKey === "" ? {} : { apiKey }) }));
}

/** The model inside Chrome. */
export function chromeModel(): LlmCallback {
  return chromeAi({ download: true, options: chromeOptions });
}

/** Says so where a server lets one wait. It goes on: a large model on a small machine does take minutes. */
function warnIfSlow(address: string, adapter: LlmAdapter): LlmAdapter {
  return async (request) => {
    let closeNotice = (): void => {};
    const late = setTimeout(() => {
      closeNotice = showNotice({
        text: `${address} has not answered for ${slowAfter / 1000} seconds, and is still waited for. A large model may take that long; else check the address, and that the server runs. Your work stays as it is.`,
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
