import { formatJson } from "../../page/format-json.js";
import type { Example } from "./example.js";

const version = "v0.9";
const surfaceId = "tasks";
const catalogId = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json";

const components = [
  { id: "root", component: "Column", children: ["title", "tasks"] },
  { id: "title", component: "Text", variant: "h3", text: { path: "/title" } },
  { id: "tasks", component: "List", children: { path: "/tasks", componentId: "task" } },
  { id: "task", component: "Card", child: "row" },
  { id: "row", component: "Column", children: ["done", "note"] },
  { id: "done", component: "CheckBox", label: { path: "name" }, value: { path: "done" } },
  { id: "note", component: "TextField", label: "Note", value: { path: "note" } },
];
const flight = { id: 1, name: "Book the flight", done: true, note: "" };
const room = { id: 2, name: "Reserve a room", done: false, note: "with a desk" };
const insurance = { id: 3, name: "Check the insurance", done: false, note: "" };
const surfaceActivity = { messageId: "a2ui-surface-tasks", activityType: "a2ui-surface" };

/** Events of a run as an agent sends them. */
const agentEvents = [
  { type: "RUN_STARTED", threadId: "t", runId: "r" },
  {
    type: "ACTIVITY_SNAPSHOT",
    ...surfaceActivity,
    content: {
      a2ui_operations: [
        { version, createSurface: { surfaceId, catalogId } },
        { version, updateComponents: { surfaceId, components } },
      ],
    },
  },
  {
    type: "ACTIVITY_DELTA",
    ...surfaceActivity,
    patch: [
      {
        op: "add",
        path: "/a2ui_operations/-",
        value: {
          version,
          updateDataModel: {
            surfaceId,
            path: "/",
            value: { title: "Before the trip", tasks: [flight, room] },
          },
        },
      },
    ],
  },
  { type: "RUN_FINISHED", threadId: "t", runId: "r" },
];
const agentLogText = agentEvents.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

/** Log of an agent that writes plain A2UI, and a list that is sent again. */
export const agentLog: Example = {
  id: "agent",
  title: "Log of an agent (A2UI in AG-UI)",
  log: { text: agentLogText, language: "A2UI", surfaces: [surfaceId], surfaceId },
  steps: [
    {
      title: "The response",
      note: "A2UI v0.9 in AG-UI events, as it arrived. Open, paste or drop the log of your agent.",
      text: agentLogText,
      stream: true,
    },
    {
      title: "The list again",
      note: "The whole list with a new first item. Rows are matched by `id`, so the others move.",
      text: formatJson({
        version,
        updateDataModel: { surfaceId, path: "/tasks", value: [insurance, flight, room] },
      }),
    },
  ],
};
