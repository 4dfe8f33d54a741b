import { anySignal, deadline } from "../abort.js";
import { bodyText, reasonIn } from "../response-body.js";

/** Characters of a refusal that are read, and those of them that the message shows. */
const LONGEST_REFUSAL = 16_384;
const SHOWN = 200;

/** Milliseconds that a refusal is waited for: some bodies never end. */
const PATIENCE = 2_000;

/** The error that a response is whose status is no success, with what the server says about it. */
export async function refusal(response: Response, signal: AbortSignal | undefined): Promise<Error> {
  const late = deadline(PATIENCE);
  const within = anySignal(signal, late.signal);
  let body = "";
  try {
    for await (const piece of bodyText(response, within.signal)) {
      body += piece;
      if (body.length > LONGEST_REFUSAL) break;
    }
  } catch {
    // What has come is told.
  } finally {
    within.clear();
    late.clear();
  }
  const { status, url } = response;
  const line = (reasonIn(body) ?? body).replace(/\s+/g, " ").trim();
  // A page is for people.
  const said = line === "" || line.startsWith("<") ? "" : `: ${line.slice(0, SHOWN)}`;
  const message = `${url || "the server"} answered ${status}${said}`;
  return new Error(message, { cause: { status, body: body.slice(0, LONGEST_REFUSAL) } });
}
