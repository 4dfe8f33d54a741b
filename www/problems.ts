import type { Diagnostic } from "byname";
import type { Editor } from "./editor.js";
import { button, element } from "./element.js";

/** The list below the text: what is wrong, where, and what to do; a repair that is spelled out becomes a button. */
export function showProblems(
  host: HTMLElement,
  found: readonly Diagnostic[],
  standing: readonly Diagnostic[],
  editor: Editor,
  apply: () => void,
): void {
  const text = editor.text;
  editor.mark(
    found.flatMap(({ location, severity }) =>
      location?.kind === "text" ? [{ start: location.start, end: location.end, severity }] : [],
    ),
  );
  const known = new Set(found.map(({ code, message }) => code + message));
  const rest = standing
    .filter(({ code, message }) => !known.has(code + message))
    .map(({ location: _, ...one }) => one);
  host.replaceChildren(
    ...[...found, ...rest].slice(0, 50).map((one) => item(one, text, editor, apply)),
  );
  host.hidden = found.length + rest.length === 0;
}

function item(one: Diagnostic, text: string, editor: Editor, apply: () => void): HTMLElement {
  const place = one.location;
  const head = element(
    "div",
    { class: "problem-head" },
    element("span", { class: `dot ${one.severity}` }),
    element("code", {}, one.code),
  );
  if (place?.kind === "text") {
    const { start, end } = place;
    head.append(
      button(lineAndColumn(text, start), { class: "place", title: "Show the place" }, () =>
        editor.reveal(start, end),
      ),
    );
  } else if (place) head.append(element("code", { class: "soft" }, place.pointer));
  const made = element("div", { class: "problem" }, head, element("p", {}, ...ticks(one.message)));
  if (one.help) made.append(element("p", { class: "soft" }, ...ticks(one.help)));
  const repair = repairOf(one, text);
  if (repair) {
    const { start, end, words } = repair;
    made.append(
      button(`Write ${words}`, { class: "small" }, () => {
        editor.replace(start, end, words);
        apply();
      }),
    );
  }
  return made;
}

/** The one literal text that the help names, where it differs from what stands there. */
function repairOf(
  { help, location }: Diagnostic,
  text: string,
): { start: number; end: number; words: string } | null {
  if (!help || location?.kind !== "text" || location.end <= location.start) return null;
  // Only what the help says to write: it may name other text too.
  const named = [...help.matchAll(/write `([^`]+)`/g)].map((match) => match[1] ?? "");
  const [only] = named;
  if (named.length !== 1 || only === undefined) return null;
  const standing = text.slice(location.start, location.end);
  const words = standing.startsWith('"') && !/^["{[]/.test(only) ? JSON.stringify(only) : only;
  return words === standing ? null : { start: location.start, end: location.end, words };
}

function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

/** A message with what stands between backticks as code. */
export function ticks(message: string): (Node | string)[] {
  return message
    .split("`")
    .map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));
}
