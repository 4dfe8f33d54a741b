// Vectors of functions and actions: evaluation, dispatch, calls in both directions, catalogs.
import { isDeepStrictEqual } from "node:util";
import { Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { defineCatalog } from "byname/catalog";
import { basicCatalog } from "byname/dom";
import { triggerAction as triggerInPage } from "../../../pkg/dom/trigger.js";
import { evaluate } from "../../../pkg/functions/evaluate.js";
import { catalogsOf, mergeCatalogs } from "./catalogs.mjs";
import { expectedCodes } from "./expected-codes.mjs";

export function runFunction(vector) {
  if (vector.surface !== undefined) return runFunctionOnSurface(vector);
  const { function: call, args, expect, expectError } = vector;
  if (call === "openUrl") return runOpenUrl(args, expectError);
  const value = evaluate({ call, args }, { locale: "en-US" });
  if (expectError !== undefined)
    return value === null ? undefined : `returns ${JSON.stringify(value)}`;
  return isDeepStrictEqual(value, expect) ? undefined : `returns ${JSON.stringify(value)}`;
}

/** Evaluates a function through a component of a surface with catalogs. */
function runFunctionOnSurface(vector) {
  const { function: name, catalogId, args, expect, expectError, protocolVersion: version } = vector;
  const catalogs = catalogsOf(vector);
  const surface = new Surface({ catalog: mergeCatalogs(catalogs) });
  const target = a2uiTarget(surface, { catalogs });
  target.receive({ version, createSurface: { surfaceId: "s", ...vector.surface } });
  const isV09 = version === "v0.9";
  const call = { [isV09 ? "call" : "@call"]: name, args, ...(catalogId && { catalogId }) };
  const owner = vector.surface.catalogId ?? Object.keys(catalogs)[0];
  const root = { id: "root", component: "Text", text: call };
  if (!isV09) root.catalogId = owner;
  const body = { surfaceId: "s", components: [root] };
  const { diagnostics } = target.receive({ version, updateComponents: body });
  if (expectError !== undefined) {
    const code = expectedCodes[vector.name];
    if (code === undefined) return "the catalogs of two versions are one";
    return diagnostics.some((one) => one.code === code) ? undefined : `does not report ${code}`;
  }
  const value = evaluate(surface.tree().props.text, { locale: "en-US" });
  return isDeepStrictEqual(value, expect) ? undefined : `returns ${JSON.stringify(value)}`;
}

/** Calls `openUrl` as the action of a button. An address that is not opened is an error. */
function runOpenUrl(args, expectError) {
  const opened = [];
  const { window } = globalThis;
  globalThis.window = { open: (url) => opened.push(url) };
  const action = { functionCall: { call: "openUrl", args } };
  const { sent, trigger } = pressButton({ action });
  try {
    trigger();
  } finally {
    globalThis.window = window;
  }
  const isRefused = sent.some(({ error }) => error?.code === "EXPRESSION_ERROR");
  if (expectError !== undefined) return isRefused ? undefined : "no error is sent";
  return opened.length === 1 && !isRefused ? undefined : "the address is not opened";
}

/** Returns the messages to the agent of a Button, and a function that presses it. */
function pressButton({ action, dataModel = {}, scope }) {
  const version = "v0.9";
  const sent = [];
  const surface = new Surface({
    catalog: basicCatalog,
    onAction: (one) => target.sendAction(one),
  });
  const target = a2uiTarget(surface, {
    catalogs: { basic: basicCatalog },
    locale: "en-US",
    onMessage: (message) => sent.push(message),
  });
  const [, list, index] = /^(.*)\/(\d+)$/.exec(scope ?? "") ?? [];
  const button = { component: "Button", child: "label", action };
  const components =
    list === undefined
      ? [{ id: "root", ...button }]
      : [
          { id: "root", component: "Column", children: { componentId: "button", path: list } },
          { id: "button", ...button },
        ];
  components.push({ id: "label", component: "Text", text: "Send" });
  const messages = [
    { createSurface: { surfaceId: "s", catalogId: "basic" } },
    { updateDataModel: { surfaceId: "s", value: dataModel } },
    { updateComponents: { surfaceId: "s", components } },
  ];
  for (const message of messages) target.receive({ version, ...message });
  const received = sent.splice(0);
  const trigger = () => {
    const root = surface.tree();
    const { key } = list === undefined ? root : root.children[Number(index)];
    triggerInPage(surface, key, "action", {});
  };
  return { received, sent, trigger };
}

/** Triggers the action of a button, which is in a list if the vector has a scope. */
export function runAction({
  actionPayload: action,
  dataModel,
  scope,
  expectDispatched,
  expectDispatchedErrors = [],
}) {
  const { sent, trigger } = pressButton({ action, dataModel, scope });
  trigger();
  const codes = sent.flatMap(({ error }) => (error ? [error.code] : []));
  const expectedCodes = expectDispatchedErrors.map(({ code }) => code);
  if (!isDeepStrictEqual(codes, expectedCodes)) return `sends the errors ${codes.join(", ")}`;
  const actions = sent.flatMap((one) => (one.action ? [one.action] : []));
  const dispatched = actions.map(({ name, context }) => ({ name, context }));
  const expected = expectDispatched === undefined ? [] : [{ context: {}, ...expectDispatched }];
  return isDeepStrictEqual(dispatched, expected)
    ? undefined
    : `sends ${JSON.stringify(dispatched)}`;
}

/** Runs a call of the agent, or one of the page with the response of the agent. */
export async function runCall({ args, expect }) {
  const { message, functionMetadata = {}, outboundCall, inboundResponse } = args;
  const catalogId = message?.callRendererFunction?.callFunction?.catalogId ?? "basic";
  const names = Object.keys(functionMetadata);
  const result = expect.response?.rendererFunctionResponse?.value;
  const sent = [];
  const anyArgs = { mediaId: "any", autoplay: "any", url: "any" };
  const target = a2uiTarget(new Surface(), {
    catalogs: {
      [catalogId]: defineCatalog({
        components: { Text: {} },
        functions: Object.fromEntries(
          names.map((name) => [name, { ...functionMetadata[name], args: anyArgs }]),
        ),
      }),
    },
    functions: Object.fromEntries(names.map((name) => [name, () => result])),
    hasUserActivation: () => args.userActivationPresent === true,
    onMessage: (one) => sent.push(one),
  });
  const surfaceId = outboundCall?.surfaceId ?? "main";
  target.receive({ version: "v1.0", createSurface: { surfaceId, catalogId } });
  if (outboundCall !== undefined) {
    const { callFunction, functionCallId } = outboundCall;
    const pending = target.callAgentFunction({ ...callFunction, functionCallId });
    const [{ callAgentFunction }] = sent;
    if (!isDeepStrictEqual(callAgentFunction, outboundCall))
      return `sends ${JSON.stringify(callAgentFunction)}`;
    target.receive(inboundResponse);
    const { value } = await pending;
    return isDeepStrictEqual(value, expect.result) ? undefined : `returns ${JSON.stringify(value)}`;
  }
  target.receive(message);
  if (expect.error !== undefined) {
    const text = sent[0]?.error?.message ?? "";
    return text.includes(expect.error.message) ? undefined : `sends ${JSON.stringify(sent)}`;
  }
  const [response = null] = sent;
  return isDeepStrictEqual(response, expect.response)
    ? undefined
    : `sends ${JSON.stringify(response)}`;
}

/**
 * Selects the catalog of a component or a call. Only the expected catalog declares it, so every
 * other one would be reported.
 */
export function runSelectCatalog({ name: vectorName, args, expectSelected, expectError }) {
  const { surface, components = {}, functionCall } = args;
  const all = Object.entries(components).map(([id, one]) => ({ ...one, id }));
  const names = all.map(({ component }) => component);
  const declares = defineCatalog({
    components: Object.fromEntries([...names, "Text"].map((name) => [name, {}])),
    functions: functionCall ? { [functionCall.call]: {} } : {},
  });
  const other = defineCatalog({ components: { Text: {} } });
  const catalogs = Object.fromEntries(
    surface.supportedCatalogIds.map((id) => [id, id === expectSelected ? declares : other]),
  );
  const target = a2uiTarget(new Surface(), { catalogs });
  const { defaultCatalogId: catalogId } = surface;
  target.receive({ version: "v1.0", createSurface: { surfaceId: surface.id, catalogId } });
  if (functionCall) all.push({ id: "root", component: "Text", text: functionCall });
  const body = { surfaceId: surface.id, components: all };
  const { diagnostics } = target.receive({ version: "v1.0", updateComponents: body });
  const codes = diagnostics.map(({ code }) => code);
  if (expectError !== undefined)
    return codes.includes(expectedCodes[vectorName]) ? undefined : `reports ${codes.join(", ")}`;
  const wrong = codes.filter((code) => /^A2UI01[4-6]$/.test(code));
  return wrong.length === 0 ? undefined : `reports ${wrong.join(", ")}`;
}
