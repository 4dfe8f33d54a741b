// The table in solid-js, with a signal per label and a selector, as in js-framework-benchmark.
import { batch, createSelector, createSignal, For } from "solid-js";
import { render } from "solid-js/web";
import { fromText } from "./vanilla.mjs";

export function solid(host) {
  const model = createModel();
  const isSelected = model.isSelected;
  const unmount = render(
    () => (
      <table class="table table-hover table-striped test-data">
        <tbody>
          <For each={model.rows()}>
            {(row) => {
              const { id } = row;
              return (
                <tr class={isSelected(id) ? "danger" : ""}>
                  <td class="col-md-1" textContent={id} />
                  <td class="col-md-4">
                    <a onClick={[model.select, id]} textContent={row.label()} />
                  </td>
                  <td class="col-md-1">
                    <a onClick={[model.remove, id]}>
                      <span class="glyphicon glyphicon-remove" aria-hidden="true" />
                    </a>
                  </td>
                  <td class="col-md-6" />
                </tr>
              );
            }}
          </For>
        </tbody>
      </table>
    ),
    host,
  );
  return model.side(unmount);
}

/** Returns the rows as signals, and the operations on them. */
export function createModel() {
  const [rows, setRows] = createSignal([]);
  const [selected, select] = createSignal(null);
  const isSelected = createSelector(selected);
  const toSignals = (list) =>
    list.map(({ id, label }) => {
      const [read, write] = createSignal(label);
      return { id, label: read, setLabel: write };
    });
  const remove = (id) =>
    setRows((list) =>
      list.toSpliced(
        list.findIndex((row) => row.id === id),
        1,
      ),
    );
  const apply = {
    replace: (change) => setRows(toSignals(change.rows)),
    append: (change) => setRows((list) => [...list, ...toSignals(change.rows)]),
    update: (change) =>
      batch(() => {
        const labels = new Map(change.rows.map(({ id, label }) => [id, label]));
        for (const row of rows()) {
          const label = labels.get(row.id);
          if (label !== undefined) row.setLabel(label);
        }
      }),
    select: ({ id }) => select(id),
    swap: ({ first, last }) =>
      setRows((list) => {
        const place = (id) => list.findIndex((row) => row.id === id);
        const [from, to] = [place(first), place(last)];
        return list.with(from, list[to]).with(to, list[from]);
      }),
    remove: ({ id }) => remove(id),
    clear: () => setRows([]),
  };
  return { rows, select, remove, isSelected, side: (unmount) => fromText(apply, unmount) };
}
