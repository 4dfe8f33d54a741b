// The table in React: memoised rows with keys, as in js-framework-benchmark.
import { createElement as h, memo, useReducer } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { rowsAfter } from "../data/table.mjs";
import { fromText } from "./vanilla.mjs";

const Row = memo(function Row({ row: { id, label }, isSelected, dispatch }) {
  return h(
    "tr",
    { className: isSelected ? "danger" : "" },
    h("td", { className: "col-md-1" }, id),
    h(
      "td",
      { className: "col-md-4" },
      h("a", { onClick: () => dispatch({ kind: "select", id }) }, label),
    ),
    h(
      "td",
      { className: "col-md-1" },
      h(
        "a",
        { onClick: () => dispatch({ kind: "remove", id }) },
        h("span", { className: "glyphicon glyphicon-remove", "aria-hidden": "true" }),
      ),
    ),
    h("td", { className: "col-md-6" }),
  );
});

const reduce = ({ rows, selected }, change) => ({
  rows: rowsAfter(rows, change),
  selected: change.kind === "select" ? change.id : selected,
});

export function react(host) {
  let dispatchChange;
  const Table = () => {
    const [{ rows, selected }, dispatch] = useReducer(reduce, { rows: [], selected: null });
    dispatchChange = dispatch;
    return h(
      "table",
      { className: "table table-hover table-striped test-data" },
      h(
        "tbody",
        null,
        rows.map((row) => h(Row, { key: row.id, row, isSelected: row.id === selected, dispatch })),
      ),
    );
  };
  const root = createRoot(host);
  flushSync(() => root.render(h(Table)));
  const apply = (change) => flushSync(() => dispatchChange(change));
  const byKind = new Proxy({}, { get: () => apply });
  return fromText(byKind, () => flushSync(() => root.unmount()));
}
