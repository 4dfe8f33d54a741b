import type { Json, SurfaceChange } from "byname";
import { type InstanceTrace, traceBindings } from "byname/devtools";
import { CollapsibleSections } from "../page/collapsible.js";
import { button, div, element, p, span } from "../page/element.js";
import { preserveFocus } from "../page/focus.js";
import { emptyPaneHint, formatCount, formatTime, moreHint } from "../page/format.js";
import { addPartTabs, type PartTabs } from "../page/tabs.js";
import { TokenTable } from "../tokens/view.js";
import type { Session } from "./session.js";

const tabNames = ["Changes", "Nodes", "Selected", "Actions", "Tokens"] as const;
type Part = (typeof tabNames)[number];
/** Maximum number of rows rendered. */
const maxRows = 120;

/** Inspector tabs: last changes, nodes, selected instance, actions, tokens. */
export class Inspector {
  #part: Part = "Changes";
  #session: Session | null = null;
  #selected: string | null = null;
  #drawPlanned = false;
  readonly #tokens = new TokenTable(() => this.refresh());
  /** Actions, or the messages that report them to the agent of a log. */
  readonly #actions: object[] = [];
  readonly #tabs: PartTabs<Part>;
  readonly #host: HTMLElement;
  readonly #folds = new CollapsibleSections();
  /** Reused in each rendering, so that it keeps focus and selection. */
  readonly #field = element("input", {
    type: "search",
    "aria-label": "Find a node",
    class: "find",
  });

  constructor(strip: HTMLElement, host: HTMLElement) {
    this.#host = host;
    this.#tabs = addPartTabs(strip, host, "why", tabNames, (part) => {
      this.#part = part;
      this.refresh();
    });
    host.setAttribute("role", "tabpanel");
    this.#field.addEventListener("input", () => this.refresh());
    this.open("Changes");
  }

  show(session: Session): void {
    this.#session = session;
    this.#selected = null;
    this.#actions.length = 0;
    this.refresh();
  }

  open(part: Part): void {
    this.#tabs.open(part);
  }

  /** Selects an instance; a click on a control does not change the tab. */
  select(key: string, show = true): void {
    this.#selected = key;
    if (show) this.open("Selected");
    else this.refresh();
  }

  actionTriggered(action: object): void {
    this.#actions.unshift(action);
    this.open("Actions");
  }

  /** Draws at most once per animation frame. */
  refresh(): void {
    if (this.#drawPlanned) return;
    this.#drawPlanned = true;
    requestAnimationFrame(() => {
      this.#drawPlanned = false;
      const top = this.#host.scrollTop;
      const content = this.#session
        ? this.#draw(this.#session)
        : [emptyPaneHint("Loading the core…")];
      preserveFocus(this.#host, () => this.#replaceContent(content));
      this.#host.scrollTop = top;
    });
  }

  #replaceContent(content: HTMLElement[]): void {
    const field = this.#field;
    if (content[0] !== field || field.parentElement !== this.#host) {
      this.#host.replaceChildren(...content);
      return;
    }
    // The input stays attached, because removing it cancels an input-method composition.
    while (field.nextSibling) field.nextSibling.remove();
    field.after(...content.slice(1));
  }

  #draw(session: Session): HTMLElement[] {
    switch (this.#part) {
      case "Changes":
        return renderChanges(session);
      case "Nodes":
        return this.#renderNodes(session);
      case "Selected":
        return this.#selectedInstance(session);
      case "Tokens":
        return this.#tokens.draw();
      case "Actions":
        if (this.#actions.length === 0)
          return [
            emptyPaneHint(
              "No action yet. Press a button in the surface to see its name and context.",
            ),
          ];
        return this.#actions
          .slice(0, 20)
          .map((one) => element("pre", { class: "card" }, JSON.stringify(one, null, 2)));
    }
  }

  #renderNodes(session: Session): HTMLElement[] {
    const nodes = Object.entries(session.store.export());
    if (nodes.length === 0)
      return [emptyPaneHint("No nodes yet. Press Play, or write one in the editor.")];
    const bound = new Map<string, string[]>();
    for (const [key, { bound: list }] of traceBindings(session)) {
      for (const { prop, node, ref } of list) {
        for (const id of new Set([node, ref])) {
          if (id !== null) bound.set(id, [...(bound.get(id) ?? []), `${key} · ${prop}`]);
        }
      }
    }
    this.#field.placeholder = `Find in ${nodes.length.toLocaleString()} nodes`;
    const wanted = this.#field.value.toLowerCase();
    const hits = nodes.filter(([id]) => id.toLowerCase().includes(wanted));
    return [
      this.#field,
      ...(hits.length === 0 ? [emptyPaneHint("No node matches.")] : []),
      ...hits
        .slice(0, maxRows)
        .map(([id, value]) => this.#renderNode(id, value, bound.get(id) ?? [])),
      ...moreHint(hits.length, maxRows),
    ];
  }

  #selectedInstance(session: Session): HTMLElement[] {
    const all = traceBindings(session);
    const one = this.#selected === null ? undefined : all.get(this.#selected);
    if (!one) return [emptyPaneHint("Click an element of the surface to see its bindings.")];
    const ancestors: InstanceTrace[] = [];
    for (
      let at: InstanceTrace | undefined = one;
      at;
      at = at.parent === null ? undefined : all.get(at.parent)
    )
      ancestors.unshift(at);
    return [
      element(
        "nav",
        { class: "breadcrumb", "aria-label": "Ancestors" },
        ...ancestors.map(({ instance }) =>
          button(instance.id, { class: "crumb", title: instance.key }, () =>
            this.select(instance.key),
          ),
        ),
      ),
      p(
        "card",
        element("strong", one.instance.component || "not defined yet"),
        " ",
        element("code", { class: "muted" }, one.instance.key),
      ),
      p(
        "muted",
        one.context === null
          ? "Context: the root, or a literal item."
          : `Context: node ${one.context}.`,
      ),
      ...one.bound.map(({ prop, binding, node: id, ref, value, status }) =>
        div(
          "card",
          div("line", element("strong", prop), renderValue({ binding } as unknown as Json)),
          div(
            "line",
            span("muted", "reads"),
            ...[id, ref]
              .filter((part) => part !== null)
              .map((part) => button(part, { class: "crumb" }, () => this.#findNode(part))),
          ),
          div("line", span("muted", status === "ok" ? "value" : status), renderValue(value)),
        ),
      ),
      ...(one.bound.length === 0
        ? [emptyPaneHint("No bindings: its properties are literals. Try an ancestor.")]
        : []),
    ];
  }

  #findNode(id: string): void {
    this.#field.value = id;
    this.open("Nodes");
  }

  #renderNode(id: string, value: Json, bound: readonly string[]): HTMLElement {
    const row = this.#folds.section(id, false, [
      element("code", { class: "id" }, id),
      renderValue(value),
      span("muted", bound.length === 0 ? "" : `${bound.length} bound`),
    ]);
    row.append(
      element(
        "ul",
        ...(bound.length === 0 ? ["Not read by any instance."] : bound.slice(0, 40)).map((one) =>
          element("li", element("code", one)),
        ),
      ),
    );
    return row;
  }
}

