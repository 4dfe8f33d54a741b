import type { Diagnostic } from "byname";
import type { Repair } from "../editor/problem.js";

/** The edit that a help describes, where it is plain what it would be. */
export function repairOf(diagnostic: Diagnostic, text: string): Repair | null {
  const { help, location } = diagnostic;
  const meant = nearly(diagnostic, text);
  if (meant) return meant;
  if (!help || location?.kind !== "text" || location.end <= location.start) return null;
  const { start, end } = location;
  for (const make of [comma, key, quoted, fence]) {
    const repair = make(help, text, start, end);
    if (repair) return repair;
  }
  return spelled(help, text, start, end);
}

type Make = (help: string, text: string, start: number, end: number) => Repair | null;

const comma: Make = (help, text, start, end) => {
  const label = "Remove the comma";
  if (help === "remove this comma") return { start, end, words: "", label };
  const before = text.slice(0, start).trimEnd().length;
  if (help === "remove the comma before it" && text[before - 1] === ",") {
    return { start: before - 1, end: before, words: "", label };
  }
  // A comma helps where one value has ended and another begins.
  const between = /["}\]\w]/.test(text[before - 1] ?? "") && /["{[\w-]/.test(text[start] ?? "");
  if (!help.startsWith("put a comma between") || !between) return null;
  return { start: before, end: before, words: ",", label: "Put a comma" };
};

const key: Make = (help, text, start) => {
  if (help !== "put the key in double quotes") return null;
  const [name] = /^[\p{L}_$][\p{L}\d_$-]*/u.exec(text.slice(start, start + 200)) ?? [];
  return name === undefined ? null : write(start, start + name.length, JSON.stringify(name));
};

const quoted: Make = (help, text, start) => {
  if (!help.startsWith("write strings and keys in double quotes")) return null;
  const found = /^(?:'((?:[^'\\\n]|\\.)*)'|[“„‟]([^“”\n]*)[“”]|[‘’]([^‘’\n]*)[‘’])/.exec(
    text.slice(start),
  );
  if (!found) return null;
  const inner = found[1]?.replaceAll("\\'", "'") ?? found[2] ?? found[3] ?? "";
  // What is escaped stays so; only the marks around it and those inside are others now.
  const words = `"${inner.replace(/\\.|"/g, (part) => (part === '"' ? '\\"' : part))}"`;
  return write(start, start + found[0].length, words);
};

const fence: Make = (help, text) => {
  if (!help.endsWith("without a Markdown fence")) return null;
  const inner = /^\s*```[^\n]*\n([\s\S]*?)(?:\n\s*```[\s\S]*)?$/.exec(text)?.[1];
  if (inner === undefined) return null;
  return { start: 0, end: text.length, words: inner, label: "Remove the fence" };
};

/** The one literal text that the help says to write: it may name other text too. */
const spelled: Make = (help, text, start, end) => {
  const named = [...help.matchAll(/write `([^`]+)`/g)].map((match) => match[1] ?? "");
  const [only] = named;
  if (named.length !== 1 || only === undefined) return null;
  const standing = text.slice(start, end);
  const words = standing.startsWith('"') && !/^["{[]/.test(only) ? JSON.stringify(only) : only;
  return words === standing ? null : write(start, end, words);
};

/** A name that was nearly written: in its place where that is told, else where the text has it, if it has it once. */
function nearly({ help = "", message, location }: Diagnostic, text: string): Repair | null {
  const near = /did you mean `([^`]+)`/.exec(`${help} ${message}`)?.[1];
  const names = [...message.matchAll(/`"?([^`"]+)"?`/g)].map(([, name = ""]) => `"${name}"`);
  if (near === undefined) return null;
  const found =
    location?.kind === "text" ? placeOf(names, text, location) : onlyPlaceOf(names, text);
  return found && write(...found, JSON.stringify(near));
}

type Place = [start: number, end: number];

/** What is told of a property stands at its value. */
function placeOf(
  names: readonly string[],
  text: string,
  { start, end }: { start: number; end: number },
): Place | null {
  const [before = "", key] =
    /("[^"]*")\s*:\s*$/.exec(text.slice(Math.max(0, start - 200), start)) ?? [];
  if (names.includes(text.slice(start, end)) && key !== names.at(-1)) return [start, end];
  const at = start - before.length;
  return key !== undefined && names.includes(key) ? [at, at + key.length] : null;
}

function onlyPlaceOf([name = ""]: readonly string[], text: string): Place | null {
  const start = text.indexOf(name);
  return start < 0 || text.includes(name, start + 1) ? null : [start, start + name.length];
}

function write(start: number, end: number, words: string): Repair {
  const shown = words.length > 40 ? `${words.slice(0, 40)}…` : words;
  return { start, end, words, label: `Write ${shown}` };
}
