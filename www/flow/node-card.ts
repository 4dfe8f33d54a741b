import { button, div, element, p, span } from "../page/element.js";
import { truncate } from "../page/format.js";
import type { DiagramNode, ReadPort, WorkflowDiagram, WritePort } from "./diagram.js";

/** Whether a column of the diagram uses the names before or after mapping. */
export type MappingStage = "before" | "after";

/** Writers and readers of each name, before or after mapping. */
export interface NameUses {
  writers: Map<string, string[]>;
  readers: Map<string, string[]>;
}

/** Returns the names of a port before or after mapping, the alias included. */
export function portNamesAtStage(port: ReadPort | WritePort, stage: MappingStage): string[] {
  if (stage === "before") return [port.plainName];
  if ("label" in port) return port.mappedName === null || port.isParam ? [] : [port.mappedName];
  return [
    ...(port.mappedName === null ? [] : [port.mappedName]),
    ...(port.alias === null ? [] : [port.alias]),
  ];
}

/** Collects the nodes that write and read each name, before or after mapping. */
export function collectUses(diagram: WorkflowDiagram, stage: MappingStage): NameUses {
  const uses: NameUses = { writers: new Map(), readers: new Map() };
  const addUse = (map: Map<string, string[]>, names: string[], nodeId: string): void => {
    for (const name of names) map.set(name, [...(map.get(name) ?? []), nodeId]);
  };
  for (const name of diagram.inputs) addUse(uses.writers, [name], "the inputs");
  for (const { id, reads, writes, failureNames } of diagram.nodes) {
    addUse(uses.writers, failureNames, id);
    for (const read of reads)
      if (!read.isParam) addUse(uses.readers, portNamesAtStage(read, stage), id);
    for (const write of writes) addUse(uses.writers, portNamesAtStage(write, stage), id);
  }
  for (const { reads } of diagram.outputs) {
    for (const read of reads) addUse(uses.readers, portNamesAtStage(read, stage), "the outputs");
  }
  return uses;
}

/** Actions of the buttons of a card. */
export interface CardActions {
  pick: (id: string) => void;
  /** Opens the workflow that the node runs. */
  open: (id: string) => void;
}

/** Renders a node before or after mapping. */
export function nodeCard(
  box: DiagramNode,
  stage: MappingStage,
  uses: NameUses,
  { pick, open }: CardActions,
): HTMLElement {
  const head = div(
    "box-head",
    button(box.id, { class: "box-id", tabindex: "-1", title: "Show this node" }, () =>
      pick(box.id),
    ),
    span("kind", box.type),
    ...box.badges.map((mark) => span("muted badge", mark)),
    ...(box.hasWorkflow
      ? [
          button("Open", { class: "place", title: "Show its workflow", tabindex: "-1" }, () =>
            open(box.id),
          ),
        ]
      : []),
    span("box-state"),
  );
  const card = element("div", { class: `box side-${stage}`, "data-node": box.id }, head);
  if (box.purpose !== "") card.append(p("muted purpose", box.purpose));
  card.append(...renderPorts(box.reads, box.writes, stage, uses));
  return card;
}

/** Renders the cards of the workflow's inputs and outputs, or null if it has none. */
export function boundaryCards(
  diagram: WorkflowDiagram,
  stage: MappingStage,
  uses: NameUses,
): { top: HTMLElement | null; bottom: HTMLElement | null } {
  const end = (what: string, ...more: HTMLElement[]): HTMLElement =>
    element(
      "div",
      { class: `box end side-${stage}`, "data-node": what },
      div("box-head", span("muted", what)),
      ...more,
    );
  const inputs = diagram.inputs.map((mappedName): WritePort => {
    const write = {
      key: mappedName,
      plainName: mappedName,
      mappedName,
      alias: null,
      writers: 1,
      optional: false,
    };
    return write;
  });
  const top =
    inputs.length === 0 ? null : end("Inputs", ...renderPorts([], inputs, stage, uses, ""));
  const outputs = diagram.outputs.map(({ name, reads }) =>
    div(
      "ports",
      element("span"),
      span(
        "port-list one",
        element("code", { class: "port plain" }, name),
        span("muted", "←"),
        ...reads.map((read) => renderPort(read, stage, uses)),
        valueSlot(stage, `output ${name}`),
      ),
    ),
  );
  return { top, bottom: outputs.length === 0 ? null : end("Outputs", ...outputs) };
}

function renderPorts(
  reads: readonly ReadPort[],
  writes: readonly WritePort[],
  stage: MappingStage,
  uses: NameUses,
  head = "out",
): HTMLElement[] {
  const made: HTMLElement[] = [];
  if (reads.length > 0) {
    made.push(
      div(
        "ports",
        span("muted port-label", "in"),
        span("port-list", ...reads.map((read) => renderPort(read, stage, uses))),
      ),
    );
  }
  writes.forEach((write, index) => {
    made.push(
      div(
        "ports",
        span("muted port-label", index === 0 ? head : ""),
        span("port-list one", renderPort(write, stage, uses), valueSlot(stage, write.key)),
      ),
    );
  });
  return made;
}

/** Returns the empty element that a run fills with a value. */
function valueSlot(stage: MappingStage, key: string): HTMLElement {
  const made = element("span", { class: "box-value", "data-value": key });
  made.hidden = stage === "before";
  return made;
}

function renderPort(one: ReadPort | WritePort, stage: MappingStage, uses: NameUses): HTMLElement {
  const isRead = "label" in one;
  const words = isRead ? one.label : one.key;
  if (isRead && one.isParam) {
    const title = "Supplied by a param, so nothing is read";
    return element("span", { class: "port given", title }, words);
  }
  const names = portNamesAtStage(one, stage);
  const title = names.map((name) => describeUses(name, uses)).join("\n");
  const clash = !isRead && one.writers > 1;
  const to = one.mappedName;
  const renamed = stage === "after" && to !== null && to !== one.plainName;
  const state = [
    isRead ? "reads" : "writes",
    stage === "before" && clash ? "clash" : "",
    renamed ? "new" : "",
  ];
  const made = element("button", {
    type: "button",
    class: `port ${state.join(" ")}`,
    tabindex: "-1",
    title,
    "data-names": names.join("\n"),
  });
  if (stage === "before" || to === null) made.append(...labelBefore(words, one.plainName, isRead));
  else if (isRead) made.append(...readLabel(words, to));
  else made.append(...writeLabel(one, to, renamed));
  if (stage === "before" && clash) {
    made.append(span("many", `${(one as WritePort).writers} writers`));
  }
  return made;
}

/** Shows an author's own mapping too. */
function labelBefore(words: string, plain: string, isRead: boolean): (Node | string)[] {
  if (words === plain || words.startsWith("$")) return [words];
  return [words, span("arrow", isRead ? " ← " : " → "), plain];
}

function readLabel(words: string, from: string): (Node | string)[] {
  const own = words.replace(/^\$/, "");
  return own === from ? [words] : [words, span("arrow", " ← "), from];
}

function writeLabel(one: WritePort, to: string, renamed: boolean): (Node | string)[] {
  const was = span("was", one.key);
  const alias = one.alias === null ? [] : [span("alias", `and ${one.alias}`)];
  if (!renamed) return [to, ...alias];
  return [was, span("arrow", "→ "), to, ...alias];
}

function describeUses(name: string, { writers, readers }: NameUses): string {
  const formatIds = (list: string[] | undefined): string =>
    list === undefined ? "no node" : truncate([...new Set(list)].join(", "), 120);
  return `${name}: written by ${formatIds(writers.get(name))}, read by ${formatIds(readers.get(name))}`;
}
