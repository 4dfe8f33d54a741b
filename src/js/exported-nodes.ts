import { isJsonObject } from "./json-value.js";
import type { HamNodes } from "./types.js";

const ENVELOPE_KEYS = ["updateDataModel", "version"];

/**
 * Returns the nodes of an exported document. `export` writes an envelope if a node would be read as
 * one.
 */
export function unwrapNodes(exported: HamNodes): HamNodes {
  const { updateDataModel: body } = exported;
  const isEnvelope =
    isJsonObject(body) &&
    isJsonObject(body["nodes"]) &&
    Object.keys(exported).every((key) => ENVELOPE_KEYS.includes(key));
  return isEnvelope ? (body["nodes"] as HamNodes) : exported;
}
