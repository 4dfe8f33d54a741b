import { listNames, suggestName } from "../catalog/check/suggestions.js";
import { normalizeType } from "../catalog/prop-types.js";
import type { CatalogComponent, PropDefinition, PropType } from "../catalog/types.js";
import { isJsonObject } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import { CheckCompiler, isCheckList } from "./check-compiler.js";
import { type ExpressCode, expressDiagnostic } from "./fault.js";
import { MAX_DEPTH } from "./parser.js";
import type { CompiledComponent, ValueCompiler, Variables } from "./program.js";
import { type Declared, parametersOf, positionalProps, unknownCatalog } from "./signatures.js";
import type { Argument, CallNode, Expression, Span } from "./syntax.js";

const ANY_TYPE: PropDefinition = { type: "any" };
/** Named arguments of a component besides its properties. */
const COMPONENT_KEYS = ["id", "catalogId"];
const EVENT_KEYS = ["name", "context", "userMessage", "wantResponse", "responsePath", "metadata"];

/** Place of a value: its spans are recorded below this path of the component. */
interface Place {
  readonly path: string;
  /** Id of a component that is written here. */
  readonly inlineId: string;
}

/** Compiles one component and those written inside of it. */
export class ComponentCompiler implements ValueCompiler {
  readonly components: CompiledComponent[] = [];
  /** Variables that the component refers to. */
  readonly uses = new Set<string>();
  /**
   * First name in a value that is not assigned yet, a variable or a text without quotes, after the
   * variables that contain it.
   */
  waitsFor: readonly string[] = [];
  /** Names of components that are not assigned, with their first use. */
  readonly missing = new Map<string, Span>();
  readonly diagnostics: Diagnostic[] = [];
  /** Variables that are being replaced by their values. */
  readonly #replaced: string[] = [];
  /** Number of values around the current one, also through variables. */
  #depth = 0;
  #spans = new Map<string, Span>();

  constructor(
    readonly scope: Variables,
    /** Whether the text has ended, so that an unassigned name is a text. */
    readonly isFinal: boolean,
  ) {}

  /** Compiles the call of a component. */
  compileComponent(id: string, call: CallNode): void {
    const declared = this.#declaredComponent(call);
    if (declared === undefined) return;
    const spans = new Map<string, Span>();
    const outer = this.#spans;
    this.#spans = spans;
    const { definition, owner } = declared;
    const catalogId = owner.id;
    const json: { [prop: string]: Json } = { id, component: call.name };
    if (this.scope.signatures.isMixed) json["catalogId"] = catalogId;
    const at = this.components.length;
    // Components that are written inside follow their parent.
    this.components.push({ json, catalogId, spans, span: call });
    const checks = this.#compileProperties(id, call, definition, json);
    if (checks.length > 0) {
      const compiler = new CheckCompiler(this, json, boundValue(definition, json));
      const compiled = checks.flatMap((one) => compiler.compileChecks(one));
      if (compiled.length > 0) json["checks"] = compiled;
      const [first] = checks;
      if (first !== undefined) spans.set("checks", first);
    }
    this.components[at] = { json, catalogId, spans, span: call };
    this.#spans = outer;
  }

