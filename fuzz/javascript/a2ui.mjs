// Messages of plain A2UI: no message throws, translated messages are accepted, the data model equals that of A2UI's
// own implementation, and converting back gives the same model.
import assert from "node:assert/strict";
import { DataModel } from "@a2ui/web_core/v0_9";
import { HamStore, init, Surface } from "byname";
import { FromA2ui, ToA2ui, toA2uiDataModel } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { Choices } from "./choices.mjs";

await init();

const STEPS = 10;
const NAMES = ["a", "b", "c", "0", "1", "2", "-", "x~1y", "~0", "length", "", "ä"];
const SCALARS = [0, 1, -2.5, "text", "*star", "*/a", "", "!", "${/a}", true, false, null];
const IDS = ["root", "one", "two", "row"];
const TYPES = ["Text", "Column", "List", "TextField", "Button"];
const VERSIONS = ["v0.9", "v1.0"];
const PROPERTIES = ["text", "value", "children", "child", "action", "checks"];
/** Part of the basic catalog that messages use. Creating a surface with all of it takes ten times as long. */
const catalog = {
  components: pickKeys(basicCatalog.components, TYPES, ({ description, props, ...kinds }) => ({
    ...kinds,
    props: pickKeys(props, PROPERTIES),
  })),
  functions: pickKeys(basicCatalog.functions, ["formatString"]),
};

/** Checks an input. Returns a text that differs between inputs with different behaviour. */
export function check(bytes) {
  const choices = new Choices(bytes);
  // A quarter of the first bytes leads to a surface, which takes longer than a store alone.
  const hasSurface = choices.oneIn(4);
  const pair = new ModelPair(hasSurface);
  const messages = [];
  const seen = new Set();
  for (let step = 0; step < STEPS && !choices.isEmpty; step++) {
    const message = hasSurface ? messageOf(choices) : dataUpdate(choices);
    messages.push(message);
    const result = receive(pair, message, messages);
    for (const { code } of result.diagnostics) seen.add(code);
    seen.add(`${Object.keys(message).at(-1)} ${result.messages.length}`);
  }
  pair.dispose();
  return [...seen].sort().join();
}

function pickKeys(map, keys, change = (value) => value) {
  return Object.fromEntries(keys.filter((key) => key in map).map((key) => [key, change(map[key])]));
}

/** Passes a message on. An error has all messages so far in its text. */
function receive(pair, message, messages) {
  try {
    return pair.receive(message);
  } catch (error) {
    error.stack += `\n${messages.map((one) => JSON.stringify(one)).join("\n")}`;
    throw error;
  }
}

/** Store that receives translated messages, and the data model of A2UI. */
class ModelPair {
  store = new HamStore();
  surface;
  from;
  to = new ToA2ui();
  peer = new DataModel({});
  /** Data model after converting back. */
  returned = new DataModel({});
  /** Whether the models can be compared: only updates of data were received. */
  isComparable = true;

  constructor(hasSurface) {
    // Targets of a surface send edits.
    this.from = new FromA2ui({ store: this.store, ...(hasSurface && { edits: 0 }) });
    if (hasSurface) this.surface = new Surface({ store: this.store, catalog });
  }

  dispose() {
    this.surface?.[Symbol.dispose]();
    this.store[Symbol.dispose]();
  }

  receive(message) {
    const result = this.from.translate(message);
    checkDiagnostics(result.diagnostics);
    for (const translated of result.messages) {
      const { ok, diagnostics } = this.#apply(translated);
      checkDiagnostics(diagnostics);
      if (isDataUpdate(message) && translated.updateDataModel)
        assert.ok(ok, JSON.stringify(diagnostics));
      const back = this.to.translate(translated);
      checkDiagnostics(back.diagnostics);
      if (this.isComparable && isDataUpdate(message)) this.#applyBack(back.messages);
    }
    this.surface?.tree();
    this.surface?.diagnostics();
    toA2uiDataModel({ s: this.store });
    if (!isDataUpdate(message)) this.isComparable = false;
    if (this.isComparable) this.#compare(message, result);
    return result;
  }

  #apply(message) {
    return this.surface?.receive(message) ?? this.store.apply(message);
  }

  #applyBack(messages) {
    for (const { updateDataModel } of messages) {
      if (updateDataModel) this.returned.set(updateDataModel.path, updateDataModel.value);
    }
  }

  #compare({ version, updateDataModel: { path, value } }, { diagnostics }) {
    const isRejected = diagnostics.some(({ severity }) => severity === "error");
    try {
      // In v1.0 null removes a value.
      const isRemoved = value === null && version === "v1.0";
      this.peer.set(path, isRemoved ? undefined : structuredClone(value));
    } catch (error) {
      assert.ok(isRejected, `${path} is rejected by A2UI: ${error.message}`);
      // A2UI has applied a part of it.
      this.isComparable = false;
      return;
    }
    if (isRejected) {
      this.isComparable = false;
      return;
    }
    const expected = JSON.parse(JSON.stringify(this.peer.get("/") ?? null));
    assert.deepEqual(this.store.toJSON(), expected, path);
    // A model that was never set is a map for A2UI, and null here.
    const returned = JSON.parse(JSON.stringify(this.returned.get("/") ?? {}));
    assert.deepEqual(returned, expected ?? {}, `back from ${path}`);
  }
}