function renderChanges({ report }: Session): HTMLElement[] {
  const { changes: list, calls, time, characters } = report;
  const head = p(
    "sum",
    element("strong", report.title),
    span(
      "muted",
      `${formatCount(list.length, "change")} · ${formatCount(calls, "callback")} · ${formatTime(time)}`,
    ),
  );
  if (characters === 0 && list.length === 0)
    return [head, emptyPaneHint("The changes of each update appear here.")];
  if (list.length === 0)
    return [
      head,
      emptyPaneHint(
        report.ok
          ? "The surface is unchanged, so no listener was called."
          : "The update has errors and was not applied.",
      ),
    ];
  return [
    head,
    ...list.slice(-maxRows).reverse().map(renderChange),
    ...moreHint(list.length, maxRows),
  ];
}

function renderChange(one: SurfaceChange): HTMLElement {
  const row = div(`change ${one.kind}`, element("b", one.kind), element("code", one.key));
  if (one.kind === "set") row.append(span("to", `${one.prop} = `, renderValue(one.value)));
  else if (one.kind !== "unmount")
    row.append(
      span("to muted", one.before === null ? describePosition(one) : `before ${one.before}`),
    );
  return row;
}

/** Describes the position of an instance without a next sibling. */
function describePosition(one: SurfaceChange): string {
  if (one.kind !== "mount") return "to the end of its parent";
  return one.parent === null ? "as the root" : `at the end of ${one.parent}`;
}

function renderValue(value: Json): HTMLElement {
  const text = JSON.stringify(value);
  const shown = text.length > 160 ? `${text.slice(0, 160)}…` : text;
  const made = element("code", { class: "value" });
  for (const part of shown.split(/("\*[^"]*")/))
    made.append(part.startsWith('"*') ? span("t-pointer", part) : part);
  return made;
}
