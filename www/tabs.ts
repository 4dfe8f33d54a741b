import { element } from "./element.js";

/** Tabs that arrows walk through. Answers a function that chooses one by its `data-pane`. */
export function tabs(
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

/** Tabs for the parts of one host. Their names are what they are called. */
export function partTabs<Part extends string>(
  strip: HTMLElement,
  host: HTMLElement,
  prefix: string,
  parts: readonly Part[],
  chosen: (part: Part) => void,
): (part: Part) => void {
  const list = parts.map((part) => {
    const attributes = { role: "tab", id: `${prefix}-${part}`, "aria-controls": host.id };
    const tab = element("button", { type: "button", ...attributes, "data-pane": part }, part);
    strip.append(tab);
    return tab;
  });
  return tabs(list, (name) => {
    host.setAttribute("aria-labelledby", `${prefix}-${name}`);
    chosen(name as Part);
  });
}

/** On a phone one pane of a workbench is seen at a time. */
export function panes(bench: HTMLElement, first: string): (name: string) => void {
  const main = bench.querySelector<HTMLElement>(".panes");
  const choose = tabs([...bench.querySelectorAll<HTMLElement>(".switch [role=tab]")], (name) => {
    if (main) main.dataset["show"] = name;
  });
  choose(first);
  return choose;
}
