// Type test of catalogs with typed components: compiled, never run.

import { type Catalog, type Diagnostic, Surface } from "byname";
import { checkMessages, defineCatalog, type NamesOf, type PropsOf } from "byname/catalog";
import { basicCatalog } from "byname/dom";

const catalog = defineCatalog({
  id: "example.org/charts",
  components: {
    Chart: {
      description: "A line",
      props: {
        title: { type: "string", required: true },
        points: {
          type: "array",
          items: { properties: { x: { type: "number", required: true }, y: "number" } },
          required: true,
        },
        kind: ["line", "bar"],
        limit: { type: "integer", bindable: false },
        onPick: "action",
        legend: "component",
      },
    },
    Page: { props: { parts: { type: "children", required: true } } },
  },
});
const plain: Catalog = catalog;
new Surface({ catalog });
new Surface({ catalog: plain });

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const names: Equal<NamesOf<typeof catalog>, "Chart" | "Page"> = true;

declare const chart: PropsOf<typeof catalog, "Chart">;
const title: string | null = chart.title;
const kind: "line" | "bar" | undefined = chart.kind;
const limit: number | undefined = chart.limit;
const x: number | null | undefined = chart.points?.[0]?.x;
const y: number | null | undefined = chart.points?.[0]?.y;

// @ts-expect-error A binding may be missing, so the title may be null.
const sure: string = chart.title;
// @ts-expect-error No such property.
chart.tilte;
// @ts-expect-error Properties that name components are omitted.
chart.legend;
// @ts-expect-error Not one of the literals.
const area: typeof chart.kind = "area";
// @ts-expect-error A number.
const text: string | undefined = chart.limit;
// @ts-expect-error No such component.
type Nothing = PropsOf<typeof catalog, "Chrt">;
// @ts-expect-error No such type.
defineCatalog({ components: { A: { props: { a: "text" } } } });
declare const slider: PropsOf<typeof basicCatalog, "Slider">;
const max: number = slider.max;
const value: number | null = slider.value;
const weight: number | undefined = slider.weight;
declare const field: PropsOf<typeof basicCatalog, "TextField">;
const variant: "shortText" | "longText" | "number" | "obscured" | undefined = field.variant;

const more = basicCatalog.extend({ components: { Chart: { props: { points: "array" } } } });
const both: Equal<Extract<NamesOf<typeof more>, "Chart" | "Text">, "Chart" | "Text"> = true;

const tinted = more.extend({ common: { color: "string" } }).extend({ common: { shade: "number" } });
declare const drawn: PropsOf<typeof tinted, "Chart">;
const color: string | null | undefined = drawn.color;
const shade: number | null | undefined = drawn.shade;
const heavy: number | undefined = drawn.weight;
// @ts-expect-error No such property.
drawn.colour;
const replaced = tinted.extend({ common: { color: "boolean" } });
declare const other: PropsOf<typeof replaced, "Text">;
const isColored: boolean | null | undefined = other.color;

const written: string = more.prompt({ messages: ["updateDataModel"] });
const schema: { [key: string]: unknown } = more.schema({ list: true });
// @ts-expect-error No such message.
more.gbnf({ messages: ["updateNodes"] });

export type { Nothing };
export {
  area,
  both,
  color,
  heavy,
  isColored,
  kind,
  limit,
  max,
  names,
  schema,
  shade,
  sure,
  text,
  title,
  value,
  variant,
  weight,
  written,
  x,
  y,
};

export const told: Diagnostic[] = checkMessages(catalog, [{ createSurface: { surfaceId: "s" } }], {
  list: false,
});
// @ts-expect-error Messages are text, bytes or objects.
checkMessages(catalog, 1);
// @ts-expect-error A catalog must be created by `defineCatalog`.
checkMessages({ components: { Text: { props: { text: "string" } } } }, "");

const shelf = defineCatalog({
  components: { Book: { props: { title: "string" } } },
  common: { weight: "number" },
});
const coloured = shelf.extend({
  common: { color: "string" },
  components: { Chart: { props: { points: "number" } } },
});
declare const book: PropsOf<typeof coloured, "Book">;
declare const points: PropsOf<typeof coloured, "Chart">;
const bookTexts: [string | null | undefined, string | null | undefined] = [book.title, book.color];
const weights: [number | null | undefined, number | null | undefined] = [
  book.weight,
  points.weight,
];
const basics = basicCatalog.extend({ common: { color: "string" } });
declare const words: PropsOf<typeof basics, "Text">;
const all: (string | number | null | undefined)[] = [words.text, words.color, words.weight];

export { all, bookTexts, weights };
