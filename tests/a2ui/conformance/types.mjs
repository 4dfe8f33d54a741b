// Vectors of the common types: each value is sent in a message that contains this type.
import { Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { defineCatalog } from "byname/catalog";
import { basicCatalog } from "byname/dom";

const catalog = basicCatalog.extend({
  components: { Any: { props: { value: "any" } }, List: { props: { children: "children" } } },
  functions: { now: {} },
});

/** Text of a component, in a template of a list. */
function inTemplate(item) {
  const list = { id: "root", component: "List", children: { componentId: "item", path: "/items" } };
  return [list, { id: "item", component: "Text", ...item }];
}

/** Messages with a value, by the name of its type. */
const messages = {
  Extensions: (extensions) => ({
    updateComponents: { components: [{ id: "root", component: "Any", metadata: { extensions } }] },
  }),
  ComponentCommon: (value) => ({
    updateComponents: { components: [{ component: "Any", ...value }] },
  }),
  FunctionResponse: (agentFunctionResponse) => ({ agentFunctionResponse }),
  IndexSystemFunction: (text) => ({ updateComponents: { components: inTemplate({ text }) } }),
  DynamicValue: (value) => ({
    updateComponents: { components: [{ id: "root", component: "Any", value }] },
  }),
};

/** Codes of invalid values. */
const codes = {
  Extensions: ["CAT001"],
  ComponentCommon: ["CAT001"],
  FunctionResponse: ["A2UI017"],
  IndexSystemFunction: ["CAT001", "CAT003", "A2UI016"],
  DynamicValue: ["CAT001", "CAT008"],
};

export function runCommonType({ definition, steps }) {
  const message = messages[definition];
  if (message === undefined) return `no message contains a \`${definition}\``;
  const catalogs = { basic: catalog, other: defineCatalog({ components: { A: {} } }) };
  for (const [index, { value, expectError }] of steps.entries()) {
    const target = a2uiTarget(new Surface({ catalog }), { catalogs, onMessage: () => {} });
    target.receive({ version: "v1.0", createSurface: { surfaceId: "s", catalogId: "basic" } });
    target.callAgentFunction({ call: "now", functionCallId: "call_1" });
    const [[key, body]] = Object.entries(message(value));
    const named = key === "updateComponents" ? { surfaceId: "s", ...body } : body;
    const isKnown = definition !== "IndexSystemFunction" || value.call !== "now";
    const { diagnostics } = target.receive({ version: "v1.0", [key]: named });
    target[Symbol.dispose]();
    const found = diagnostics.map(({ code }) => code);
    const isRejected = found.some((code) => codes[definition].includes(code));
    if (!isKnown) {
      // A call of another function is valid, but not this type.
      if (found.length > 0) return `step ${index + 1} reports ${found.join(", ")}`;
      return "a call of another function is a value too";
    }
    if (isRejected === (expectError !== undefined)) continue;
    const text = JSON.stringify(value);
    return isRejected ? `${text} reports ${found.join(", ")}` : `${text} is accepted`;
  }
  return undefined;
}
