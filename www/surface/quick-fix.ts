import type { Diagnostic } from "byname";
import type { QuickFix } from "../editor/problem.js";

/** Returns the fix that the help describes, or null if it is ambiguous. */
export function quickFixFor(diagnostic: Diagnostic, text: string): QuickFix | null {
  const { help, location } = diagnostic;
  const typoFix = fixTypo(diagnostic, text);
  if (typoFix) return typoFix;
  if (!help || location?.kind !== "text" || location.end <= location.start) return null;
  const { start, end } = location;
  for (const rule of [fixComma, quoteKey, fixQuotes, removeFence]) {
    const repair = rule(help, text, start, end);
    if (repair) return repair;
  }
  return writeSuggestedText(help, text, start, end);
}

type FixRule = (help: string, text: string, start: number, end: number) => QuickFix | null;

const fixComma: FixRule = (help, text, start, end) => {
  const label = "Remove the comma";
  if (help === "remove this comma") return { start, end, text: "", label };
  const before = text.slice(0, start).trimEnd().length;
  if (help === "remove the comma before it" && text[before - 1] === ",") {
    return { start: before - 1, end: before, text: "", label };
  }
  // A comma belongs between the end of a value and the start of another. A word after a quote is
  // text of the string instead.
  const next = /^(?:["{[\d-]|(?:true|false|null|None|True|False)\b)/;
  const between =
    /["}\]\w]/.test(text[before - 1] ?? "") && next.test(text.slice(start, start + 20));
  if (!help.startsWith("put a comma between") || !between) return null;
  return { start: before, end: before, text: ",", label: "Insert a comma" };
};

const quoteKey: FixRule = (help, text, start) => {
  if (help !== "put the key in double quotes") return null;
  const [name] = /^[\p{L}_$][\p{L}\d_$-]*/u.exec(text.slice(start, start + 200)) ?? [];
  return name === undefined
    ? null
    : replacementFix(start, start + name.length, JSON.stringify(name));
};

const fixQuotes: FixRule = (help, text, start) => {
  if (!help.startsWith("write strings and keys in double quotes")) return null;
  const found = /^(?:'((?:[^'\\\n]|\\.)*)'|[“„‟]([^“”\n]*)[“”]|[‘’]([^‘’\n]*)[‘’])/.exec(
    text.slice(start),
  );
  if (!found) return null;
  const inner = found[1]?.replaceAll("\\'", "'") ?? found[2] ?? found[3] ?? "";
  // Keeps escapes; escapes inner double quotes.
  const words = `"${inner.replace(/\\.|"/g, (part) => (part === '"' ? '\\"' : part))}"`;
  return replacementFix(start, start + found[0].length, words);
};

const removeFence: FixRule = (help, text) => {
  if (!help.endsWith("without a Markdown fence")) return null;
  const inner = /^\s*```[^\n]*\n([\s\S]*?)(?:\n\s*```[\s\S]*)?$/.exec(text)?.[1];
  if (inner === undefined) return null;
  return { start: 0, end: text.length, text: inner, label: "Remove the fence" };
};

/** Writes the single literal that the help suggests. */
const writeSuggestedText: FixRule = (help, text, start, end) => {
  const named = [...help.matchAll(/write `([^`]+)`/g)].map((match) => match[1] ?? "");
  const [only] = named;
  if (named.length !== 1 || only === undefined) return null;
  const existing = text.slice(start, end);
  const words = existing.startsWith('"') && !/^["{[]/.test(only) ? JSON.stringify(only) : only;
  return words === existing ? null : replacementFix(start, end, words);
};

/** Replaces a misspelled name in the range of the diagnostic, or else at its only occurrence. */
function fixTypo({ help = "", message, location }: Diagnostic, text: string): QuickFix | null {
  const suggestion = /did you mean `([^`]+)`/.exec(`${help} ${message}`)?.[1];
  const names = [...message.matchAll(/`"?([^`"]+)"?`/g)].map(([, name = ""]) => `"${name}"`);
  if (suggestion === undefined) return null;
  const found =
    location?.kind === "text" ? rangeOfName(names, text, location) : onlyRangeOf(names, text);
  return found && replacementFix(...found, JSON.stringify(suggestion));
}

type Range = [start: number, end: number];

/** Returns the range of a name. The range of a property is that of its value. */
function rangeOfName(
  names: readonly string[],
  text: string,
  { start, end }: { start: number; end: number },
): Range | null {
  const [before = "", key] =
    /("[^"]*")\s*:\s*$/.exec(text.slice(Math.max(0, start - 200), start)) ?? [];
  if (names.includes(text.slice(start, end)) && key !== names.at(-1)) return [start, end];
  const at = start - before.length;
  return key !== undefined && names.includes(key) ? [at, at + key.length] : null;
}

function onlyRangeOf([name = ""]: readonly string[], text: string): Range | null {
  const start = text.indexOf(name);
  return start < 0 || text.includes(name, start + 1) ? null : [start, start + name.length];
}

function replacementFix(start: number, end: number, text: string): QuickFix {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return { start, end, text, label: `Write ${shown}` };
}
