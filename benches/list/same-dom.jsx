// solid-js drawing exactly the elements of byname: for the basic catalog, and for the row component
// of the page. `page.mjs` compares the markup of both.
import { For } from "solid-js";
import { render } from "solid-js/web";
import { createModel } from "./solid.jsx";

/** Elements of the basic catalog. */
export function solidBasic(host) {
  const model = createModel();
  const isSelected = model.isSelected;
  const list = () => (
    <div class="bn-surface">
      <div class="bn-list bn" role="list" data-key="root" data-id="root">
        <For each={model.rows()}>
          {(row) => {
            const { id } = row;
            const key = `root/row:r${id}`;
            return (
              <div class="bn-item" role="listitem">
                <div class="bn-row bn" data-key={key} data-id="row">
                  <div
                    class="bn-text bn-body bn"
                    dir="auto"
                    data-key={`${key}/id`}
                    data-id="id"
                    textContent={id}
                  />
                  <button
                    class="bn-button bn"
                    type="button"
                    data-variant={isSelected(id) ? "primary" : "default"}
                    data-key={`${key}/pick`}
                    data-id="pick"
                    onClick={[model.select, id]}
                  >
                    <div
                      class="bn-text bn-body bn"
                      dir="auto"
                      data-key={`${key}/pick/label`}
                      data-id="label"
                      textContent={row.label()}
                    />
                  </button>
                  <button
                    class="bn-button bn"
                    type="button"
                    data-variant="borderless"
                    data-key={`${key}/drop`}
                    data-id="drop"
                    onClick={[model.remove, id]}
                  >
                    <div
                      class="bn-text bn-body bn"
                      dir="auto"
                      data-key={`${key}/drop/cross`}
                      data-id="cross"
                    >
                      x
                    </div>
                  </button>
                </div>
              </div>
            );
          }}
        </For>
      </div>
    </div>
  );
  return model.side(render(list, host));
}

/** Elements of the table and row components of the page. */
export function solidOwn(host) {
  const model = createModel();
  const isSelected = model.isSelected;
  const table = () => (
    <div class="bn-surface">
      <table class="table table-hover table-striped test-data bn" data-key="root" data-id="root">
        <tbody>
          <For each={model.rows()}>
            {(row) => {
              const { id } = row;
              return (
                <tr
                  class={isSelected(id) ? "bn danger" : "bn"}
                  data-key={`root/row:r${id}`}
                  data-id="row"
                >
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
    </div>
  );
  return model.side(render(table, host));
}
