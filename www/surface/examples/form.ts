import { components, type Example, update } from "./example.js";

export const form: Example = {
  id: "form",
  title: "A form with two-way bindings",
  steps: [
    {
      title: "Components",
      note: "Fields are bound both ways. The button's context is read when it is pressed.",
      text: components(
        { id: "root", component: "Card", child: "body" },
        {
          id: "body",
          component: "Column",
          children: ["title", "name", "email", "plan", "seats", "start", "terms", "save", "echo"],
        },
        { id: "title", component: "Text", variant: "h3", text: "Book a desk" },
        {
          id: "name",
          component: "TextField",
          label: "Name",
          value: { binding: { node: "booking", key: "name" } },
        },
        {
          id: "email",
          component: "TextField",
          label: "Email",
          value: { binding: { node: "booking", key: "email" } },
          checks: [
            {
              condition: {
                call: "email",
                args: { value: { binding: { node: "booking", key: "email" } } },
              },
              message: "This is not an email address",
            },
          ],
        },
        {
          id: "plan",
          component: "ChoicePicker",
          label: "Plan",
          displayStyle: "chips",
          options: [
            { label: "A day", value: "day" },
            { label: "A week", value: "week" },
            { label: "A month", value: "month" },
          ],
          value: { binding: { node: "booking", key: "plan" } },
        },
        {
          id: "seats",
          component: "Slider",
          label: "Seats",
          min: 1,
          max: 12,
          steps: 11,
          value: { binding: { node: "booking", key: "seats" } },
        },
        {
          id: "start",
          component: "DateTimeInput",
          label: "From",
          enableDate: true,
          value: { binding: { node: "booking", key: "from" } },
        },
        {
          id: "terms",
          component: "CheckBox",
          label: "I keep my desk tidy",
          value: { binding: { node: "booking", key: "tidy" } },
        },
        {
          id: "save",
          component: "Button",
          variant: "primary",
          child: "save_text",
          checks: [
            {
              condition: {
                call: "email",
                args: { value: { binding: { node: "booking", key: "email" } } },
              },
              message: "Write an email address first",
            },
          ],
          action: {
            event: {
              name: "book",
              context: {
                who: { binding: { node: "booking", key: "name" } },
                seats: { binding: { node: "booking", key: "seats" } },
              },
            },
          },
        },
        { id: "save_text", component: "Text", text: "Book" },
        {
          id: "echo",
          component: "Text",
          variant: "caption",
          text: { binding: { node: "booking", key: "name" } },
        },
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
