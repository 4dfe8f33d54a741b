import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import { appendAll } from "./append.js";
import { expressDiagnostic } from "./fault.js";
import type { ExpressVersion } from "./options.js";
import type { Scope } from "./scope.js";
import type { Span } from "./syntax.js";

/** Value of a path of the data model. */
export interface DataValue {
  readonly path: string;
  readonly value: Json;
}

/** Builds the messages of a block. */
export class MessageBuilder {
  readonly messages: JsonObject[] = [];
  readonly #version: ExpressVersion;

  constructor(version: ExpressVersion) {
    this.#version = version;
  }

  /** Adds the messages of a surface. Returns the diagnostics of its statements. */
  addScope(scope: Scope): Diagnostic[] {
    const diagnostics: Diagnostic[] = [];
    const components: Json[] = [];
    const missing = new Map<string, Span>();
    for (const name of scope.componentNames()) {
      const compiled = scope.compileComponentOf(name, true);
      for (const [id, span] of compiled.missing ?? []) missing.set(id, span);
      appendAll(
        components,
        compiled.components.map(({ json }) => json),
      );
      appendAll(diagnostics, compiled.diagnostics);
    }
    const values = scope.data.map((assignment) => {
      const { value, diagnostics: found } = scope.compileData(assignment);
      appendAll(diagnostics, found);
      return { path: assignment.path, value };
    });
    if (isEmptyScope(scope)) diagnostics.push(emptySurface(scope));
    const { surfaceId, sendDataModel, update = false } = scope.options;
    const isUpdate = update || !scope.hasRoot;
    const rootError = otherRoot(scope);
    if (rootError !== undefined) diagnostics.push(rootError);
    else if (isUpdate && components.length > 0 && scope.declaration === undefined)
      diagnostics.push(missingRoot(scope));
    if (!isUpdate) appendAll(diagnostics, undefinedComponents(components, missing));
    if (isUpdate) this.#addUpdates(surfaceId, components, values);
    else this.#addCreation(scope, components, modelOf(values), sendDataModel);
    return diagnostics;
  }

  addDeletion(surfaceId: string): void {
    this.#addMessage({ deleteSurface: { surfaceId } });
  }

  addCall(callFunction: JsonObject, functionCallId: string): void {
    this.#addMessage({ callRendererFunction: { functionCallId, callFunction } });
  }

  #addCreation(
    scope: Scope,
    components: Json[],
    dataModel: Json | undefined,
    sendDataModel: boolean | undefined,
  ): void {
    const { surfaceId } = scope.options;
    const catalogId = catalogIdOf(scope);
    const head = {
      surfaceId,
      ...(catalogId !== undefined && { catalogId }),
      ...(sendDataModel !== undefined && { sendDataModel }),
    };
    if (this.#version === "v0.9") {
      this.#addMessage({ createSurface: head });
      this.#addMessage({ updateComponents: { surfaceId, components } });
      if (dataModel !== undefined)
        this.#addMessage({ updateDataModel: { surfaceId, path: "/", value: dataModel } });
      return;
    }
    this.#addMessage({
      createSurface: { ...head, components, ...(dataModel !== undefined && { dataModel }) },
    });
  }

  #addUpdates(surfaceId: string, components: Json[], values: readonly DataValue[]): void {
    if (components.length > 0) this.#addMessage({ updateComponents: { surfaceId, components } });
    const [first] = values;
    if (first === undefined) return;
    const isDeep = values.length === 1 && segmentsOf(first.path).length > 1;
    const body = isDeep ? first : { path: "/", value: modelOf(values) ?? {} };
    this.#addMessage({ updateDataModel: { surfaceId, path: body.path, value: body.value } });
  }

  #addMessage(body: JsonObject): void {
    this.messages.push({ version: this.#version, ...body });
  }
}

/** Returns the help for the id of a component that is not assigned; models also write a text. */
export function undefinedHelp(id: string): string {
  const asText = `write \`Text(${JSON.stringify(id)})\` to show the text`;
  return /^[A-Za-z_]\w*$/.test(id) ? `assign it: \`${id} = Text("…")\`, or ${asText}` : asText;
}

/** Returns a warning for each component that is named in a new surface and not assigned. */
function undefinedComponents(
  components: readonly Json[],
  missing: ReadonlyMap<string, Span>,
): Diagnostic[] {
  const ids = new Set(components.map((one) => (isJsonObject(one) ? one["id"] : undefined)));
  const found = [...missing].filter(([id]) => !ids.has(id));
  return found.map(([id, span]) => {
    const help = undefinedHelp(id);
    return expressDiagnostic("EXP017", span, `undefined component \`${id}\``, help, "warning");
  });
}

/** Returns whether no statement defines the content of a surface. */
export function isEmptyScope({ declaration, hasComponents, data }: Scope): boolean {
  return declaration !== undefined && !hasComponents && data.length === 0;
}

/** Returns the error for a surface without statements. */
export function emptySurface({ declaration = { start: 0, end: 0 }, options }: Scope): Diagnostic {
  const message = `the surface \`${options.surfaceId}\` has no statements`;
  return expressDiagnostic(
    "EXP002",
    declaration,
    message,
    'add statements such as `root = Text("Hello")`',
  );
}

/** Returns the error for components without one that contains them. */
export function missingRoot({ declaration = { start: 0, end: 0 } }: Scope): Diagnostic {
  const help = 'assign a component to `root`, or begin with `surface("id")` to update a surface';
  return expressDiagnostic("EXP015", declaration, "undefined variable `root`", help);
}

/** Returns the error for a `root` that is not a component, or undefined. */
export function otherRoot(scope: Scope): Diagnostic | undefined {
  const value = scope.hasRoot ? undefined : scope.valueOf("root");
  if (value === undefined) return undefined;
  const found = value.kind === "literal" ? "literal value" : value.kind;
  const message = `expected a component in \`root\`, found a ${found}`;
  const help = 'write a component such as `root = Column([Text("Hello")])`';
  return expressDiagnostic("EXP015", value, message, help);
}

/** Returns the catalog of a surface; undefined if its components name their catalogs. */
export function catalogIdOf({ options, signatures }: Scope): string | undefined {
  if (options.catalogId !== undefined) return options.catalogId;
  return signatures.isMixed ? undefined : signatures.catalogs[0]?.id;
}

/** Returns the data model that assignments make, or undefined without any. */
export function modelOf(values: readonly DataValue[]): Json | undefined {
  let model: Json | undefined;
  for (const { path, value } of values) model = withValue(model, segmentsOf(path), value);
  return model;
}

export function segmentsOf(path: string): string[] {
  return path.split("/").filter((step) => step !== "");
}

/** Returns a model with a value at a path. */
export function withValue(model: Json | undefined, steps: readonly string[], value: Json): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(model) && /^\d+$/.test(step) && Number(step) <= model.length) {
    model[Number(step)] = withValue(model[Number(step)], rest, value);
    return model;
  }
  const object = isJsonObject(model) ? model : {};
  const inner = withValue(Object.hasOwn(object, step) ? object[step] : undefined, rest, value);
  Object.defineProperty(object, step, {
    value: inner,
    enumerable: true,
    writable: true,
    configurable: true,
  });
  return object;
}
