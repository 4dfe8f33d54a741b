import { anySignal, deadline } from "../abort.js";
import { errorReason, readBodyText } from "../response-body.js";

/** Maximum lengths of an error body and of its part in the message. */
const MAX_ERROR_BODY = 16_384;
const MAX_SHOWN_BODY = 200;

/** Timeout for an error body in milliseconds, because some bodies never end. */
const ERROR_BODY_TIMEOUT_MS = 2_000;

/** Returns the error of an unsuccessful response, with the reason that the server gives. */
export async function toHttpError(
  response: Response,
  signal: AbortSignal | undefined,
): Promise<Error> {
  const timeout = deadline(ERROR_BODY_TIMEOUT_MS);
  const within = anySignal(signal, timeout.signal);
  let body = "";
  try {
    for await (const chunk of readBodyText(response, within.signal)) {
      body += chunk;
      if (body.length > MAX_ERROR_BODY) break;
    }
  } catch {
    // Uses the part that has arrived.
  } finally {
    within.clear();
    timeout.clear();
  }
  const { status, url } = response;
  const line = (errorReason(body) ?? body).replace(/\s+/g, " ").trim();
  // An HTML page is not shown.
  const detail = line === "" || line.startsWith("<") ? "" : `: ${line.slice(0, MAX_SHOWN_BODY)}`;
  const message = `${url || "the server"} returned ${status}${detail}`;
  return new Error(message, { cause: { status, body: body.slice(0, MAX_ERROR_BODY) } });
}
