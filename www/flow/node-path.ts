import { button, element } from "../page/element.js";

/** Shows the path to an opened workflow inside of a node; an empty path hides it. */
export function showNodePath(
  host: HTMLElement,
  path: readonly string[],
  open: (path: readonly string[]) => void,
): void {
  const crumbs = ["Workflow", ...path].flatMap((name, index, all) =>
    index === all.length - 1
      ? [element("code", { class: "crumb-now", "aria-current": "location" }, name)]
      : [
          button(name, { class: "place" }, () => open(path.slice(0, index))),
          element("span", { class: "muted" }, "/"),
        ],
  );
  host.replaceChildren(...crumbs);
  host.hidden = path.length === 0;
}
