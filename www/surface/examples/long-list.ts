import type { HamNodes } from "byname";
import { bareNodes, bind, component, components, type Example, list } from "./example.js";

const rowCount = 10_000;
const id = (index: number): string => `r${index}`;
const orderNodes = (first: string[] = []): string[] => [
  ...first,
  ...Array.from({ length: rowCount }, (_, index) => `*${id(index)}`),
];

function allNodes(): HamNodes {
  const nodes: HamNodes = { root: { rows: "*rows" }, rows: orderNodes() };
  for (let index = 0; index < rowCount; index += 1)
    nodes[id(index)] = { name: `Row ${index}`, size: ((index * 7919) % 1000) + 1 };
  return nodes;
}

/** Long list; its texts are generated when the example is opened. */
export const longList: Example = {
  id: "rows",
  title: "Ten thousand rows",
  listEdits: true,
  get steps() {
    cachedSteps ??= createSteps();
    return cachedSteps;
  },
};
let cachedSteps: Example["steps"] | undefined;

function createSteps(): Example["steps"] {
  return [
    {
      title: "Components",
      note: "A list with a template of three components.",
      text: components(
        component("root", "List", { children: list("line", "rows") }),
        component("line", "Row", { align: "center", children: ["line_name", "line_size"] }),
        component("line_name", "Text", { weight: 1, text: bind("name") }),
        component("line_size", "Text", { variant: "caption", text: bind("size") }),
      ),
    },
    {
      title: "10,000 nodes",
      note: "One update. Only the rows near the window are in the document; scroll.",
      text: bareNodes(allNodes()),
    },
    {
      title: "Insert a row at the front",
      note: "The complete list is sent again with one more row. It causes one mount; no other row changes.",
      text: bareNodes({ fresh: { name: "Fresh", size: 1 }, rows: orderNodes(["*fresh"]) }),
    },
    {
      title: "One field",
      note: "One change.",
      text: bareNodes({ r2: { name: "Row 2, renamed", size: 838 } }),
    },
    {
      title: "Insert a row by id",
      note: "The extension `listEdits` names the neighbour instead of sending the list again.",
      text: bareNodes({
        other: { name: "Other", size: 2 },
        "+rows": { items: ["*other"], before: "*r0" },
      }),
    },
  ];
}
