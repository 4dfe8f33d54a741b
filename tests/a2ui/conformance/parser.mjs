// Vectors of parsers of an agent: its text, whole or in chunks, read by `receiveAll`.
import { isDeepStrictEqual } from "node:util";
import { HamStore, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { receiveAll } from "byname/messages";
import { catalogOf } from "./catalogs.mjs";
import { expectedCodes } from "./expected-codes.mjs";

/** Tags and brackets around the messages of a block. */
const BLOCK = /<\/?a2ui-json>|[[\]\s]/g;

/** Returns why texts differ, or undefined. */
function compareTexts(texts, expected) {
  const [found, wanted] = [texts.join(""), expected.join("")];
  if (found.replaceAll(/\s/g, "") === wanted.replaceAll(/\s/g, "")) return undefined;
  return found.replaceAll(BLOCK, "") === wanted.replaceAll(BLOCK, "")
    ? "the tags and brackets of a block are passed on as text"
    : `passes on ${JSON.stringify(found)}`;
}

/** Returns a message as an object. */
function parse(message) {
  return typeof message === "string" ? JSON.parse(message) : message;
}

/** Reads a text. Returns its messages, the text around them, and whether it was valid. */
async function read(text) {
  const messages = [];
  const texts = [];
  const store = new HamStore();
  const target = {
    store,
    receive(message) {
      try {
        messages.push(parse(message));
      } catch {
        return new Surface().receive(message);
      }
      return { ok: true, diagnostics: [] };
    },
  };
  const { ok } = await receiveAll(target, text, { onText: (one) => texts.push(one.trim()) });
  return { ok, messages, texts: texts.filter((one) => one !== "") };
}

/** Reasons why byname parses a vector differently. */
const otherwise = {
  test_invalid_json_error: "words in a block are text for `onText`",
  test_fix_payload_smart_quotes: "an apostrophe in a text is kept as it is written",
  test_parse_response_only_text_no_tags: "a text without messages is one for `onText`",
  ...Object.fromEntries(
    [
      "test_cut_cuttable_text",
      "test_cut_cuttable_text_v09",
      "test_delta_streaming_correctness_v09",
      "test_custom_cuttable_keys",
    ].map((name) => [name, "a text is displayed while it arrives from 33 characters on"]),
  ),
  ...Object.fromEntries(
    [
      "test_incremental_data_model_streaming_v09",
      "test_sniff_partial_datamodel_cumulative_unmodified_keys",
      "test_sniff_partial_datamodel_prunes_empty_keys",
      "test_sniff_partial_datamodel_prunes_empty_keys_v09",
      "test_sniff_partial_datamodel_with_cut_key",
      "test_sniff_partial_invalid_datamodel_fails_gracefully",
    ].map((name) => [
      name,
      "data is applied when it is complete, because a part of it would delete the rest of the earlier value",
    ]),
  ),
};

/** Returns the reason of a case that does not pass, or undefined. */
async function withReason(name, result) {
  const reason = await result;
  return reason === undefined ? undefined : (otherwise[name] ?? reason);
}

export function runText(vector) {
  return withReason(vector.name, compareText(vector));
}

async function compareText({ action, input, expect, expectError }) {
  const { ok, messages, texts } = await read(input);
  if (action === "has_parts") {
    const found = messages.length > 0;
    return found === expect ? undefined : "an empty list has no message";
  }
  if (expectError !== undefined) return ok ? "a text without messages is accepted" : undefined;
  if (action === "fix_payload") {
    if (messages.length === 0) return "text that is not a message is not repaired";
    return isDeepStrictEqual(messages, expect) ? undefined : `reads ${JSON.stringify(messages)}`;
  }
  const expected = expect.flatMap(({ a2ui = [] }) => a2ui);
  if (!isDeepStrictEqual(messages, expected)) return `reads ${JSON.stringify(messages)}`;
  const expectedTexts = expect.map(({ text }) => text).filter((one) => one !== "");
  return compareTexts(texts, expectedTexts);
}

export function runChunks(vector) {
  return withReason(vector.name, compareChunks(vector));
}

/**
 * Reads the chunks of a vector. After each one the surfaces display the same as after the messages
 * that the vector expects, except placeholders of missing components.
 */
async function compareChunks({ name, catalog, steps }) {
  const [found, expected] = [new Surfaces(catalog), new Surfaces(catalog)];
  let isOutOfStep = false;
  const texts = [];
  const expectedTexts = [];
  let diagnostics = [];
  async function* chunks() {
    for (const { input, expect = [], expectError } of steps) {
      yield input;
      await new Promise((resolve) => setTimeout(resolve));
      for (const { a2ui = [], text } of expect) {
        if (text !== undefined) expectedTexts.push(text);
        for (const message of Array.isArray(a2ui) ? a2ui : [a2ui]) expected.receive(message);
      }
      if (expectError !== undefined) return;
      isOutOfStep ||= !isDeepStrictEqual(found.shown, expected.shown);
    }
  }
  const onText = (text) => texts.push(text);
  const onDiagnostics = (list) => {
    diagnostics = [...diagnostics, ...list];
  };
  const result = await receiveAll(found.target, chunks(), { onText, onDiagnostics });
  if (steps.some(({ expectError }) => expectError !== undefined)) {
    const codes = [...result.diagnostics, ...diagnostics].map(({ code }) => code);
    if (codes.includes(expectedCodes[name])) return undefined;
    return `reports ${[...new Set(codes)].join(", ") || "nothing"}`;
  }
  if (!isDeepStrictEqual(found.shown, expected.shown))
    return "the stream breaks off inside a message, which is not displayed";
  if (isOutOfStep) return "a step displays a component or a value later or earlier";
  return compareTexts(texts, expectedTexts);
}

/** Surfaces of a stream by id. */
class Surfaces {
  #byId = new Map();
  #catalog;

  constructor({ catalogSchema }) {
    this.#catalog = catalogOf(catalogSchema ?? {});
  }

  receive(message) {
    const body = Object.values(message).find((one) => typeof one === "object" && one !== null);
    return this.#get(body?.surfaceId).target.receive(message);
  }

  #get(id) {
    if (!this.#byId.has(id)) {
      const surface = new Surface({ catalog: this.#catalog });
      this.#byId.set(id, { surface, target: a2uiTarget(surface) });
    }
    return this.#byId.get(id);
  }

  /** Target that passes each message to its surface. */
  get target() {
    return {
      store: new HamStore(),
      diagnostics: () => [...this.#byId.values()].flatMap(({ target }) => target.diagnostics()),
      receive: (input) => {
        try {
          return this.receive(parse(input));
        } catch {
          return new Surface().receive(input);
        }
      },
    };
  }

  /** Displayed components and data by surface id. */
  get shown() {
    return Object.fromEntries(
      [...this.#byId].map(([id, { surface }]) => [
        id,
        { tree: plain(surface.tree()), data: surface.store.toJSON() },
      ]),
    );
  }
}

/** Returns an instance without placeholders of missing components. */
function plain(instance) {
  if (instance === null || instance.component === "") return null;
  if (instance.id.startsWith("loading_")) return null;
  const { id, component, props, children } = instance;
  return { id, component, props, children: children.map(plain).filter((one) => one !== null) };
}
