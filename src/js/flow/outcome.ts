import { describeType } from "../arguments.js";
import { errorDiagnostic, toJsonText } from "../json-text.js";
import { wellFormedMessage } from "../task-driver.js";
import type { Diagnostic } from "../wire.js";

const OUTCOME_HELP =
  "write `{ outputs, action? }`, `{ failed: message }` or `{ waiting: payload }`";

/** Keys of each kind of outcome, the first of which identifies it. */
const OUTCOME_KEYS = [["outputs", "action", "error"], ["failed", "timeout"], ["waiting"]] as const;

/** Returns the JSON text of the response for the core to the outcome of a call, or an error. */
export function parseOutcome(outcome: unknown): { text: string } | { error: Diagnostic } {
  const invalid = (message: string) => ({
    error: errorDiagnostic("FLOW081", message, OUTCOME_HELP),
  });
  if (typeof outcome !== "object" || outcome === null || Array.isArray(outcome)) {
    return invalid(`expected the outcome of a call, found ${describeType(outcome)}`);
  }
  const parts = Object.entries(outcome).filter(([, value]) => value !== undefined);
  const names = parts.map(([name]) => name);
  const kinds = OUTCOME_KEYS.filter(([first]) => names.includes(first));
  const kind = kinds[0];
  if (!kind || kinds.length > 1) {
    const found = names.length === 0 ? "none" : names.map((name) => `\`${name}\``).join(", ");
    return invalid(`expected one of \`outputs\`, \`failed\` and \`waiting\`, found ${found}`);
  }
  const unknown = names.find((name) => !(kind as readonly string[]).includes(name));
  if (unknown !== undefined) return invalid(`unknown key \`${unknown}\` in the outcome of a call`);
  const values = Object.fromEntries(parts);
  if (kind[0] === "failed") {
    const failed = wellFormedMessage(values["failed"]);
    return {
      text: JSON.stringify({ failed, ...(values["timeout"] === true && { timeout: true }) }),
    };
  }
  const [key, value] = kind[0] === "waiting" ? ["suspended", values["waiting"]] : ["value", values];
  const written = toJsonText(value, true);
  if ("error" in written) return invalid(written.error.message);
  return { text: `{"${key}":${written.text}}` };
}
