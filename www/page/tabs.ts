import { element } from "./element.js";

/** Adds arrow-key navigation to tabs; returns a function that selects one by its `data-pane`. */
export function wireTabs(
  list: readonly HTMLElement[],
  chosen: (name: string) => void,
): (name: string) => void {
  const choose = (tab: HTMLElement): void => {
    for (const one of list) {
      one.setAttribute("aria-selected", String(one === tab));
      one.tabIndex = one === tab ? 0 : -1;
    }
    chosen(tab.dataset["pane"] ?? "");
  };
  list.forEach((tab, index) => {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const to =
        list[(index + ({ ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0) + list.length) % list.length];
      if (!to || to === tab) return;
      choose(to);
      to.focus();
    });
  });
  return (name) => {
    const found = list.find((tab) => tab.dataset["pane"] === name);
    if (found) choose(found);
  };
}

export interface PartTabs<Part> {
  /** Opens a part; later calls of `openUnlessChosen` apply again. */
  open(part: Part): void;
  /** Opens a part, unless the user has chosen one. */
  openUnlessChosen(part: Part): void;
}

/** Creates a tab for each part of a host. */
export function addPartTabs<Part extends string>(
  strip: HTMLElement,
  host: HTMLElement,
  prefix: string,
  parts: readonly Part[],
  shown: (part: Part) => void,
): PartTabs<Part> {
  let now: Part | null = null;
  let chosenByUser = false;
  const list = parts.map((part) => {
    const attributes = { role: "tab", id: `${prefix}-${part}`, "aria-controls": host.id };
    const tab = element("button", { type: "button", ...attributes, "data-pane": part }, part);
    strip.append(tab);
    return tab;
  });
  const choose = wireTabs(list, (name) => {
    now = name as Part;
    host.setAttribute("aria-labelledby", `${prefix}-${name}`);
    shown(now);
  });
  for (const type of ["click", "keydown"]) {
    strip.addEventListener(type, () => {
      chosenByUser = true;
    });
  }
  return {
    open(part) {
      chosenByUser = false;
      choose(part);
    },
    openUnlessChosen(part) {
      if (!chosenByUser && part !== now) choose(part);
    },
  };
}

/** Adds the tabs that select a pane on narrow screens. */
export function wirePanes(bench: HTMLElement, first: string): (name: string) => void {
  const main = bench.querySelector<HTMLElement>(".panes");
  const choose = wireTabs(
    [...bench.querySelectorAll<HTMLElement>(".switch [role=tab]")],
    (name) => {
      if (main) main.dataset["show"] = name;
    },
  );
  choose(first);
  return choose;
}
