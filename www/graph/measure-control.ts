import { div, element, span } from "../page/element.js";
import type { GraphModel } from "./graph-model.js";
import {
  fieldValues,
  type Measure,
  measureOf,
  type NodeStyle,
  numericColumns,
  numericFields,
} from "./measures.js";
import type { Result } from "./result.js";

/** Prefixes of the option values: columns of the result, and fields of the nodes. */
const columnPrefix = "column:";
const fieldPrefix = "field:";

/** Selects that show a measure as size or colour of the nodes, and the format of the file. */
export class MeasureControl {
  readonly element: HTMLElement;
  readonly #size = element("select", { id: "graph-size" });
  readonly #colour = element("select", { id: "graph-colour" });
  readonly #labels = [
    element("label", "Size ", this.#size),
    element("label", "Colour ", this.#colour),
  ];
  readonly #format = span("read-as");

  constructor(changed: () => void) {
    this.element = div("measures", ...this.#labels, this.#format);
    this.element.hidden = true;
    for (const one of [this.#size, this.#colour]) one.addEventListener("change", changed);
  }

  /** Selects no measure, for another graph. */
  reset(): void {
    for (const one of [this.#size, this.#colour]) one.replaceChildren();
  }

  /** Offers the numeric columns of the result and the numeric node fields. */
  offerMeasures(graph: GraphModel, result: Result | null): void {
    const columns = numericColumns(result);
    const fields = numericFields(graph.summary);
    for (const one of [this.#size, this.#colour]) fillSelect(one, columns, fields);
    const hasMeasures = columns.length + fields.length > 0 || this.#size.options.length > 1;
    for (const one of this.#labels) one.hidden = !hasMeasures;
    this.#format.textContent = graph.format === "" ? "" : `Read as ${graph.format}`;
    this.element.hidden = !hasMeasures && graph.format === "";
  }

  /** Returns the selected measures; one that the result does not have is null. */
  async selectedStyle(graph: GraphModel, result: Result | null): Promise<NodeStyle> {
    const [size, colour] = [this.#size.value, this.#colour.value];
    const read = async (value: string): Promise<Measure | null> => {
      if (value.startsWith(columnPrefix)) {
        const name = value.slice(columnPrefix.length);
        return measureOf(name, result?.numbers.get(name));
      }
      if (!value.startsWith(fieldPrefix)) return null;
      const name = value.slice(fieldPrefix.length);
      return measureOf(name, fieldValues(await graph.view(result), name));
    };
    return { size: await read(size), colour: await read(colour) };
  }
}

/** Fills a select and keeps its value, also if the current result does not have it. */
function fillSelect(select: HTMLSelectElement, columns: string[], fields: string[]): void {
  const { value } = select;
  const option = (prefix: string, name: string, label = name): HTMLOptionElement =>
    element("option", { value: prefix + name }, label);
  const group = (label: string, options: HTMLOptionElement[]): HTMLElement[] =>
    options.length === 0 ? [] : [element("optgroup", { label }, ...options)];
  const name = value.slice(columnPrefix.length);
  const absent = value.startsWith(columnPrefix) && !columns.includes(name);
  select.replaceChildren(
    element("option", { value: "" }, "none"),
    ...group("Result", [
      ...columns.map((one) => option(columnPrefix, one)),
      ...(absent ? [option(columnPrefix, name, `${name} (not in this result)`)] : []),
    ]),
    ...group(
      "Node fields",
      fields.map((one) => option(fieldPrefix, one)),
    ),
  );
  select.value = value;
  if (select.selectedIndex < 0) select.value = "";
}
