import { parseLog } from "byname/devtools";
import { logId } from "../work/handover.js";
import type { Example } from "./examples/example.js";
import { describeLog, recogniseLog } from "./log-format.js";

/** Maximum size of a file in bytes, because a larger one blocks the page. */
const maxBytes = 20_000_000;

/** Help for a text without messages. */
export const logHelp =
  "open the complete response of an agent: a JSON list, `{messages}`, JSON lines, server-sent events, AG-UI events, A2A parts or MCP results";

let openedExample: Example | null = null;

/** Returns the example with the log that was opened last, or null. */
export function openedLog(): Example | null {
  return openedExample;
}

/**
 * Makes an example of a log, and opens it at its first surface, or the given one. Returns null for
 * a text without messages.
 */
export function setOpenedLog(text: string, title: string, surface?: string): Example | null {
  const format = recogniseLog(text);
  if (!format) return null;
  const { language, surfaces } = format;
  const surfaceId = surfaces.find((id) => id === surface) ?? surfaces[0];
  const shown = surfaces.length > 1 ? ` Showing \`${surfaceId}\`.` : "";
  const note = `Recognised ${describeLog(format)}.${shown}`;
  openedExample = {
    id: logId,
    title: "Your log",
    log: { text, language, surfaces, surfaceId },
    steps: [{ title, note, text, stream: true }],
    atEnd: true,
  };
  return openedExample;
}

/** Throws for an exported log of `byname/devtools` that this version cannot read. */
export function assertReadable(text: string): void {
  if (!/^\s*\{\s*"byname"\s*:\s*"devtools-log"/.test(text)) return;
  const parsed = parseLog(text);
  if (!parsed.ok) throw new Error(parsed.error);
}

/** Returns the text of a file. Throws if it is too large. */
export async function readLogFile(file: File): Promise<string> {
  if (file.size <= maxBytes) return await file.text();
  const megabytes = (bytes: number): string => Math.round(bytes / 1_000_000).toLocaleString();
  throw new Error(
    `expected a file of at most ${megabytes(maxBytes)} MB, found ${megabytes(file.size)} MB: open a part of it`,
  );
}
