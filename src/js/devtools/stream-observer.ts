import type { HamStream } from "../stream.js";
import type { ApplyResult, Diagnostic, Json } from "../types.js";
import { jsonOf } from "./message-content.js";
import type { Recorder } from "./recorder.js";
import type { EntryContent } from "./types.js";
import { waitingUpdate } from "./waiting-result.js";

type Chunk = string | Uint8Array;

/** Wraps a stream of nodes: its text is one entry, which is complete at the end of the stream. */
export function observeStream(
  recorder: Recorder,
  source: string,
  stream: HamStream,
  learnSecrets: () => void,
): Pick<HamStream, "push" | "end"> & { [Symbol.dispose](): void } {
  const { gate, log } = recorder;
  const decoder = new TextDecoder();
  const diagnostics: Diagnostic[] = [];
  let text = "";
  let entryId: number | undefined;
  let duration = 0;
  let isOk = true;

  /** Adds or updates the entry. The text is added at the end, because its secrets are unknown before. */
  const show = (message: Json): void => {
    const from = text.includes('"surfaceId"') ? "agent" : "page";
    const state = { message, from, ok: isOk } as const;
    const content: EntryContent = {
      ...{ kind: "message", ...state, duration },
      ...{ diagnostics: [...diagnostics], length: text.length },
    };
    if (entryId === undefined) entryId = log.add(source, content).id;
    else log.update(entryId, content);
  };
  const run = (update: () => ApplyResult, isEnd: boolean): ApplyResult =>
    recorder.runUpdate(update, (result, time) => {
      duration += time;
      isOk &&= result.ok;
      diagnostics.push(...result.diagnostics);
      learnSecrets();
      show(isEnd ? withoutStreamHead(jsonOf(text)) : null);
    });
  /** Runs an update, or lets it wait; the stream itself keeps the order. */
  const pass = (title: string, update: () => ApplyResult): ApplyResult => {
    if (!gate.isClosed) return update();
    gate.add(title, update);
    return waitingUpdate();
  };
  return {
    push(chunk: Chunk) {
      const given = typeof chunk === "string" ? chunk : chunk.slice();
      return pass(`${chunk.length} more characters of data`, () => {
        // A stream is closed after an error.
        if (isOk)
          text += typeof given === "string" ? given : decoder.decode(given, { stream: true });
        return run(() => stream.push(given), false);
      });
    },
    end: () => pass("the end of the data", () => run(() => stream.end(), true)),
    [Symbol.dispose]: () => stream[Symbol.dispose](),
  };
}

/** Returns the nodes of a stream as a message. */
function withoutStreamHead(json: Json): Json {
  if (typeof json !== "object" || json === null || "updateDataModel" in json) return json;
  return { updateDataModel: { nodes: json } };
}
