// The table in lit: one template per row, keyed by `repeat`, as in js-framework-benchmark.
import { html, nothing, render } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { rowsAfter } from "../data/table.mjs";
import { fromText } from "./vanilla.mjs";

export function lit(host) {
  let rows = [];
  let selected = null;
  const apply = (change) => {
    rows = rowsAfter(rows, change);
    if (change.kind === "select") selected = change.id;
    draw();
  };
  const rowTemplate = ({ id, label }) => html`<tr class=${id === selected ? "danger" : ""}>
    <td class="col-md-1">${id}</td>
    <td class="col-md-4"><a @click=${() => apply({ kind: "select", id })}>${label}</a></td>
    <td class="col-md-1"><a @click=${() => apply({ kind: "remove", id })}
      ><span class="glyphicon glyphicon-remove" aria-hidden="true"></span></a></td>
    <td class="col-md-6"></td>
  </tr>`;
  const draw = () =>
    render(
      html`<table class="table table-hover table-striped test-data"><tbody>${repeat(rows, ({ id }) => id, rowTemplate)}</tbody></table>`,
      host,
    );
  draw();
  const byKind = new Proxy({}, { get: () => apply });
  return fromText(byKind, () => render(nothing, host));
}
