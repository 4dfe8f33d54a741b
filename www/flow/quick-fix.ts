import type { Diagnostic } from "byname";
import type { Problem, QuickFix } from "../editor/problem.js";
import { quickFixFor as jsonQuickFix } from "../surface/quick-fix.js";
import { locatePointer } from "./json-pointer.js";

/** Adds the range in this text and a fix to a diagnostic. */
export function toProblem(diagnostic: Diagnostic, text: string, within = ""): Problem {
  const { location } = diagnostic;
  const pointer = location?.kind === "pointer" ? location.pointer : null;
  const range =
    location?.kind === "text"
      ? { start: location.start, end: location.end }
      : pointer?.startsWith(within) && pointer !== ""
        ? locatePointer(text, within === "" ? nodeIdPointer(pointer) : pointer.slice(within.length))
        : null;
  const repair = range && quickFixFor(diagnostic, text, range);
  return { diagnostic, range, fixes: repair ? [repair] : [] };
}

/** Narrows a pointer to a node to its id, because a mark over many lines hides them. */
function nodeIdPointer(pointer: string): string {
  return pointer.replace(/^\/nodes\/\d+$/, "$&/id");
}

function quickFixFor(
  diagnostic: Diagnostic,
  text: string,
  place: { start: number; end: number },
): QuickFix | null {
  const { code, help = "", message } = diagnostic;
  if (code.startsWith("JSON")) return jsonQuickFix(diagnostic, text);
  const name = /`([^`]+)`/.exec(message)?.[1];
  const suggestion = /^did you mean `([^`]+)`/.exec(help)?.[1];
  if (name === undefined) return null;
  if (code === "FLOW003") return replaceName(text, place, name, unusedName(text, name));
  return suggestion === undefined ? null : replaceName(text, place, name, suggestion);
}

/** Replaces a name in the range, or the key of its value. */
function replaceName(
  text: string,
  { start, end }: { start: number; end: number },
  name: string,
  replacement: string,
): QuickFix | null {
  const inside = text.slice(start, end).indexOf(name);
  const before = text.lastIndexOf(`"${name}"`, start);
  const from = inside >= 0 ? start + inside : before < 0 ? -1 : before + 1;
  if (from < 0) return null;
  return { start: from, end: from + name.length, text: replacement, label: `Write ${replacement}` };
}

/** Returns a name that the text does not contain. */
function unusedName(text: string, name: string): string {
  let number = 2;
  while (text.includes(`"${name}${number}"`)) number += 1;
  return `${name}${number}`;
}
