import { abortable } from "./abort.js";

/** Yields the text of a body as it arrives. Leaving the loop early closes the connection. */
export async function* readBodyText(
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await abortable(reader.read(), signal);
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    // Has no effect at the end of the body, and rejects for a broken one.
    reader.cancel().catch(() => {});
  }
}

/** Returns the error message in the JSON of a response, in the common formats, or `undefined`. */
export function errorReason(body: string): string | undefined {
  try {
    const { error, message } = JSON.parse(body);
    const reasons: unknown[] = [error?.message, error, message];
    return reasons.find((found) => typeof found === "string") as string | undefined;
  } catch {
    return undefined;
  }
}
