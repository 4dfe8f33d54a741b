import { assertMessage, throwMisuse } from "../arguments.js";
import { isJsonObject } from "../json-value.js";
import { MergedResult } from "../messages/merged-result.js";
import type { MessageTarget } from "../messages.js";
import type { Json } from "../types.js";
import { type Exporting, FromA2ui } from "./from.js";
import type { Message } from "./translation.js";

const decoder = new TextDecoder();

/** What a target needs of a surface of `byname` or of `byname/ham`. */
export type TranslatedSurface = MessageTarget & { store: Exporting };

/**
 * A surface for agents that write plain A2UI: what it receives is translated first. `receiveAll` and `messageStream` of
 * `byname/messages` take it in place of the surface, so that components show while they arrive.
 */
export function a2uiTarget(surface: TranslatedSurface): MessageTarget {
  if (typeof surface?.receive !== "function") throwMisuse("messages go to a surface");
  const from = new FromA2ui({ store: surface.store });
  return {
    store: surface.store,
    receive(message) {
      if (!(message instanceof Uint8Array)) assertMessage(message);
      const parsed = parse(message);
      // The surface says what is wrong with a text that is no JSON, and with what is no object.
      if (!isJsonObject(parsed)) return surface.receive(message);
      const tally = new MergedResult();
      for (const one of withModel(parsed)) {
        const { messages, diagnostics } = from.translate(one);
        tally.add({ ok: diagnostics.every(({ severity }) => severity !== "error"), diagnostics });
        for (const sent of messages) {
          const received = surface.receive(sent);
          tally.add(received);
          // Data are not for a surface that was not made.
          if (!received.ok) break;
        }
      }
      return tally.result;
    },
  };
}

/**
 * Where `createSurface` brings its components in pieces, its `dataModel` comes with the last of them: a stream has
 * told the surface by then.
 */
function withModel(message: Message): Message[] {
  const { updateComponents, ...rest } = message;
  if (!isJsonObject(updateComponents) || updateComponents["dataModel"] === undefined)
    return [message];
  const { dataModel, ...others } = updateComponents;
  const surfaceId = others["surfaceId"] ?? null;
  return [
    { ...rest, updateComponents: others },
    { ...rest, updateDataModel: { surfaceId, value: dataModel } },
  ];
}

function parse(message: string | Uint8Array | object): Json {
  if (typeof message === "object" && !(message instanceof Uint8Array)) return message as Json;
  try {
    return JSON.parse(typeof message === "string" ? message : decoder.decode(message)) as Json;
  } catch {
    return null;
  }
}
