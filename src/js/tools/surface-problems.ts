import { escapePointer } from "../json-text.js";
import type { JsonObject } from "../json-value.js";
import { messageCheckOf } from "../message-check.js";
import type { Surface } from "../surface.js";
import type { Catalog, Diagnostic } from "../types.js";

/** Pointer to a component of a message, or to a part of it. */
const COMPONENT_POINTER = /^\/updateComponents\/components\/(\d+)(.*)$/;

/** Returns the components of a surface as `update_surface` takes them. */
export function definitionsOf(surface: Surface): JsonObject[] {
  const messages = surface.export() as { [name: string]: { components?: JsonObject[] } }[];
  return messages.flatMap((message) =>
    ["createSurface", "updateComponents"].flatMap((name) => message[name]?.components ?? []),
  );
}

/**
 * Returns the problems of a surface as it is now: its diagnostics, and the violations of the catalog
 * by its components. Their pointers begin with a component id.
 */
export function problemsOf(surface: Surface, catalog: Catalog): Diagnostic[] {
  const components = definitionsOf(surface);
  const message = { updateComponents: { surfaceId: "", components } };
  const found = messageCheckOf(catalog)?.(JSON.stringify(message)) ?? [];
  const ofCatalog = found.map((one) => withComponentId(one, components));
  return withoutRepeats([...surface.diagnostics({ isDone: true }), ...ofCatalog]);
}

function withComponentId(diagnostic: Diagnostic, components: readonly JsonObject[]): Diagnostic {
  const { location } = diagnostic;
  if (location?.kind !== "pointer") return diagnostic;
  const [, index, rest = ""] = COMPONENT_POINTER.exec(location.pointer) ?? [];
  const id = components[Number(index)]?.["id"];
  if (typeof id !== "string") return diagnostic;
  return { ...diagnostic, location: { kind: "pointer", pointer: `/${escapePointer(id)}${rest}` } };
}

/** Returns the diagnostics without those of an earlier code, message and severity. */
export function withoutRepeats(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const byText = new Map(
    diagnostics.map((one) => [`${one.code} ${one.message} ${one.severity}`, one]),
  );
  return [...byText.values()];
}