function isDataUpdate({ updateDataModel }) {
  return updateDataModel?.surfaceId === "s" && typeof updateDataModel.path === "string";
}

function checkDiagnostics(diagnostics) {
  for (const { code, message, help, severity } of diagnostics) {
    assert.match(code, /^[A-Z0-9]+\d{3}$/);
    assert.ok(message.length > 0 && !message.includes("\n"), message);
    assert.ok(severity !== "error" || help, `${code} has no help: ${message}`);
  }
}

function messageOf(choices) {
  const kind = choices.below(16);
  if (kind < 11) return dataUpdate(choices);
  const version = choices.pick(VERSIONS);
  const surfaceId = "s";
  switch (kind) {
    case 11:
      return {
        version,
        createSurface: { surfaceId, catalogId: "basic", ...optional(choices, "dataModel", json) },
      };
    case 12:
    case 13:
      return {
        version,
        updateComponents: {
          surfaceId,
          components: choices.many(1 + choices.below(3), () => component(choices)),
        },
      };
    case 14:
      return oldMessage(choices, surfaceId);
    default:
      return choices.oneIn(2)
        ? { version, deleteSurface: { surfaceId } }
        : {
            version,
            [choices.pick(["updateDataModel", "updateComponents", "createSurface", "action"])]:
              json(choices),
          };
  }
}

function dataUpdate(choices) {
  const version = choices.pick(VERSIONS);
  return {
    version,
    updateDataModel: { surfaceId: "s", path: pathOf(choices), ...optional(choices, "value", json) },
  };
}

/** Returns a message of v0.8. */
function oldMessage(choices, surfaceId) {
  const entry = () => ({
    key: choices.pick(NAMES),
    [choices.pick(["valueString", "valueNumber", "valueBoolean", "valueMap"])]: json(choices),
  });
  switch (choices.below(3)) {
    case 0:
      return {
        dataModelUpdate: {
          surfaceId,
          path: pathOf(choices),
          contents: choices.many(choices.below(3), entry),
        },
      };
    case 1: {
      const text = { literalString: "x", ...optional(choices, "path", pathOf) };
      const components = [
        {
          id: choices.pick(IDS),
          component: { [choices.pick(["Text", "Row", "List"])]: { text, children: json(choices) } },
        },
      ];
      return { surfaceUpdate: { surfaceId, components } };
    }
    default:
      return { beginRendering: { surfaceId, root: choices.pick(IDS) } };
  }
}

function optional(choices, key, make) {
  return choices.below(6) === 5 ? {} : { [key]: make(choices) };
}

function pathOf(choices) {
  const steps = choices.many(choices.below(4), () => `/${choices.pick(NAMES)}`).join("");
  // A2UI throws for `//` over a list by accident.
  return /^\/*$/.test(steps) ? choices.pick(["/", "/", "", "a"]) : steps;
}

function json(choices, depth = 0) {
  const kind = choices.below(depth > 2 ? 4 : 8);
  if (kind < 4) return choices.pick(SCALARS);
  const inner = () => json(choices, depth + 1);
  if (kind < 6) return choices.many(choices.below(4), inner);
  return Object.fromEntries(choices.many(choices.below(4), () => [choices.pick(NAMES), inner()]));
}

function component(choices) {
  const value = () =>
    choices.pick([
      "x",
      { path: pathOf(choices) },
      { path: choices.pick(NAMES) },
      { call: "formatString", args: { value: `a ${"$"}{${pathOf(choices)}}` } },
      { "@call": "formatString", args: { value: { path: pathOf(choices) } } },
      json(choices),
    ]);
  const children = () =>
    choices.pick([
      choices.many(choices.below(3), () => choices.pick(IDS)),
      { path: pathOf(choices), componentId: choices.pick(IDS) },
      json(choices),
    ]);
  return {
    id: choices.pick(IDS),
    component: choices.pick([...TYPES, "Unknown"]),
    ...(choices.oneIn(2) && { text: value() }),
    ...(choices.oneIn(2) && { value: value() }),
    ...(choices.oneIn(2) && { children: children() }),
    ...(choices.oneIn(4) && { action: { event: { name: "go", context: { a: value() } } } }),
    ...(choices.oneIn(4) && { checks: [{ condition: value(), message: "no" }] }),
  };
}
