// Loop of a proposal: a reply, its diagnostics, and repairs until the reply is accepted.
import { countCodes, meter, textOf } from "./meter.mjs";

/**
 * Asks a model for a proposal and for its repairs. `read(text)` returns `{ diagnostics, value }`: a reply without
 * diagnostics is accepted. `repairPrompt` is that of `byname/catalog`. Returns the counts of a result, and the `value`
 * of the accepted reply, or undefined.
 */
export async function propose(
  llm,
  { id, system, prompt, grammar, schema },
  { read, repairs, repairPrompt },
) {
  const metered = meter(llm);
  const { counts, more } = metered;
  const request = {
    system,
    ...(grammar && { grammar: { gbnf: grammar } }),
    ...(schema && { schema }),
  };
  const { signal } = new AbortController();
  const result = (value, diagnostics) => ({
    proposals: 1,
    acceptedAtFirst: value !== undefined && counts.replies === 1 ? 1 : 0,
    ...counts,
    ...more,
    value,
    diagnostics,
  });
  let next = { task: "plan", prompt };
  for (let attempt = 1; ; attempt += 1) {
    let text;
    try {
      text = textOf(
        await metered.llm({ ...request, id: `${id}-${attempt}`, ...next, attempt, signal }),
      );
    } catch {
      return result(undefined, []);
    }
    const { diagnostics, value } = await read(text);
    if (diagnostics.length === 0) return result(value, []);
    if (attempt > repairs) {
      countCodes(more.codes, diagnostics);
      return result(undefined, diagnostics);
    }
    const previousError = diagnostics;
    next = { task: "repair", prompt: repairPrompt(prompt, text, diagnostics), previousError };
  }
}

/** Returns the text of a result without a value: the error of the request, or the diagnostics of the last reply. */
export function failureText({ isTooLong, failure, diagnostics }) {
  if (isTooLong) return "a prompt that is too long";
  if (failure !== undefined) return failure;
  return diagnostics.map(({ code, message }) => `${code}: ${message}`).join("; ");
}
