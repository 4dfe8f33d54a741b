import { anySignal, deadline } from "../abort.js";
import { errorReason, readBodyText } from "../response-body.js";

/** Characters of a refusal that are read, and those of them that the message shows. */
const MAX_ERROR_BODY = 16_384;
const MAX_SHOWN_BODY = 200;

/** Milliseconds that a refusal is waited for: some bodies never end. */
const ERROR_BODY_TIMEOUT_MS = 2_000;

/** The error that a response is whose status is no success, with what the server says about it. */
export async function toHttpError(
  response: Response,
  signal: AbortSignal | undefined,
): Promise<Error> {
  const timeout = deadline(ERROR_BODY_TIMEOUT_MS);
  const within = anySignal(signal, timeout.signal);
  let body = "";
  try {
    for await (const piece of readBodyText(response, within.signal)) {
      body += piece;
      if (body.length > MAX_ERROR_BODY) break;
    }
  } catch {
    // What has come is told.
  } finally {
    within.clear();
    timeout.clear();
  }
  const { status, url } = response;
  const line = (errorReason(body) ?? body).replace(/\s+/g, " ").trim();
  // A page is for people.
  const detail = line === "" || line.startsWith("<") ? "" : `: ${line.slice(0, MAX_SHOWN_BODY)}`;
  const message = `${url || "the server"} returned ${status}${detail}`;
  return new Error(message, { cause: { status, body: body.slice(0, MAX_ERROR_BODY) } });
}
