import type { Json } from "byname";

type Component = { id: string; component: string; [prop: string]: Json };

const textComponent = (id: string, binding: Json, variant: string): Component => ({
  id,
  component: "Text",
  variant,
  text: { binding },
});
const askAction = (binding: Json): Json => ({
  event: { name: "ask", context: { question: { binding } } },
});

/** Components of the answer page; only its nodes change. */
export const components: readonly Component[] = [
  { id: "root", component: "Column", children: ["question", "answer", "rows", "next"] },
  textComponent("question", { node: "question" }, "h2"),
  { ...textComponent("answer", { node: "answer" }, "body"), accessibility: { live: "polite" } },
  {
    id: "rows",
    component: "List",
    children: { binding: { node: "found", key: "rows" }, template: "row" },
  },
  { id: "row", component: "Card", child: "row_body" },
  { id: "row_body", component: "Column", children: ["row_head", "row_bar", "row_why"] },
  {
    id: "row_head",
    component: "Row",
    align: "center",
    children: ["row_words", "row_figure", "row_asks", "row_button"],
  },
  { id: "row_words", component: "Column", children: ["row_name", "row_detail"] },
  textComponent("row_name", { key: "name" }, "h3"),
  textComponent("row_detail", { key: "detail" }, "caption"),
  textComponent("row_figure", { key: "figure" }, "body"),
  { id: "row_asks", component: "Row", children: { binding: { key: "asks" }, template: "row_ask" } },
  {
    id: "row_ask",
    component: "Button",
    child: "row_ask_words",
    action: askAction({ key: "question" }),
  },
  textComponent("row_ask_words", { key: "label" }, "body"),
  {
    id: "row_button",
    component: "Button",
    child: "row_button_words",
    action: { event: { name: "why", context: { name: { binding: { key: "name" } } } } },
  },
  { id: "row_button_words", component: "Text", text: "Why?" },
  { id: "row_bar", component: "Bar", value: { binding: { key: "share" } } },
  { id: "row_why", component: "List", children: { binding: { key: "why" }, template: "source" } },
  { id: "source", component: "Column", children: ["source_text", "source_id"] },
  textComponent("source_text", { key: "text" }, "body"),
  textComponent("source_id", { key: "id" }, "caption"),
  { id: "next", component: "Row", children: { binding: { node: "next" }, template: "next_one" } },
  { id: "next_one", component: "Button", child: "next_words", action: askAction({}) },
  textComponent("next_words", {}, "body"),
];
