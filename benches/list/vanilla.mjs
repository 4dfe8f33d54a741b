// The table without a library: one cloned template per row and one listener for all.

const template = document.createElement("template");
template.innerHTML =
  '<tr><td class="col-md-1"></td><td class="col-md-4"><a></a></td><td class="col-md-1"><a><span class="glyphicon glyphicon-remove" aria-hidden="true"></span></a></td><td class="col-md-6"></td></tr>';

export function vanilla(host) {
  const body = createTable(host);
  const elements = new Map();
  let selected;
  const removeRow = (id) => {
    elements.get(id).remove();
    elements.delete(id);
  };
  const selectRow = (id) => {
    if (selected) selected.className = "";
    selected = elements.get(id);
    selected.className = "danger";
  };
  body.addEventListener("click", ({ target }) => {
    const cell = target.closest("td");
    const id = Number(cell?.parentNode.firstChild.textContent);
    if (cell?.className === "col-md-4") selectRow(id);
    else if (target.closest("a")) removeRow(id);
  });
  const append = (rows) => {
    for (const { id, label } of rows) {
      const element = template.content.firstChild.cloneNode(true);
      element.firstChild.textContent = id;
      element.firstChild.nextSibling.firstChild.textContent = label;
      elements.set(id, element);
      body.appendChild(element);
    }
  };
  const clear = () => {
    body.textContent = "";
    elements.clear();
    selected = undefined;
  };
  const apply = {
    replace: ({ rows }) => {
      clear();
      append(rows);
    },
    append: ({ rows }) => append(rows),
    update: ({ rows }) => {
      for (const { id, label } of rows)
        elements.get(id).firstChild.nextSibling.firstChild.firstChild.nodeValue = label;
    },
    select: ({ id }) => selectRow(id),
    swap: ({ first, afterFirst, last, afterLast }) => {
      body.insertBefore(elements.get(last), elements.get(afterFirst));
      body.insertBefore(elements.get(first), elements.get(afterLast));
    },
    remove: ({ id }) => removeRow(id),
    clear,
  };
  return fromText(apply, () => body.parentNode.remove());
}

/** Adds a table to an element. Returns its body. */
export function createTable(host) {
  const table = document.createElement("table");
  table.className = "table table-hover table-striped test-data";
  host.append(table);
  return table.appendChild(document.createElement("tbody"));
}

/** Returns a side whose changes arrive as JSON text, like the messages of an agent. */
export function fromText(apply, unmount) {
  return {
    prepare: (change) => {
      const text = JSON.stringify(change);
      return () => {
        const parsed = JSON.parse(text);
        apply[parsed.kind](parsed);
      };
    },
    unmount,
  };
}
