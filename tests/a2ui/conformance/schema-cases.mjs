// Cases of the JSON Schemas of A2UI: messages for a renderer, valid and invalid.
import { isDeepStrictEqual } from "node:util";
import { Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { defineCatalog } from "byname/catalog";
import { basicCatalog } from "byname/dom";

/** Components and functions of the catalog of some cases, beside the basic ones. */
const testing = basicCatalog.extend({
  components: { TestComponent: { props: { value: { type: "any", required: true } } } },
  functions: { pingAgent: {} },
});

const agentFunction = { allowedCallers: "rendererOrAgent" };

/** Diagnostics that state the error of an invalid case, by its description. */
const caseErrors = [
  [/missing (?:pattern|'other')|Missing currency/, ["CAT002"]],
  [/missing (?:functionCallId|callFunction)/, ["A2UI017"]],
  [/extra|Too many|too many|deprecated|additional|extension key|invalid key name/, ["CAT001"]],
  [/@index: Invalid call with catalogId/, ["A2UI022"]],
  [/wrong type|\(string\)|\(number\)|\(boolean\)|type mismatch|string offset/, ["CAT003"]],
  [/string instead of object/, ["CAT003"]],
  [/single value|empty tabs|negative/, ["CAT005"]],
  [/h1 variant/, ["CAT004"]],
  [/string instead of an array|null element/, ["HAM029"]],
  [/named Surface/, ["A2UI019"]],
];

/** Reasons why invalid cases are accepted, by their descriptions. */
const accepted = [
  [/returnType/, "the `returnType` of a call is ignored"],
  [/missing message/, "a check without `message` has a default one"],
  [/deprecated 'primary'/, "the names of v0.8 are accepted"],
  [/h1 variant/, "the variants of v0.9 are accepted in v1.0"],
  [/negative/, "the limits of `length` are not checked"],
  [/not a URI/, "the form of an address is checked when it is opened"],
  [/nested object in a single value/, "the function is not one that an agent may call"],
  [/Invalid (?:DataBinding|FunctionCall) with extra/, "an object with more keys is a literal"],
  [/dataModel is a string/, "a data model that is a text is accepted"],
];

export function runSchemaCase({ schema, data, valid, description }) {
  if (schema.startsWith("renderer_to_agent") || schema.startsWith("client_to_server"))
    return valid ? runOutgoing(data) : "messages to the agent are written, not read";
  if (schema.startsWith("catalog_definition")) return runDefinition(data, valid);
  const { version } = data;
  const sent = [];
  const target = a2uiTarget(new Surface({ catalog: testing }), {
    catalogs: { basic: testing },
    onMessage: (message) => sent.push(message),
  });
  const body = Object.values(data).find((one) => typeof one === "object" && one !== null);
  const { surfaceId = "s" } = body ?? {};
  if (data.createSurface === undefined)
    target.receive({ version, createSurface: { surfaceId, catalogId: "basic" } });
  const message = data.createSurface && withCatalog(data);
  const { diagnostics } = target.receive(message ?? data);
  const codes = diagnostics.map(({ code }) => code).filter((code) => !isAboutData(code));
  if (valid) return codes.length === 0 ? undefined : `reports ${codes.join(", ")}`;
  const [, expected] = caseErrors.find(([pattern]) => pattern.test(description)) ?? [];
  if (expected?.some((code) => codes.includes(code))) return undefined;
  // The error of a call is in its response.
  const { error } = sent[0]?.rendererFunctionResponse ?? {};
  const [missing] = /(?<=missing )\w+/.exec(description) ?? [];
  if (missing !== undefined && error?.message.includes(`Missing ${missing}`)) return undefined;
  const [, reason] = accepted.find(([pattern]) => pattern.test(description)) ?? [];
  return reason ?? `reports ${codes.join(", ") || "nothing"} instead of ${expected}`;
}

/** Makes a target write a valid message to the agent. */
async function runOutgoing({ version, action, callAgentFunction, rendererFunctionResponse }) {
  const written = [];
  let value;
  const target = a2uiTarget(new Surface(), {
    catalogs: { c: defineCatalog({ components: { A: {} }, functions: { f: agentFunction } }) },
    functions: { f: () => value },
    onMessage: (message) => written.push(message),
  });
  const surfaceId = (action ?? callAgentFunction)?.surfaceId ?? "s";
  target.receive({ version, createSurface: { surfaceId, catalogId: "c" } });
  const body = action ?? callAgentFunction ?? rendererFunctionResponse;
  if (action !== undefined) await target.sendAction(action);
  else if (callAgentFunction !== undefined) {
    const { functionCallId, callFunction } = callAgentFunction;
    target.callAgentFunction({ ...callFunction, functionCallId });
    target[Symbol.dispose]();
  } else if (rendererFunctionResponse?.value !== undefined) {
    value = rendererFunctionResponse.value;
    const { functionCallId } = rendererFunctionResponse;
    const callFunction = { call: "f", catalogId: "c" };
    target.receive({ version, callRendererFunction: { functionCallId, callFunction } });
  } else return "the text of an error differs";
  const [message] = written;
  const [[key]] = Object.entries(message ?? {}).filter(([name]) => name !== "version");
  return isDeepStrictEqual(message, { version, [key]: body })
    ? undefined
    : `writes ${JSON.stringify(message)}`;
}

/** Returns a message whose surface has the catalog of the cases by default. */
function withCatalog({ createSurface, ...rest }) {
  return { ...rest, createSurface: { catalogId: "basic", ...createSurface } };
}

/** Returns whether a diagnostic is about data or components that are not in the message. */
function isAboutData(code) {
  return ["HAM009", "HAM028", "HAM037", "CAT012", "A2UI001"].includes(code);
}

function runDefinition({ components }, valid) {
  const definition = ({ allowedParents, allowedChildren }) => ({
    ...(allowedParents && { allowedParents }),
    ...(allowedChildren && { allowedChildren }),
  });
  const entries = Object.entries(components).map(([name, one]) => [name, definition(one)]);
  try {
    defineCatalog({ components: Object.fromEntries(entries) });
    return valid ? undefined : "is accepted";
  } catch (error) {
    return valid ? `throws ${error}` : undefined;
  }
}
