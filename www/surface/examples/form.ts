import { bind, component, components, type Example, update } from "./example.js";

export const form: Example = {
  id: "form",
  title: "A form with two-way bindings",
  steps: [
    {
      title: "Components",
      note: "Fields are bound both ways. The button's context is read when it is pressed.",
      text: components(
        component("root", "Card", { child: "body" }),
        component("body", "Column", {
          children: ["title", "name", "email", "plan", "seats", "start", "terms", "save", "echo"],
        }),
        component("title", "Text", { variant: "h3", text: "Book a desk" }),
        component("name", "TextField", { label: "Name", value: bind("name", "booking") }),
        component("email", "TextField", {
          label: "Email",
          value: bind("email", "booking"),
          checks: [
            {
              condition: { call: "email", args: { value: bind("email", "booking") } },
              message: "This is not an email address",
            },
          ],
        }),
        component("plan", "ChoicePicker", {
          label: "Plan",
          displayStyle: "chips",
          options: [
            { label: "A day", value: "day" },
            { label: "A week", value: "week" },
            { label: "A month", value: "month" },
          ],
          value: bind("plan", "booking"),
        }),
        component("seats", "Slider", {
          label: "Seats",
          min: 1,
          max: 12,
          steps: 11,
          value: bind("seats", "booking"),
        }),
        component("start", "DateTimeInput", {
          label: "From",
          enableDate: true,
          value: bind("from", "booking"),
        }),
        component("terms", "CheckBox", {
          label: "I keep my desk tidy",
          value: bind("tidy", "booking"),
        }),
        component("save", "Button", {
          variant: "primary",
          child: "save_text",
          checks: [
            {
              condition: { call: "email", args: { value: bind("email", "booking") } },
              message: "Write an email address first",
            },
          ],
          action: {
            event: {
              name: "book",
              context: { who: bind("name", "booking"), seats: bind("seats", "booking") },
            },
          },
        }),
        component("save_text", "Text", { text: "Book" }),
        component("echo", "Text", { variant: "caption", text: bind("name", "booking") }),
      ),
    },
    {
      title: "Data",
      note: "Type in the surface: each key press is one change. Press Book, then open Why, Actions.",
      stream: true,
      text: update({
        root: { booking: "*booking" },
        booking: {
          name: "*guest",
          email: "jane@example.org",
          plan: ["week"],
          seats: 2,
          from: "2026-12-01",
          tidy: true,
        },
        guest: "Jane Doe",
      }),
    },
    {
      title: "The model edits it too",
      note: "The name is a separate node, so editing it does not affect the other fields.",
      stream: true,
      text: update({ guest: "Jane Roe" }),
    },
  ],
};
