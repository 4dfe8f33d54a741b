import type { GraphSummary } from "byname";
import { element, span } from "../page/element.js";
import type { GraphView } from "./graph-model.js";
import type { Result } from "./result.js";

/** Numbers by node id, with their range. */
export interface Measure {
  name: string;
  values: ReadonlyMap<string, number>;
  min: number;
  max: number;
}

/** Measures shown as size and colour of the nodes; null shows none. */
export interface NodeStyle {
  size: Measure | null;
  colour: Measure | null;
}

export const plainStyle: NodeStyle = { size: null, colour: null };

/** Radii of the smallest and largest value, and of a node without a value. */
const nodeRadii = { least: 4, most: 16, missing: 3 };

/** Returns a measure of numbers by node id, or null if there are none. */
export function measureOf(
  name: string,
  values: ReadonlyMap<string, number> | undefined,
): Measure | null {
  if (!values || values.size === 0) return null;
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values.values()) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return { name, values, min, max };
}

/** Returns the values of a numeric node field. */
export function fieldValues({ nodes }: GraphView, field: string): Map<string, number> {
  const values = new Map<string, number>();
  for (const { id, row } of nodes) {
    const value = row[field];
    if (typeof value === "number") values.set(id, value);
  }
  return values;
}

/** Returns the names of the node fields that contain numbers. */
export function numericFields({ node_fields }: GraphSummary): string[] {
  const fields = node_fields as { name: string; kind: string }[];
  return fields
    .filter(({ name, kind }) => kind === "number" && name !== "id")
    .map((one) => one.name);
}

/** Returns the columns of a result that have a number for nodes. */
export function numericColumns(result: Result | null): string[] {
  return [...(result?.numbers.keys() ?? [])];
}

/** Returns the position of a node in the range, from 0 to 1, or null without a value. */
export function shareOfRange(measure: Measure, id: string): number | null {
  const value = measure.values.get(id);
  if (value === undefined) return null;
  const { min, max } = measure;
  return max > min ? (value - min) / (max - min) : 1;
}

/** Returns the radius of a node; its area grows linearly with the measure. */
export function radiusOf({ size }: NodeStyle, id: string, degree: number): number {
  if (!size) return Math.min(11, 5 + Math.sqrt(degree));
  const part = shareOfRange(size, id);
  if (part === null) return nodeRadii.missing;
  return Math.sqrt(nodeRadii.least ** 2 + part * (nodeRadii.most ** 2 - nodeRadii.least ** 2));
}

/** Renders the ranges of size and colour for the legend. */
export function styleItems({ size, colour }: NodeStyle, { nodes }: GraphView): HTMLElement[] {
  const item = (kind: string, measure: Measure, icon: HTMLElement): HTMLElement => {
    const missing = nodes.reduce((sum, { id }) => sum + (measure.values.has(id) ? 0 : 1), 0);
    const without = missing > 0 ? `, ${missing.toLocaleString()} without` : "";
    const range = `${formatNumber(measure.min)} – ${formatNumber(measure.max)}`;
    return element("li", icon, `${kind}: ${measure.name} ${range}${without}`);
  };
  if (size && colour && isSame(size, colour))
    return [item("size and colour", colour, span("colour-scale"))];
  return [
    ...(size ? [item("size", size, span("size-scale", element("i"), element("i")))] : []),
    ...(colour ? [item("colour", colour, span("colour-scale"))] : []),
  ];
}

/** Returns whether two measures have the same name and range; a result can contain fewer nodes. */
function isSame(a: Measure, b: Measure): boolean {
  const sameRange = a.min === b.min && a.max === b.max && a.values.size === b.values.size;
  return a.name === b.name && sameRange;
}

const formatNumber = (value: number): string =>
  value.toLocaleString(undefined, {
    maximumSignificantDigits: 4,
    useGrouping: Math.abs(value) >= 10_000,
  });
