import { components, type Example, update } from "./example.js";

/** Components and data of one screen in the order in which a model writes them. */
export const pieces: Example = {
  id: "pieces",
  title: "A surface that arrives in pieces",
  steps: [
    {
      title: "A frame",
      note: "The root references three missing components. Placeholders are shown.",
      stream: true,
      text: components(
        { id: "root", component: "Column", children: ["header", "weather", "plan"] },
        {
          id: "header",
          component: "Text",
          variant: "h2",
          text: { binding: { node: "trip", key: "name" } },
        },
      ),
    },
    {
      title: "Some data",
      note: "Data may arrive before the component that shows it.",
      stream: true,
      text: update({
        trip: { name: "Three days in Bergen" },
        today: { sky: "Light rain", warmth: "9 °C" },
      }),
    },
    {
      title: "A card",
      note: "The component replaces its placeholder; its data is already there.",
      stream: true,
      text: components(
        { id: "weather", component: "Card", child: "weather_row" },
        {
          id: "weather_row",
          component: "Row",
          align: "center",
          children: ["weather_icon", "weather_sky", "weather_warmth"],
        },
        { id: "weather_icon", component: "Icon", name: "info" },
        {
          id: "weather_sky",
          component: "Text",
          weight: 1,
          text: { binding: { node: "today", key: "sky" } },
        },
        {
          id: "weather_warmth",
          component: "Text",
          variant: "h3",
          text: { binding: { node: "today", key: "warmth" } },
        },
      ),
    },
    {
      title: "The list",
      note: "A list with a template, but no stops yet.",
      stream: true,
      text: components(
        {
          id: "plan",
          component: "List",
          children: { binding: { node: "trip", key: "stops" }, template: "stop" },
        },
        { id: "stop", component: "Card", child: "stop_body" },
        { id: "stop_body", component: "Column", children: ["stop_name", "stop_text"] },
        { id: "stop_name", component: "Text", variant: "h4", text: { binding: { key: "name" } } },
        {
          id: "stop_text",
          component: "Text",
          variant: "caption",
          text: { binding: { key: "text" } },
        },
      ),
    },
    {
      title: "The stops",
      note: "Rows appear one by one while the text is still being written.",
      stream: true,
      text: update({
        trip: { name: "Three days in Bergen", stops: ["*quay", "*hill", "*museum", "*ferry"] },
        quay: { name: "Bryggen", text: "The wooden quay, early, before the ships come in." },
        hill: { name: "Fløyen", text: "Up by the railway, down on foot." },
        museum: { name: "KODE", text: "If it rains, and it will." },
        ferry: { name: "Ferry to Mostraumen", text: "Bring a jacket." },
      }),
    },
  ],
};
