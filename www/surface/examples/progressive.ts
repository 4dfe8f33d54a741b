import { bind, component, components, type Example, list, update } from "./example.js";

/** Components and data of one screen in the order in which a model writes them. */
export const progressive: Example = {
  id: "pieces",
  title: "A surface that arrives in pieces",
  steps: [
    {
      title: "A frame",
      note: "The root references three missing components. Placeholders are shown.",
      stream: true,
      text: components(
        component("root", "Column", { children: ["header", "weather", "plan"] }),
        component("header", "Text", { variant: "h2", text: bind("name", "trip") }),
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
        component("weather", "Card", { child: "weather_row" }),
        component("weather_row", "Row", {
          align: "center",
          children: ["weather_icon", "weather_sky", "weather_warmth"],
        }),
        component("weather_icon", "Icon", { name: "info" }),
        component("weather_sky", "Text", { weight: 1, text: bind("sky", "today") }),
        component("weather_warmth", "Text", { variant: "h3", text: bind("warmth", "today") }),
      ),
    },
    {
      title: "The list",
      note: "A list with a template, but no stops yet.",
      stream: true,
      text: components(
        component("plan", "List", { children: list("stop", "stops", "trip") }),
        component("stop", "Card", { child: "stop_body" }),
        component("stop_body", "Column", { children: ["stop_name", "stop_text"] }),
        component("stop_name", "Text", { variant: "h4", text: bind("name") }),
        component("stop_text", "Text", { variant: "caption", text: bind("text") }),
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
