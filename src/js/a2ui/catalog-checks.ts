import {
  describeMisplacement,
  type Misplacement,
  PlacementCheck,
} from "../catalog/check/placement.js";
import { checkArguments } from "../catalog/check/values.js";
import { SURFACE } from "../catalog/definition.js";
import type { ComponentDefinition } from "../catalog/types.js";
import { escapePointer } from "../json-text.js";
import { isJsonObject, type JsonObject, stringOf } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import type { CatalogScope, FunctionLookup } from "./function-lookup.js";
import { segmentsOf } from "./node-ids.js";
import { REVISION_BINDING, remoteCall, unknownCall } from "./remote-values.js";
import { isAboutNull } from "./sender-terms.js";
import { diagnostic, type ReportedDiagnostic } from "./translation.js";

/** Segments of a pointer to a component: message, `components`, index. */
const COMPONENT_DEPTH = 3;
/** Part of the pointer to a part of a check. */
const IN_CHECK = /\/@?checks\/\d+\//;

/** Checks components and calls against the catalogs that they name. */
export class CatalogChecks {
  readonly #lookup: FunctionLookup;
  /** Surface that was created, or undefined before. Nothing is checked then. */
  #scope: CatalogScope | undefined;
  #placement = this.#newPlacement();
  /** Whether a component calls a function of the agent. */
  hasRemoteCalls = false;

  constructor(lookup: FunctionLookup) {
    this.#lookup = lookup;
  }

  get scope(): CatalogScope {
    return this.#scope ?? { surfaceId: undefined, catalogId: undefined, version: undefined };
  }

  /** Sets the surface that the next components belong to, or undefined when it is deleted. */
  beginSurface(scope: CatalogScope | undefined): void {
    this.#scope = scope;
    this.#placement = this.#newPlacement();
  }

  #newPlacement(): PlacementCheck {
    return new PlacementCheck((component) => this.#definitionOf(component));
  }

  /** Returns the components that a catalog may contain. Reports errors of all of them. */
  acceptedComponents(list: readonly Json[], pointer: string, diagnostics: Diagnostic[]): Json[] {
    const accepted = list.filter((one, at) =>
      this.#isAccepted(one, `${pointer}/components/${at}`, diagnostics),
    );
    if (this.#isActive) {
      for (const one of this.#placement.add(accepted.filter(isJsonObject)))
        diagnostics.push(misplacementDiagnostic(one, list, pointer));
    }
    return accepted;
  }

  get #isActive(): boolean {
    return this.#lookup.hasCatalogs && this.#scope !== undefined;
  }

  #isAccepted(component: Json, pointer: string, diagnostics: Diagnostic[]): boolean {
    if (!isJsonObject(component)) return true;
    const { component: type, id } = component;
    if (type === SURFACE) {
      const text = `the component type \`${SURFACE}\` is reserved`;
      const help = "write another type; the surface itself contains `root`";
      diagnostics.push(diagnostic("A2UI019", text, help, `${pointer}/component`, "error"));
      return false;
    }
    if (!this.#isActive || typeof type !== "string") return true;
    // Before v1.0 the surface may lack a default catalog.
    if (this.#isEarlier && this.scope.catalogId === undefined) return true;
    const found = this.#lookup.findCatalog(catalogIdOf(component), this.scope);
    if (!found.ok) {
      diagnostics.push(catalogError(found.message, pointer));
      return false;
    }
    if (Object.hasOwn(found.catalog.components, type)) return true;
    const text = `unknown component \`${type}\` of \`${stringOf(id) ?? ""}\` in the catalog \`${found.id}\``;
    const help = "name the catalog of the component in `catalogId`, or use another component";
    diagnostics.push(diagnostic("A2UI015", text, help, `${pointer}/component`, "error"));
    return true;
  }

  get #isEarlier(): boolean {
    return this.scope.version?.startsWith("v0.") ?? false;
  }

