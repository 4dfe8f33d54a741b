import { button, element } from "../page/element.js";
import { cut } from "../page/format.js";
import type { Box, Read, Shape, Write } from "./diagram.js";

export type Side = "before" | "after";

/** Who writes and who reads each name, on one side. */
export interface Uses {
  writers: Map<string, string[]>;
  readers: Map<string, string[]>;
}

/** The names that a port stands for on a side: an alias is a second one. */
export function namesOf(port: Read | Write, side: Side): string[] {
  if (side === "before") return [port.plain];
  if ("words" in port) return port.from === null || port.given ? [] : [port.from];
  return [...(port.name === null ? [] : [port.name]), ...(port.alias === null ? [] : [port.alias])];
}

export function usesOf(shape: Shape, side: Side): Uses {
  const uses: Uses = { writers: new Map(), readers: new Map() };
  const note = (map: Map<string, string[]>, names: string[], who: string): void => {
    for (const name of names) map.set(name, [...(map.get(name) ?? []), who]);
  };
  for (const name of shape.inputs) note(uses.writers, [name], "the inputs");
  for (const { id, reads, writes } of shape.boxes) {
    for (const read of reads) if (!read.given) note(uses.readers, namesOf(read, side), id);
    for (const write of writes) note(uses.writers, namesOf(write, side), id);
  }
  for (const { reads } of shape.outputs) {
    for (const read of reads) note(uses.readers, namesOf(read, side), "the outputs");
  }
  return uses;
}

/** A node as it is written, or as it is mapped. */
export function card(box: Box, side: Side, uses: Uses, pick: (id: string) => void): HTMLElement {
  const head = element(
    "div",
    { class: "box-head" },
    button(box.id, { class: "box-id", tabindex: "-1", title: "Show this node" }, () =>
      pick(box.id),
    ),
    element("span", { class: "kind" }, box.type),
    ...box.marks.map((mark) => element("span", { class: "soft mark-word" }, mark)),
    element("span", { class: "box-state" }),
  );
  const made = element("div", { class: `box side-${side}`, "data-node": box.id }, head);
  if (box.purpose !== "") made.append(element("p", { class: "soft purpose" }, box.purpose));
  made.append(...ports(box.reads, box.writes, side, uses));
  return made;
}

/** What comes in from outside, and what goes out. */
export function ends(
  shape: Shape,
  side: Side,
  uses: Uses,
): { top: HTMLElement | null; bottom: HTMLElement | null } {
  const end = (what: string, ...more: HTMLElement[]): HTMLElement =>
    element(
      "div",
      { class: `box end side-${side}`, "data-node": what },
      element("div", { class: "box-head" }, element("span", { class: "soft" }, what)),
      ...more,
    );
  const inputs = shape.inputs.map((name): Write => {
    const write = { key: name, plain: name, name, alias: null, writers: 1, optional: false };
    return write;
  });
  const top = inputs.length === 0 ? null : end("Inputs", ...ports([], inputs, side, uses, ""));
  const outputs = shape.outputs.map(({ name, reads }) =>
    element(
      "div",
      { class: "ports" },
      element("span", {}),
      element(
        "span",
        { class: "port-list one" },
        element("code", { class: "port plain" }, name),
        element("span", { class: "soft" }, "←"),
        ...reads.map((read) => port(read, side, uses)),
        value(side, `output ${name}`),
      ),
    ),
  );
  return { top, bottom: outputs.length === 0 ? null : end("Outputs", ...outputs) };
}

function ports(
  reads: readonly Read[],
  writes: readonly Write[],
  side: Side,
  uses: Uses,
  head = "out",
): HTMLElement[] {
  const made: HTMLElement[] = [];
  if (reads.length > 0) {
    made.push(
      element(
        "div",
        { class: "ports" },
        element("span", { class: "soft way-word" }, "in"),
        element("span", { class: "port-list" }, ...reads.map((read) => port(read, side, uses))),
      ),
    );
  }
  writes.forEach((write, index) => {
    made.push(
      element(
        "div",
        { class: "ports" },
        element("span", { class: "soft way-word" }, index === 0 ? head : ""),
        element(
          "span",
          { class: "port-list one" },
          port(write, side, uses),
          value(side, write.key),
        ),
      ),
    );
  });
  return made;
}

/** Where the value of an output comes to stand. */
function value(side: Side, key: string): HTMLElement {
  const made = element("span", { class: "box-value", "data-value": key });
  made.hidden = side === "before";
  return made;
}

function port(one: Read | Write, side: Side, uses: Uses): HTMLElement {
  const isRead = "words" in one;
  const words = isRead ? one.words : one.key;
  if (isRead && one.given) {
    const title = "A param supplies it, so nothing is read";
    return element("span", { class: "port given", title }, words);
  }
  const names = namesOf(one, side);
  const told = names.map((name) => sentence(name, uses)).join("\n");
  const clash = !isRead && one.writers > 1;
  const to = isRead ? one.from : one.name;
  const renamed = side === "after" && to !== null && to !== one.plain;
  const state = [
    isRead ? "reads" : "writes",
    side === "before" && clash ? "clash" : "",
    renamed ? "new" : "",
  ];
  const made = element("button", {
    type: "button",
    class: `port ${state.join(" ")}`,
    tabindex: "-1",
    title: told,
    "data-names": names.join("\n"),
  });
  if (side === "before" || to === null) made.append(...written(words, one.plain, isRead));
  else if (isRead) made.append(...readWords(words, to));
  else made.append(...writeWords(one, to, renamed));
  if (side === "before" && clash) {
    made.append(element("span", { class: "many" }, `${(one as Write).writers} writers`));
  }
  return made;
}

/** An author's own mapping is written, too. */
function written(words: string, plain: string, isRead: boolean): (Node | string)[] {
  if (words === plain || words.startsWith("$")) return [words];
  return [words, element("span", { class: "arrow" }, isRead ? " ← " : " → "), plain];
}

function readWords(words: string, from: string): (Node | string)[] {
  const own = words.replace(/^\$/, "");
  return own === from ? [words] : [words, element("span", { class: "arrow" }, " ← "), from];
}

function writeWords(one: Write, to: string, renamed: boolean): (Node | string)[] {
  const was = element("span", { class: "was" }, one.key);
  const alias = one.alias === null ? [] : [element("span", { class: "alias" }, `and ${one.alias}`)];
  if (!renamed) return [to, ...alias];
  return [was, element("span", { class: "arrow" }, "→ "), to, ...alias];
}

function sentence(name: string, { writers, readers }: Uses): string {
  const who = (list: string[] | undefined): string =>
    list === undefined ? "nobody" : cut([...new Set(list)].join(", "), 120);
  return `${name}: written by ${who(writers.get(name))}, read by ${who(readers.get(name))}`;
}
