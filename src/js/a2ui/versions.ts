import { describeType } from "../arguments.js";
import { escapePointer } from "../json-text.js";
import { isJsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import { diagnostic, type Message } from "./translation.js";

/** Versions of the protocol, without the `v` that most agents write before them. */
const knownVersions = ["0.8", "0.9", "0.9.1", "1.0"];

const currentActions = ["createSurface", "updateComponents", "updateDataModel", "deleteSurface"];
/** Action keys of v0.8; it shares `deleteSurface` with the later versions. */
export const v08Actions = ["beginRendering", "surfaceUpdate", "dataModelUpdate"];
/** Messages of calls between the agent and the page, which a surface does not receive. */
export const callActions = [
  "callRendererFunction",
  "agentFunctionResponse",
  "callFunction",
  "actionResponse",
];
const actions = [...currentActions, ...v08Actions, ...callActions];
/** Keys beside the action key; the last ones belong to the calls of the first drafts of v1.0. */
const otherKeys = ["version", "functionCallId", "wantResponse", "actionId", "metadata"];

/** Returns the error for an unknown version, or for a message without exactly one action key. */
export function checkEnvelope(message: Message): Diagnostic | undefined {
  const { version } = message;
  if (!isKnownVersion(version)) {
    const found = typeof version === "string" ? `\`${version}\`` : describeType(version);
    const text = `expected a protocol version of A2UI, found ${found}`;
    const help = 'write "v0.8", "v0.9", "v0.9.1", "v1.0" or "1.0"';
    return diagnostic("A2UI011", text, help, "/version", "error");
  }
  // Null counts as missing, because structured outputs write absent keys as null.
  const keys = Object.keys(message).filter((key) => (message[key] ?? undefined) !== undefined);
  const [first, second] = keys.filter((key) => actions.includes(key));
  if (second !== undefined) {
    const text = `expected one action key, found \`${second}\` as a second one`;
    return diagnostic("A2UI009", text, "send a message for each", `/${second}`, "error");
  }
  const unknown = keys.find((key) => !otherKeys.includes(key));
  if (first !== undefined) return checkAction(first, version);
  if (unknown === undefined) return undefined;
  const text = `expected an action key such as \`updateComponents\`, found \`${unknown}\``;
  const help = `write one of ${currentActions.map((name) => `\`${name}\``).join(", ")}`;
  return diagnostic("A2UI009", text, help, `/${escapePointer(unknown)}`, "error");
}

/** Returns the error for an action of another version than the message states. */
function checkAction(action: string, version: Json | undefined): Diagnostic | undefined {
  if (typeof version !== "string" || action === "deleteSurface") return undefined;
  if (v08Actions.includes(action) === isV08(version)) return undefined;
  const text = `expected an action of ${version}, found \`${action}\``;
  const names = isV08(version) ? v08Actions : currentActions;
  const help = `write one of ${names.map((name) => `\`${name}\``).join(", ")}, or correct the version`;
  return diagnostic("A2UI009", text, help, `/${action}`, "error");
}

/**
 * Returns the error for an update without a valid `path` or `value`, which would delete all data.
 */
export function checkUpdate(body: Json | undefined): Diagnostic | undefined {
  if (body === undefined) return undefined;
  const code = "A2UI009";
  if (!isJsonObject(body)) {
    const help = 'write `path` and `value`, as in {"path": "/user/name", "value": "Ann"}';
    const found = describeType(body);
    const text = `expected an object as \`updateDataModel\`, found ${found}`;
    return diagnostic(code, text, help, "/updateDataModel", "error");
  }
  const { path, value } = body;
  if (path !== undefined && typeof path !== "string") {
    const help = 'write a JSON Pointer like "/user/name", or omit `path` to replace the data model';
    return diagnostic(
      code,
      `expected a string in \`path\`, found ${describeType(path)}`,
      help,
      "/updateDataModel/path",
      "error",
    );
  }
  const other = Object.keys(body).find((key) => !["surfaceId", "path", "value"].includes(key));
  if (other === undefined) return undefined;
  const pointer = `/updateDataModel/${escapePointer(other)}`;
  if (value !== undefined || other === "op") {
    const text = `unknown property \`${other}\` of \`updateDataModel\``;
    const rule = "`value` replaces the value at `path`, and without `value` it is deleted";
    return diagnostic(code, text, `leave out \`${other}\`; ${rule}`, pointer, "error");
  }
  const help =
    other === "nodes"
      ? "pass node updates to the surface itself, or write `path` and `value`"
      : "write `path` and `value`; without `value` the path is deleted";
  const text = `expected \`value\` in \`updateDataModel\`, found \`${other}\``;
  return diagnostic(code, text, help, pointer, "error");
}

function isKnownVersion(version: Json | undefined): boolean {
  if (version === undefined || version === null) return true;
  return typeof version === "string" && knownVersions.includes(version.replace(/^v/, ""));
}

/** Returns whether a version writes `@` keys in every component: v1.0 wrote bare keys at first. */
export function hasAtKeys(version: Json | undefined): boolean {
  return version === "1.0";
}

/** Returns whether null as a value deletes, as in v1.0. */
export function deletesByNull(version: Json | undefined): boolean {
  return version === "v1.0" || version === "1.0";
}

/** Returns whether a version has no calls between the agent and the page. */
export function isV09(version: Json | undefined): boolean {
  return typeof version === "string" && /^v?0\.9(?:\.|$)/.test(version);
}

export function isV08(version: Json | undefined): boolean {
  return version === "v0.8" || version === "0.8";
}
