// A table of rows with different fields.

/** Shows rows in a table. The id of a node, and both ends of an edge, are buttons that call `onSelect`. */
export function showTable(table, rows, onSelect) {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const headings = fields.map((field) => createElement("th", field));
  const lines = rows.map((row) => {
    // The id of an edge is not that of a node.
    const nodeFields = "source" in row ? ["source", "target"] : ["id"];
    const cells = fields.map((field) => {
      if (row[field] === undefined) return createElement("td");
      const text = textOf(row[field]);
      if (!nodeFields.includes(field)) return createElement("td", text);
      const button = createElement("button", text);
      button.type = "button";
      button.addEventListener("click", () => onSelect(text));
      return createElement("td", button);
    });
    return createElement("tr", ...cells);
  });
  const head = rows.length > 0 ? [createElement("tr", ...headings)] : [];
  table.replaceChildren(...head, ...lines);
}

const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value));

function createElement(name, ...children) {
  const element = document.createElement(name);
  element.append(...children);
  return element;
}
