import type { Diagnostic } from "byname";
import type { Editor } from "./editor.js";
import { button, element } from "./element.js";
import { repairOf } from "./repair.js";

/** More problems than this are not read. */
const most = 50;

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
  const show = (one: Diagnostic) => item(one, text, editor, apply);
  host.replaceChildren(
    ...found.slice(0, most).map(show),
    // These may be older than the text above.
    ...(rest.length > 0 ? [element("h3", {}, "In the surface as it stands")] : []),
    ...rest.slice(0, most).map(show),
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
    const { start, end, words, label } = repair;
    made.append(
      button(label, { class: "small" }, () => {
        editor.replace(start, end, words);
        apply();
      }),
    );
  }
  return made;
}

function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

/** A message with what stands between backticks as code; three in a row are a backtick. */
export function ticks(message: string): (Node | string)[] {
  return message
    .split(/`(`|[^`]*)`/)
    .map((part, index) => (index % 2 === 1 ? element("code", {}, part) : part));
}
