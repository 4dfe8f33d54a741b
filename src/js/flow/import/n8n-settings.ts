import { escapePointer } from "../../json-text.js";
import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import type { ImportReport } from "./import-report.js";
import type { N8nNode } from "./n8n-node.js";

/** Settings of a node that are read, or that only concern the editor. */
const KNOWN_KEYS = [
  ...["name", "type", "parameters", "id", "typeVersion", "position", "notes", "notesInFlow"],
  ...["disabled", "retryOnFail", "maxTries", "waitBetweenTries", "onError", "continueOnFail"],
  ...["credentials", "webhookId", "color"],
];

/** Settings of a workflow that change its runs, with the help for each. */
const RUN_SETTINGS: { readonly [key: string]: string } = {
  errorWorkflow: "run the other workflow when the result of `run` is `failed`",
  executionTimeout: "write `timeout_ms` at the nodes, or pass a `signal` to `run`",
  timezone: "pass the time zone to the callbacks that need it",
};

/** Reports the settings of a workflow that are not imported. */
export function reportSettings(document: JsonObject, report: ImportReport): void {
  const settings = isJsonObject(document["settings"]) ? document["settings"] : {};
  for (const [key, help] of Object.entries(RUN_SETTINGS))
    if (isWritten(settings[key])) report.omit(`/settings/${key}`, `\`${key}\``, help);
  for (const key of ["pinData", "staticData"])
    if (isWritten(document[key]))
      report.omit(`/${key}`, `\`${key}\``, "return the data in the callbacks of the nodes");
}

function isWritten(value: Json | undefined): boolean {
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== "" && value !== -1;
}

/** Reports the settings of a node that are not imported. */
export function reportNode(one: N8nNode, report: ImportReport): void {
  const { node, name, pointer, outgoing, errorOutput } = one;
  for (const key of Object.keys(node)) {
    if (!KNOWN_KEYS.includes(key))
      report.omit(
        `${pointer}/${escapePointer(key)}`,
        `\`${key}\``,
        "add it to `params` if the callback needs it",
      );
  }
  if (node["credentials"] !== undefined)
    report.omit(
      `${pointer}/credentials`,
      "`credentials`",
      "pass secrets as inputs of the workflow",
    );
  const help = 'add an edge with `"action": "error"` to the node that handles the failure';
  if (continuesAfterError(node) && errorOutput === undefined)
    report.omit(
      `${pointer}/${node["onError"] === undefined ? "continueOnFail" : "onError"}`,
      "continuing after a failure",
      help,
    );
  if (errorOutput !== undefined && outgoing.every(({ output }) => output !== errorOutput))
    report.warn(
      `${pointer}/onError`,
      `the run fails after a failure of \`${name}\`, because its error output is not connected`,
      help,
    );
  if (node["disabled"] === true)
    report.omit(`${pointer}/disabled`, "`disabled`", "remove the node and connect its neighbours");
}

/** Returns whether a node does not end the workflow when it fails. */
function continuesAfterError({ onError, continueOnFail }: JsonObject): boolean {
  return onError === undefined ? continueOnFail === true : onError !== "stopWorkflow";
}
