import type { Diagnostic } from "byname";
import type { Problem, Repair } from "../editor/problem.js";
import { repairOf as repairJson } from "../surface/quick-fix.js";
import { placeOf } from "./json-pointer.js";

/** A diagnostic with its place in this text, and what mends it. */
export function problem(diagnostic: Diagnostic, text: string, within = ""): Problem {
  const { location } = diagnostic;
  const pointer = location?.kind === "pointer" ? location.pointer : null;
  const place =
    location?.kind === "text"
      ? { start: location.start, end: location.end }
      : pointer?.startsWith(within) && pointer !== ""
        ? placeOf(text, within === "" ? named(pointer) : pointer.slice(within.length))
        : null;
  const repair = place && repairOf(diagnostic, text, place);
  return { diagnostic, place, repairs: repair ? [repair] : [] };
}

/** A whole node is told by its id: a mark over many lines hides them. */
function named(pointer: string): string {
  return pointer.replace(/^\/nodes\/\d+$/, "$&/id");
}

function repairOf(
  diagnostic: Diagnostic,
  text: string,
  place: { start: number; end: number },
): Repair | null {
  const { code, help = "", message } = diagnostic;
  if (code.startsWith("JSON")) return repairJson(diagnostic, text);
  const name = /`([^`]+)`/.exec(message)?.[1];
  const near = /^did you mean `([^`]+)`/.exec(help)?.[1];
  if (name === undefined) return null;
  if (code === "FLOW003") return instead(text, place, name, another(text, name));
  return near === undefined ? null : instead(text, place, name, near);
}

/** The name where it stands: in the place, or as the key of what stands there. */
function instead(
  text: string,
  { start, end }: { start: number; end: number },
  name: string,
  words: string,
): Repair | null {
  const inside = text.slice(start, end).indexOf(name);
  const before = text.lastIndexOf(`"${name}"`, start);
  const from = inside >= 0 ? start + inside : before < 0 ? -1 : before + 1;
  if (from < 0) return null;
  return { start: from, end: from + name.length, words, label: `Write ${words}` };
}

/** A name that nobody has yet. */
function another(text: string, name: string): string {
  let number = 2;
  while (text.includes(`"${name}${number}"`)) number += 1;
  return `${name}${number}`;
}