  #definitionOf(component: JsonObject): ComponentDefinition | undefined {
    const found = this.#lookup.findCatalog(catalogIdOf(component), this.scope);
    const type = stringOf(component["component"]) ?? "";
    if (!found.ok || !Object.hasOwn(found.catalog.components, type)) return undefined;
    return found.catalog.components[type];
  }

  /**
   * Checks a call of a component. Returns the call that replaces one of the agent, or null for an
   * unknown function; undefined keeps the call.
   */
  checkCall(
    call: JsonObject,
    pointer: string,
    isAction: boolean,
    owner: string,
    diagnostics: Diagnostic[],
  ): Json | undefined {
    if (!this.#isActive) return undefined;
    const name = stringOf(call["call"]) ?? "";
    const target = this.#lookup.findTarget(name, call["catalogId"], this.scope);
    if (target.kind === "unknown") {
      diagnostics.push(
        target.code === "CATALOG_ERROR"
          ? catalogError(target.message, pointer)
          : unknownFunction(name, pointer),
      );
      if (isAction) return undefined;
      const isKept = pointer.includes("/context/") || IN_CHECK.test(pointer);
      return isKept ? unknownCall(name, target) : null;
    }
    if (target.catalog !== undefined) {
      const path = segmentsOf(pointer);
      const location = { path: [...path, "args"], owner, ownerDepth: COMPONENT_DEPTH };
      const found = checkArguments(target.catalog, name, call["args"] ?? {}, location);
      // A nested call without a function is null, and reported already.
      for (const one of found.filter((one) => !isAboutNull(one))) {
        const { path, ...rest } = one;
        const at = path.map((segment) => `/${escapePointer(String(segment))}`).join("");
        diagnostics.push({
          ...rest,
          severity: "warning",
          location: { kind: "pointer", pointer: at },
        });
      }
    }
    if (target.kind === "page" || isAction) return undefined;
    this.hasRemoteCalls = true;
    return remoteCall(call, IN_CHECK.test(pointer), { binding: { ...REVISION_BINDING } });
  }
}

function catalogIdOf(component: JsonObject): Json | undefined {
  return component["@catalogId"] ?? component["catalogId"];
}

function catalogError(message: string, pointer: string): ReportedDiagnostic {
  const help = "name a catalog of the renderer in `catalogId`, or set the one of `createSurface`";
  return {
    ...diagnostic("A2UI014", lowerFirst(message), help, pointer, "error"),
    report: { code: "CATALOG_ERROR", message },
  };
}

function unknownFunction(name: string, pointer: string): ReportedDiagnostic {
  const text = `unknown function \`${name}\` in the catalog`;
  const help = "name the catalog of the function in `catalogId`, or use another function";
  return {
    ...diagnostic("A2UI016", text, help, pointer, "error"),
    report: { code: "VALIDATION_FAILED", message: `Unrecognized function '${name}'` },
  };
}

/** Returns the diagnostic of a misplaced component, with the text that A2UI specifies. */
function misplacementDiagnostic(
  one: Misplacement,
  list: readonly Json[],
  pointer: string,
): ReportedDiagnostic {
  const { child, parent, allowed, violated } = one;
  const { message, help } = describeMisplacement(one);
  const ids = [child.id, parent.id];
  const index = list.findIndex((item) => {
    const id = isJsonObject(item) ? item["id"] : undefined;
    return typeof id === "string" && ids.includes(id);
  });
  const names = `[${allowed.map((name) => `'${name}'`).join(", ")}]`;
  const isParent = violated === "allowedParents";
  const parentId = parent.id === "" ? "surface" : parent.id;
  const text = isParent
    ? `Component '${child.id}' (${child.type}) cannot be placed under parent '${parentId}' (${parent.type}). Allowed parents: ${names}.`
    : `Container '${parentId}' (${parent.type}) cannot contain child '${child.id}' (${child.type}). Allowed children: ${names}.`;
  return {
    ...diagnostic("CAT015", message, help, `${pointer}/components/${index}`, "error"),
    report: { code: isParent ? "UNALLOWED_PARENT" : "UNALLOWED_CHILD", message: text },
  };
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
