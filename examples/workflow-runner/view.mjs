// The surface of a run: a row for each node and each event, and buttons.
import { HamStore, Surface } from "byname";
import { basicCatalog } from "byname/dom";
import { nodeIds } from "./workflow.mjs";

const surfaceId = "run";
const bound = (key, node) => ({ binding: { ...(node && { node }), key } });
const button = (id, name, label) => [
  { id, component: "Button", child: `${id}-label`, action: { event: { name } } },
  { id: `${id}-label`, component: "Text", text: label },
];
const components = [
  { id: "root", component: "Column", children: ["status", "steps", "buttons", "title", "events"] },
  { id: "status", component: "Text", variant: "h2", text: bound("status", "root") },
  { id: "steps", component: "List", children: { ...bound("steps"), template: "step" } },
  { id: "step", component: "Row", children: ["name", "state"] },
  { id: "name", component: "Text", text: bound("name") },
  { id: "state", component: "Text", variant: "caption", text: bound("state") },
  { id: "buttons", component: "Row", children: ["run", "stop", "approve", "reject", "reset"] },
  ...button("run", "run", "Run"),
  ...button("stop", "stop", "Stop"),
  ...button("approve", "approve", "Approve"),
  ...button("reject", "reject", "Reject"),
  ...button("reset", "reset", "Reset"),
  { id: "title", component: "Text", variant: "h3", text: "Events" },
  { id: "events", component: "List", children: { ...bound("events"), template: "event" } },
  { id: "event", component: "Text", text: bound("text") },
];

/** Creates the view of a stored trace, if there is one. `send` gets each of its messages. */
export function createView(trace, send) {
  let surface;
  let count;

  const receive = (message) => {
    const { diagnostics } = surface.receive(message);
    for (const { message, help } of diagnostics) console.error(`${message}: ${help}`);
    send(message);
  };
  const update = (nodes) => receive({ updateDataModel: { surfaceId, nodes } });
  const setStatus = (status) => update({ root: { status, steps: "*steps", events: "*events" } });
  const stepNode = (id, state) => ({ [`step-${id}`]: { name: id, state } });
  const stepNodes = (trace) =>
    Object.assign({}, ...(trace?.steps ?? []).map(({ node, status }) => stepNode(node, status)));

  const begin = (trace) => {
    const store = new HamStore({ extensions: { listEdits: true } });
    surface = new Surface({ catalog: basicCatalog, store });
    count = 0;
    receive({ createSurface: { surfaceId, components } });
    update({
      ...Object.assign({}, ...nodeIds.map((id) => stepNode(id, "not started"))),
      ...stepNodes(trace),
      steps: nodeIds.map((id) => `*step-${id}`),
      events: [],
    });
    setStatus(trace ? "stored" : "not started");
  };
  begin(trace);

  return {
    /** Returns the messages that give a new page the same surface. */
    export: () => surface.export(),
    begin,
    setStatus,
    /** Adds a row for an event of a call, and changes the state of its node. */
    addEvent({ kind, node, index, error, duration_ms }) {
      const item = index === null ? "" : ` item ${index}`;
      const duration = duration_ms === undefined ? "" : ` after ${Math.round(duration_ms)} ms`;
      const reason = error ? `: ${error[0].message}` : "";
      count += 1;
      update({
        [`event-${count}`]: { text: `${node}${item} ${kind}${duration}${reason}` },
        "+events": { items: [`*event-${count}`] },
        ...stepNode(node, `${kind}${item}`),
      });
    },
    /** Shows the result of a run. */
    end({ status, outputs, waiting, trace, diagnostics }) {
      update(stepNodes(trace));
      const failure = diagnostics.find(({ severity }) => severity === "error");
      const question = waiting.map(({ payload }) => payload.text).join(", ");
      const details = outputs.message ?? failure?.message ?? question;
      setStatus(details ? `${status}: ${details}` : status);
    },
  };
}
