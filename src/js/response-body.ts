import { abortable } from "./abort.js";

/** The text of a body as it comes. Whoever stops early closes the connection. */
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
    // After the end this does nothing, and a broken body says so here once more.
    reader.cancel().catch(() => {});
  }
}

/** What a server says went wrong, as most of them write it. */
export function errorReason(body: string): string | undefined {
  try {
    const { error, message } = JSON.parse(body);
    const reasons: unknown[] = [error?.message, error, message];
    return reasons.find((found) => typeof found === "string") as string | undefined;
  } catch {
    return undefined;
  }
}
