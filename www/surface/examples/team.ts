import { bind, component, components, type Example, list, update } from "./example.js";

/** Opens the second tab of a row and focuses it, unless the user has the focus elsewhere. */
function openNotes(surface: HTMLElement): void {
  const rows = [...surface.querySelectorAll<HTMLElement>("[role=listitem]")];
  const tab = rows.at(-1)?.querySelectorAll<HTMLElement>("[role=tab]")[1];
  tab?.click();
  if (document.activeElement === document.body) tab?.focus({ preventScroll: true });
}

export const team: Example = {
  id: "team",
  title: "A team, as a model writes it",
  steps: [
    {
      title: "Components",
      note: "A list and one template for its rows. There is no data yet, so there are no rows.",
      text: components(
        component("root", "Column", { children: ["title", "people"] }),
        component("title", "Text", { variant: "h2", text: bind("title") }),
        component("people", "List", { children: list("person", "team") }),
        component("person", "Card", { child: "person_body" }),
        component("person_body", "Column", { children: ["person_head", "person_tabs"] }),
        component("person_head", "Row", {
          align: "center",
          justify: "spaceBetween",
          children: ["person_name", "person_status"],
        }),
        component("person_name", "Text", { variant: "h3", text: bind("name") }),
        component("person_status", "Text", { variant: "caption", text: bind("status") }),
        component("person_tabs", "Tabs", {
          tabs: [
            { title: "Work", child: "person_work" },
            { title: "Note", child: "person_note" },
          ],
        }),
        component("person_work", "Text", { text: bind("work") }),
        component("person_note", "TextField", { label: "Note", value: bind("note") }),
      ),
    },
    {
      title: "Data streams in",
      note: "Each node is shown as soon as it is complete. The list references missing people: a row appears when its node arrives.",
      stream: true,
      text: update({
        root: { title: "On this week", team: "*team" },
        team: ["*ada", "*bo", "*cy"],
        ada: { name: "Ada", status: "writing", work: "Reader and diagnostics", note: "" },
        bo: { name: "Bo", status: "away", work: "Surfaces", note: "" },
        cy: { name: "Cy", status: "reviewing", work: "Playground", note: "back on Monday" },
      }),
    },
    {
      title: "One node changes",
      note: "Only changed properties are reported and highlighted.",
      stream: true,
      text: update({ bo: { name: "Bo", status: "on call", work: "Surfaces", note: "" } }),
      simulateUser: openNotes,
    },
    {
      title: "The list is rewritten",
      note: "Cy moves to the front. The row is moved, not recreated: its open tab, focus and input are kept.",
      stream: true,
      text: update({ team: ["*cy", "*ada", "*bo"] }),
    },
    {
      title: "A node is removed",
      note: "`!ada` removes the node and its row, without an index.",
      stream: true,
      text: update({ "!ada": null }),
    },
    {
      title: "It returns",
      note: "The list still references `*ada`, so the row returns to its position.",
      stream: true,
      text: update({
        ada: { name: "Ada", status: "back", work: "Reader and diagnostics", note: "" },
      }),
    },
  ],
};
