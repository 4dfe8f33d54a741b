// Vectors with messages for a surface: `process_messages`, `validate` and what is read back.
import { isDeepStrictEqual } from "node:util";
import { Surface } from "byname";
import { FromA2ui, ToA2ui, toA2uiCapabilities } from "byname/a2ui";
import { renderToString } from "byname/dom/server";
import { catalogsOf } from "./catalogs.mjs";
import { accepted, expectedCodes } from "./expected-codes.mjs";
import { compareSurface, receivers } from "./receivers.mjs";

export function runMessages(vector) {
  const { surfaces = {} } = vector.expect ?? {};
  if (Object.values(surfaces).some((one) => one.validationResult !== undefined))
    return "the functions of checks return booleans, not validation results";
  let reason;
  const all = receivers(vector, (found, step, index) => {
    reason ??= compareErrors(vector, step, index, found);
  });
  if (reason !== undefined) return reason;
  for (const [id, expected] of Object.entries(vector.expect?.surfaces ?? {})) {
    const difference = compareSurface(all.get(id), expected);
    if (difference !== undefined) return `surface ${id}: ${difference}`;
  }
  return undefined;
}

function compareErrors(vector, step, index, found) {
  const { steps = [vector] } = vector;
  const own = step.expectError ?? step.expect_error;
  const isLast = index === steps.length - 1;
  const expected = own ?? (isLast ? vector.expectError : undefined);
  const codes = expectedCodes[vector.name];
  // One code for each step that expects an error.
  const earlier = steps.slice(0, index).filter(({ expectError }) => expectError !== undefined);
  const code = Array.isArray(codes) ? codes[earlier.length] : codes;
  if (expected !== undefined) {
    if (code === undefined) return accepted[vector.name] ?? "the expected error is not reported";
    const isReported = found.some((one) => one.code === code);
    return isReported ? undefined : `step ${index + 1} does not report ${code}`;
  }
  const [error] = found.filter(({ severity }) => severity === "error");
  if (error === undefined || codes !== undefined) return undefined;
  return `step ${index + 1} reports ${error.code}: ${error.message}`;
}

/** Compares the data that goes to the agent with each message. */
export function runDataModelMetadata(vector) {
  const { version } = vector.args;
  const surfaces = {};
  for (const { target } of receivers(vector).all) {
    const { a2uiRendererDataModel, a2uiClientDataModel } = target.metadata();
    const sent = a2uiRendererDataModel ?? a2uiClientDataModel;
    if (sent?.version === version) Object.assign(surfaces, sent.surfaces);
  }
  const result = Object.keys(surfaces).length === 0 ? null : { version, surfaces };
  return isDeepStrictEqual(result, vector.expect) ? undefined : `sends ${JSON.stringify(result)}`;
}

export function runCapabilities({ args, expect, ...vector }) {
  if (args.includeInlineCatalogs) return "catalogs are not written as JSON Schema";
  const catalogs = Object.fromEntries(
    (vector.catalogs ?? []).map(({ catalogId }) => [catalogId, { components: {} }]),
  );
  const all = vector.catalogs === undefined ? catalogsOf(vector) : catalogs;
  const result = toA2uiCapabilities(all, args.version);
  return isDeepStrictEqual(result, expect) ? undefined : `returns ${JSON.stringify(result)}`;
}

/** Resolves a path outside of templates: by a translation to HAM and back. */
export function runResolvePath({ args, expect }) {
  const components = [{ id: "root", component: "Text", text: { path: args.path } }];
  const message = { updateComponents: { surfaceId: "s", components } };
  const [ham] = new FromA2ui().translate(message).messages;
  const [back] = new ToA2ui().translate(ham).messages;
  const { path } = back.updateComponents.components[0].text;
  return path === expect ? undefined : `returns ${path}`;
}

/** Renders a surface on the server and compares the attributes of assistive technology. */
export function runAccessibility({ surface: { components, ...root }, assertions }) {
  const surface = new Surface({ catalog: catalogsOf({}).basic });
  const others = Object.entries(components).map(([id, one]) => ({ id, ...one }));
  surface.receive({ createSurface: { surfaceId: "s", components: [root, ...others] } });
  const html = renderToString(surface, { style: false });
  for (const [id, { hidden }] of Object.entries(assertions.accessibilityTree)) {
    const [tag = ""] = new RegExp(`<[^>]*data-id="${id}"[^>]*>`).exec(html) ?? [];
    if (tag.includes('aria-hidden="true"') !== hidden) return `\`${id}\` is ${tag}`;
  }
  const focusable = /<(?:a|button|input|select|textarea)\b|tabindex="0"/.exec(html);
  return focusable === null ? undefined : `${focusable[0]} can have the focus`;
}
