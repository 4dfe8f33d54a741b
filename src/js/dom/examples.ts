const surfaceId = "team";
const dataMessage = (nodes: object): object => ({ updateDataModel: { surfaceId, nodes } });

/** Examples for the prompt: a list that is created and edited, and a form. */
export const examples = [
  {
    request: "Show the team.",
    messages: [
      { createSurface: { surfaceId } },
      {
        updateComponents: {
          surfaceId,
          components: [
            { id: "root", component: "Column", children: ["title", "people"] },
            {
              id: "title",
              component: "Text",
              text: { binding: { node: "root", key: "title" } },
              variant: "h2",
            },
            {
              id: "people",
              component: "List",
              children: { binding: { node: "root", key: "people" }, template: "person" },
            },
            { id: "person", component: "Row", children: ["name", "remove"] },
            { id: "name", component: "Text", text: { binding: { key: "name" } } },
            {
              id: "remove",
              component: "Button",
              child: "remove_text",
              action: { event: { name: "remove", context: { who: { binding: { key: "name" } } } } },
            },
            { id: "remove_text", component: "Text", text: "Remove" },
          ],
        },
      },
      dataMessage({
        root: { title: "Team", people: ["*ann", "*bob"] },
        ann: { name: "Ann", role: "*note" },
        note: "* on leave",
        bob: { name: "Bob", role: "Editor" },
      }),
    ],
  },
  {
    request: "Bob is called Bert now. Put Cy in front.",
    messages: [
      dataMessage({
        bob: { name: "Bert", role: "Editor" },
        cy: { name: "Cy", role: "Author" },
        root: { title: "Team", people: ["*cy", "*ann", "*bob"] },
      }),
    ],
  },
  { request: "Ann has left.", messages: [dataMessage({ "!ann": null })] },
  {
    request: "Ask for an address and the number of seats, which is at least 1.",
    messages: [
      { createSurface: { surfaceId: "order" } },
      {
        updateComponents: {
          surfaceId: "order",
          components: [
            { id: "root", component: "Column", children: ["to", "seats", "sum", "send"] },
            {
              id: "to",
              component: "TextField",
              label: "Address",
              value: { binding: { node: "order", key: "to" } },
              checks: [
                {
                  condition: {
                    call: "required",
                    args: { value: { binding: { node: "order", key: "to" } } },
                  },
                  message: "Where to?",
                },
              ],
            },
            {
              id: "seats",
              component: "Slider",
              label: "Seats",
              min: 1,
              max: 8,
              value: { binding: { node: "order", key: "seats" } },
            },
            {
              id: "sum",
              component: "Text",
              text: {
                call: "formatString",
                args: {
                  value: "${n} of 8",
                  values: { n: { binding: { node: "order", key: "seats" } } },
                },
              },
            },
            {
              id: "send",
              component: "Button",
              child: "send_text",
              variant: "primary",
              action: {
                event: { name: "order", context: { order: { binding: { node: "order" } } } },
              },
            },
            { id: "send_text", component: "Text", text: "Send" },
          ],
        },
      },
      { updateDataModel: { surfaceId: "order", nodes: { order: { to: "", seats: 2 } } } },
    ],
  },
];
