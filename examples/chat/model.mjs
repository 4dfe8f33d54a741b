// The model: a server with the chat completions API, or a script.
import { setTimeout as pause } from "node:timers/promises";
import { openai, scripted } from "byname/llm";
import { script } from "./script.mjs";

/**
 * Returns a function that answers a conversation and passes the chunks of its reply to `onToken`. `OPENAI_MODEL` is the
 * name of a model, `OPENAI_BASE_URL` and `OPENAI_API_KEY` its server. Without a name the script answers.
 */
export function createModel({ OPENAI_MODEL, OPENAI_BASE_URL, OPENAI_API_KEY }) {
  if (!OPENAI_MODEL) return answerByScript;
  return async (messages, { onToken, signal }) => {
    const llm = openai({
      model: OPENAI_MODEL,
      ...(OPENAI_BASE_URL && { baseUrl: OPENAI_BASE_URL }),
      ...(OPENAI_API_KEY && { apiKey: OPENAI_API_KEY }),
      // The whole conversation replaces the prompt of the request.
      body: { messages },
      onToken,
    });
    const { text, finishReason } = await llm(toRequest(messages, signal));
    if (finishReason === "length") throw new Error("its reply reached the length limit");
    return text;
  };
}

const scriptedModel = scripted(({ prompt }) => script(prompt));

async function answerByScript(messages, { onToken, signal }) {
  const text = await scriptedModel(toRequest(messages, signal));
  for (const chunk of text.match(/.{1,24}/gs)) {
    onToken(chunk);
    await pause(10, undefined, { signal });
  }
  return text;
}

/** Returns the request of `byname/llm` for the last message of a conversation. */
function toRequest(messages, signal) {
  const [system, prompt] = [messages[0].content, messages.at(-1).content];
  return { id: `message-${messages.length}`, task: "plan", attempt: 1, system, prompt, signal };
}
