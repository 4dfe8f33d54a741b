import { sha256 } from "./sha256.js";
import type { LlmRequest } from "./types.js";

/**
 * Identifies a request by the input of the model: SHA-256 of system, prompt, schema, task,
 * temperature and seed as canonical JSON. Caller, time and attempt do not matter.
 */
export function requestKey(request: LlmRequest): string {
  const { system, prompt, schema, task, temperature, seed } = request;
  return sha256(canonicalJson({ system, prompt, schema, task, temperature, seed }));
}

/** Serialises canonical JSON: sorted keys, no spaces (RFC 8785). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part)}`);
  return `{${entries.join()}}`;
}