  /** Compiles the properties of a component. Returns its checks, which need the other ones. */
  #compileProperties(
    id: string,
    call: CallNode,
    definition: CatalogComponent,
    json: { [prop: string]: Json },
  ): Expression[] {
    const positions = positionalProps(definition);
    const names = Object.keys(definition.props);
    const given = new Set<string>();
    const checks: Expression[] = [];
    let position = 0;
    for (const { name, value, span } of call.args) {
      if (name !== undefined && COMPONENT_KEYS.includes(name)) continue;
      if (name === "checks" || (name === undefined && isCheckList(value, this.scope))) {
        checks.push(value);
        continue;
      }
      const prop = name ?? positions[position];
      if (name === undefined) position += 1;
      if (prop === undefined) {
        this.#report(
          "EXP005",
          span,
          surplusArgumentHelp(call.name, positions),
          "remove it",
          "warning",
        );
        continue;
      }
      if (!names.includes(prop)) {
        const message = `unknown property \`${prop}\` of \`${call.name}\``;
        this.#report("EXP005", span, message, suggestName(prop, names, "properties"));
        continue;
      }
      if (given.has(prop)) {
        const message = `the property \`${prop}\` of \`${call.name}\` is given twice`;
        this.#report("EXP006", span, message, "keep one of the two arguments");
        continue;
      }
      given.add(prop);
      if (value.kind === "skipped" || (value.kind === "literal" && value.value === null)) continue;
      const type = definition.props[prop] ?? ANY_TYPE;
      const compiled = this.#compileValue(value, type, { path: prop, inlineId: `${id}_${prop}` });
      if (compiled !== undefined) json[prop] = compiled;
    }
    return checks;
  }

  #declaredComponent(call: CallNode): Declared<CatalogComponent> | undefined {
    const { signatures } = this.scope;
    if (this.#reportCatalog(call)) return undefined;
    const catalogId = textArgument(call, "catalogId") ?? this.scope.catalogId;
    const found = signatures.findComponents(call.name, catalogId);
    if (found.length > 1) this.#reportAmbiguous(call);
    if (found.length === 0) {
      const names = signatures.componentNames();
      const others = signatures.findComponents(call.name);
      this.#reportUnknown("component", call, names, others, catalogId);
    }
    return found.length === 1 ? found[0] : undefined;
  }

  /** Compiles a value. Returns undefined after an error, and for an unassigned variable. */
  #compileValue(expression: Expression, type: PropType, place: Place): Json | undefined {
    const definition = normalizeType(type);
    this.#spans.set(place.path, expression);
    this.#depth += 1;
    const compiled =
      definition.type === "component"
        ? this.#compileChild(expression, place)
        : definition.type === "children"
          ? this.#compileChildren(expression, place)
          : this.#compileData(expression, definition, place);
    this.#depth -= 1;
    return compiled;
  }

  /** Compiles a value for any property; the types are checked afterwards. */
  anyValue(expression: Expression, path: string): Json | undefined {
    this.#spans.set(path, expression);
    return this.#compileData(expression, ANY_TYPE, { path, inlineId: "" });
  }

  #compileData(expression: Expression, type: PropDefinition, place: Place): Json | undefined {
    if (!this.#spendValue()) return this.reportTooLarge(expression);
    switch (expression.kind) {
      case "literal":
        return expression.value;
      case "path":
        return { path: expression.path };
      case "name":
        return this.#compileVariable(expression.name, expression, (value) =>
          this.#compileData(value, type, place),
        );
      case "list":
        return this.#compileList(expression.items, type, place);
      case "map":
        return this.#compileMap(expression.entries, type, place);
      case "call":
        return this.#compileCall(expression, type, place);
      case "skipped": {
        const help = "write a value; `_` skips an argument of a component";
        return this.#report("EXP001", expression, "expected a value, found `_`", help);
      }
      case "check": {
        const help = "write it as an argument of a component with input, such as `[?required]`";
        const message = `the check \`?${expression.name}\` is not a value`;
        return this.#report("EXP008", expression, message, help);
      }
    }
  }

  #compileList(items: readonly Expression[], type: PropDefinition, place: Place): Json[] {
    const item = type.items === undefined ? ANY_TYPE : normalizeType(type.items);
    const isOptions = item.properties?.["label"] !== undefined && "value" in item.properties;
    return items.flatMap((one, at) => {
      const compiled = this.#compileValue(one, item, {
        path: `${place.path}/${at}`,
        inlineId: `${place.inlineId}_${at}`,
      });
      if (compiled === undefined) return [];
      // A text among options is the label and the value of one.
      return isOptions && typeof compiled === "string"
        ? [{ label: compiled, value: compiled }]
        : [compiled];
    });
  }

  #compileMap(
    entries: readonly { key: string; value: Expression }[],
    type: PropDefinition,
    place: Place,
  ): Json {
    const compiled = entries.flatMap(({ key, value }): [string, Json][] => {
      const one = this.#compileValue(value, type.properties?.[key] ?? ANY_TYPE, {
        path: `${place.path}/${key}`,
        inlineId: `${place.inlineId}_${key}`,
      });
      return one === undefined ? [] : [[key, one]];
    });
    return Object.fromEntries(compiled);
  }

  #compileCall(call: CallNode, { type }: PropDefinition, place: Place): Json | undefined {
    if (call.name === "Event") return this.#compileEvent(call, place);
    if (call.name === "_template") return this.#compileTemplate(call, place);
    if (this.scope.signatures.findComponents(call.name).length > 0)
      return this.#compileInline(call, place);
    const compiled = this.functionCall(call, place.path);
    return compiled !== undefined && type === "action" ? { functionCall: compiled } : compiled;
  }

  /** Compiles the call of a function. */
  functionCall(call: CallNode, path: string): { [key: string]: Json } | undefined {
    const { signatures } = this.scope;
    if (this.#reportCatalog(call)) return undefined;
    const catalogId = textArgument(call, "catalogId");
    const found = signatures.findFunctions(call.name, catalogId);
    const [declared] = found;
    if (declared === undefined) {
      const names = [...signatures.functionNames(), "Event", "_template"];
      const others = signatures.findFunctions(call.name);
      return this.#reportUnknown("function", call, names, others, catalogId);
    }
    if (found.length > 1) return this.#reportAmbiguous(call);
    const args = this.#functionArguments(call, parametersOf(declared.definition), path);
    const named = signatures.isMixed || catalogId !== undefined;
    return { call: call.name, args, ...(named && { catalogId: declared.owner.id }) };
  }

  #functionArguments(
    call: CallNode,
    parameters: [string, PropDefinition][],
    path: string,
  ): { [name: string]: Json } {
    const names = parameters.map(([name]) => name);
    const args: { [name: string]: Json } = {};
    let position = 0;
    for (const { name, value, span } of call.args) {
      if (name === "catalogId" || name === "functionCallId") continue;
      const parameter = name ?? names[position];
      if (name === undefined) position += 1;
      if (parameter === undefined) {
        this.#report("EXP005", span, surplusArgumentHelp(call.name, names), "remove it", "warning");
        continue;
      }
      const type = parameters.find(([one]) => one === parameter)?.[1];
      if (type === undefined) {
        const message = `unknown argument \`${parameter}\` of \`${call.name}\``;
        this.#report("EXP005", span, message, suggestName(parameter, names, "arguments"));
        continue;
      }
      if (Object.hasOwn(args, parameter)) {
        const message = `the argument \`${parameter}\` of \`${call.name}\` is given twice`;
        this.#report("EXP006", span, message, "keep one of the two");
        continue;
      }
      if (value.kind === "skipped") continue;
      const place = { path: `${path}/args/${parameter}`, inlineId: "" };
      const compiled = this.#compileValue(value, type, place);
      if (compiled !== undefined) args[parameter] = compiled;
    }
    return args;
  }

  #compileEvent(call: CallNode, place: Place): Json | undefined {
    const event: { [key: string]: Json } = {};
    let position = 0;
    for (const { name, value, span } of call.args) {
      const key = name ?? EVENT_KEYS[position];
      if (name === undefined) position += 1;
      if (key === undefined || !EVENT_KEYS.includes(key)) {
        const message = `unknown argument \`${key ?? "…"}\` of \`Event\``;
        this.#report("EXP005", span, message, `use ${listNames(EVENT_KEYS)}`);
        continue;
      }
      if (value.kind === "skipped") continue;
      const compiled = this.anyValue(value, `${place.path}/event/${key}`);
      if (compiled !== undefined) event[key] = compiled;
    }
    if (typeof event["name"] === "string") return { event };
    return this.#report("EXP007", call, "missing name of the event", 'write `Event("name")`');
  }

  #compileTemplate(call: CallNode, place: Place): Json | undefined {
    const [list, item] = call.args;
    const help = "write `_template($/list, rowComponent)`";
    if (list?.value.kind !== "path" || item === undefined)
      return this.#report("EXP003", call, "expected a path and a component in `_template`", help);
    const componentId = this.#compileChild(item.value, place);
    if (componentId === undefined) return undefined;
    return { path: list.value.path, componentId };
  }

  /** Compiles a property that names a component. */
  #compileChild(expression: Expression, place: Place): Json | undefined {
    if (!this.#spendValue()) return this.reportTooLarge(expression);
    if (expression.kind === "name") {
      const { name } = expression;
      this.uses.add(name);
      const id = this.scope.idOf(name);
      if (id !== undefined) return id;
      const value = this.scope.valueOf(name);
      if (value?.kind === "name" || value?.kind === "literal") {
        return this.#compileVariable(name, expression, (one) => this.#compileChild(one, place));
      }
      if (value?.kind === "call" && value.name !== "_template") {
        const { signatures, catalogId } = this.scope;
        if (signatures.findFunctions(value.name).length === 0)
          return this.#reportUnknown(
            "component",
            value,
            signatures.componentNames(),
            [],
            catalogId,
          );
      }
      // The component may follow, or exist already.
      if (value === undefined && !this.missing.has(name)) this.missing.set(name, expression);
      return name;
    }
    if (expression.kind === "call" && this.scope.isComponent(expression))
      return this.#compileInline(expression, place);
    if (expression.kind === "literal" && typeof expression.value === "string") {
      const { value } = expression;
      if (this.scope.idOf(value) === undefined && !this.missing.has(value))
        this.missing.set(value, expression);
    }
    return this.#compileData(expression, ANY_TYPE, place);
  }

  #compileChildren(expression: Expression, place: Place): Json | undefined {
    if (expression.kind === "list") {
      return expression.items.flatMap((one, at) => {
        const path = `${place.path}/${at}`;
        this.#spans.set(path, one);
        return this.#compileChild(one, { path, inlineId: `${place.inlineId}_${at}` }) ?? [];
      });
    }
    if (expression.kind === "name" && this.scope.idOf(expression.name) === undefined) {
      return this.#compileVariable(expression.name, expression, (value) =>
        this.#compileChildren(value, place),
      );
    }
    if (expression.kind === "call" && expression.name === "_template")
      return this.#compileTemplate(expression, place);
    if (expression.kind === "path") {
      const help = `write \`_template($${expression.path}, row)\`, with the component of a row`;
      return this.#report(
        "EXP009",
        expression,
        "expected a list of components, found a path",
        help,
      );
    }
    const child = this.#compileChild(expression, { ...place, inlineId: `${place.inlineId}_0` });
    if (typeof child !== "string") return child;
    const help = "write it in brackets: `[…]`";
    this.#report("EXP009", expression, "expected a list of components", help, "warning");
    return [child];
  }

  /** Compiles a component that is written in place of its name. Returns its id. */
  #compileInline(call: CallNode, place: Place): string | undefined {
    const id = textArgument(call, "id") ?? place.inlineId;
    if (id === "") {
      const help = "assign it to a variable, and name the variable";
      return this.#report("EXP008", call, `the component \`${call.name}\` is not a value`, help);
    }
    if (this.scope.idOf(id) !== undefined) {
      const help = 'rename the variable, or give the component another id: `id="…"`';
      return this.#report("EXP010", call, `the id \`${id}\` belongs to a variable too`, help);
    }
    this.compileComponent(id, call);
    return id;
  }

  /** Replaces a variable by its value; an unassigned one is a text. */
  #compileVariable(
    name: string,
    span: Span,
    compile: (value: Expression) => Json | undefined,
  ): Json | undefined {
    this.uses.add(name);
    const id = this.scope.idOf(name);
    if (id !== undefined) return id;
    const value = this.scope.valueOf(name);
    if (value === undefined) {
      if (this.waitsFor.length === 0) this.waitsFor = [...this.#replaced, name];
      return this.isFinal ? name : undefined;
    }
    if (this.#replaced.includes(name)) {
      const help = "assign a value that does not refer to the variable";
      return this.#report("EXP011", span, `the variable \`${name}\` contains itself`, help);
    }
    if (Math.max(this.#depth, this.#replaced.length) >= MAX_DEPTH)
      return this.reportTooLarge(span, `are nested deeper than ${MAX_DEPTH} levels`);
    this.#replaced.push(name);
    const compiled = compile(value);
    this.#replaced.pop();
    return compiled;
  }

  /** Counts a value inside of a variable. Returns false above the limit. */
  #spendValue(): boolean {
    return this.#replaced.length === 0 || this.scope.spendValue();
  }

  reportTooLarge(span: Span, problem = "expand to too many values"): undefined {
    if (this.diagnostics.some(({ code }) => code === "EXP016")) return undefined;
    const help = "refer to components by their variables, and put lists into the data model";
    return this.#report("EXP016", span, `the variables of the text ${problem}`, help);
  }

  #reportAmbiguous(call: CallNode): undefined {
    const ids = this.scope.signatures.catalogs.map(({ id }) => JSON.stringify(id)).join(" or ");
    const message = `several catalogs declare \`${call.name}\``;
    return this.#report("EXP012", call.nameSpan, message, `add catalogId=${ids}`);
  }

  /** Reports an argument `catalogId` that names no catalog. Returns whether it does. */
  #reportCatalog({ args }: CallNode): boolean {
    const { signatures } = this.scope;
    const value = args.find(({ name }) => name === "catalogId")?.value;
    if (value?.kind !== "literal" || typeof value.value !== "string") return false;
    if (signatures.hasCatalog(value.value)) return false;
    this.diagnostics.push(unknownCatalog(value.value, value, signatures));
    return true;
  }

  /** Reports an unknown name, with the other catalogs that declare it. */
  #reportUnknown(
    what: string,
    { name, nameSpan }: CallNode,
    names: readonly string[],
    others: readonly Declared<unknown>[],
    catalogId: string | undefined,
  ): undefined {
    if (others.length === 0) {
      const help = suggestName(name, names, `${what}s`);
      return this.#report("EXP004", nameSpan, `unknown ${what} \`${name}\``, help);
    }
    const message = `the catalog \`${catalogId}\` has no ${what} \`${name}\``;
    const ids = others.map(({ owner }) => JSON.stringify(owner.id)).join(" or ");
    return this.#report("EXP004", nameSpan, message, `add catalogId=${ids}`);
  }

  #report(
    code: ExpressCode,
    span: Span,
    message: string,
    help: string,
    severity?: Diagnostic["severity"],
  ): undefined {
    this.diagnostics.push(expressDiagnostic(code, span, message, help, severity));
  }
}

/** Returns the text of a named argument. */
export function textArgument({ args }: { args: readonly Argument[] }, name: string) {
  const value = args.find((one) => one.name === name)?.value;
  return value?.kind === "literal" && typeof value.value === "string" ? value.value : undefined;
}

function surplusArgumentHelp(name: string, known: readonly string[]): string {
  const count = known.length === 1 ? "1 argument" : `${known.length} arguments`;
  return `\`${name}\` has ${count}; this one is ignored`;
}

/** Returns the bound value that the checks of a component are about. */
function boundValue(
  { input }: CatalogComponent,
  json: { readonly [prop: string]: Json },
): Json | undefined {
  const values = ["value", ...input].map((prop) => json[prop]);
  return values.find((value) => isJsonObject(value) && typeof value["path"] === "string");
}
