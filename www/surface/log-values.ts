import type { Json } from "byname";

/** Separator of the JSON values of a log. */
export type Separation = "list" | "lines" | "events" | "single";

export interface LogValues {
  values: Json[];
  separation: Separation;
}

/** Splits a log into its JSON values: a list, server-sent events, or values one after another. */
export function splitLog(text: string): LogValues {
  const log = text.replace(/^\uFEFF/, "").trim();
  if (/^(?:data|event|id|retry)?:/.test(log))
    return { values: eventData(log).flatMap(jsonValues), separation: "events" };
  const complete = parse(log);
  if (Array.isArray(complete)) return { values: complete, separation: "list" };
  if (complete !== undefined) return { values: [complete], separation: "single" };
  const values = jsonValues(log);
  return { values, separation: values.length > 1 ? "lines" : "single" };
}

/** Returns the data of each server-sent event. */
function eventData(text: string): string[] {
  return text.split(/(?:\r\n|\r|\n){2,}/).map((event) =>
    event
      .split(/\r\n|\r|\n/)
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice("data:".length).trim())
      .join("\n"),
  );
}

/** Returns the JSON values in a text: those of its lines, or if a value has several, its brackets. */
function jsonValues(text: string): Json[] {
  const lines = text.split("\n").flatMap((line) => containerIn(line.trim().replace(/,$/, "")));
  return lines.length > 0 ? lines : text.split("\n").length > 1 ? bracketedValues(text) : [];
}

function containerIn(line: string): Json[] {
  const value = /^[[{]/.test(line) ? parse(line) : undefined;
  return value === undefined ? [] : [value];
}

/** Returns the values between brackets that match; text around them is skipped. */
function bracketedValues(text: string): Json[] {
  const values: Json[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === "{" || token === "[") {
      if (depth === 0) start = index;
      depth += 1;
    } else if ((token === "}" || token === "]") && depth > 0) {
      depth -= 1;
      const value = depth === 0 ? parse(text.slice(start, index + 1)) : undefined;
      if (value !== undefined) values.push(value);
    }
  }
  return values;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
