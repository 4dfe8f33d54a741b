// Counts of the requests of a task: replies, repairs, tokens, and the diagnostics of rejected replies.

/** Number of characters of a token in estimates. */
const TOKEN_CHARS = 4;

/** Error of a callback: the prompt does not fit into the context of the model. */
export class PromptTooLong extends Error {
  constructor(tokens, limit) {
    super(`the prompt has ${tokens} tokens, and the context has space for ${limit}`);
    this.name = "PromptTooLong";
  }
}

/**
 * Returns a callback that passes requests to another one, and the counts so far. `tokensPrompts` are those of
 * `tokensIn` that are not the constant system prompt, estimated from characters.
 */
export function meter(llm) {
  const counts = { replies: 0, repairs: 0, tokensIn: 0, tokensPrompts: 0, tokensOut: 0 };
  const more = { codes: {}, isTooLong: false, lastReply: "" };
  const measured = async (request) => {
    if (request.task === "repair") counts.repairs += 1;
    countCodes(more.codes, request.previousError ?? []);
    counts.replies += 1;
    try {
      const reply = await llm(request);
      const { usage } = Object(reply);
      more.lastReply = textOf(reply);
      counts.tokensPrompts += tokensOf(request.prompt);
      counts.tokensIn += usage?.inputTokens ?? tokensOf(request.system + request.prompt);
      counts.tokensOut += usage?.outputTokens ?? tokensOf(more.lastReply);
      return reply;
    } catch (error) {
      if (error instanceof PromptTooLong) more.isTooLong = true;
      else more.failure = String(error?.message ?? error);
      throw error;
    }
  };
  return { llm: measured, counts, more };
}

/** Adds the codes of errors to a map of counts. */
export function countCodes(codes, diagnostics) {
  for (const { code, severity } of diagnostics) {
    if (severity === "info") continue;
    codes[code] = (codes[code] ?? 0) + 1;
  }
}

/** Returns the estimated number of tokens of a text. */
export function tokensOf(text) {
  return Math.ceil(text.length / TOKEN_CHARS);
}

/** Returns the text of a reply of a callback. */
export function textOf(reply) {
  return typeof reply === "string" ? reply : (reply.text ?? JSON.stringify(reply.json ?? ""));
}
