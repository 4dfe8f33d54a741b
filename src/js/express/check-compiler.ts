import { suggestName } from "../catalog/check/suggestions.js";
import type { PropDefinition } from "../catalog/types.js";
import { isJsonObject } from "../json-value.js";
import type { Json } from "../types.js";
import { expressDiagnostic } from "./fault.js";
import type { ValueCompiler, Variables } from "./program.js";
import { parametersOf } from "./signatures.js";
import type { Argument, CheckNode, Expression } from "./syntax.js";

/**
 * Returns whether an argument consists of checks, also if a variable contains them. Each variable is
 * searched once: `known` has the results, and false for those that are being searched.
 */
export function isCheckList(
  expression: Expression,
  scope: Variables,
  depth = 0,
  known = new Map<string, boolean>(),
): boolean {
  if (expression.kind === "check") return true;
  if (expression.kind === "list") {
    const { items } = expression;
    return items.length > 0 && items.every((one) => isCheckList(one, scope, depth + 1, known));
  }
  if (expression.kind !== "name" || depth > MAX_VARIABLE_DEPTH) return false;
  const { name } = expression;
  const found = known.get(name);
  if (found !== undefined) return found;
  known.set(name, false);
  const value = scope.valueOf(name);
  const isList = value !== undefined && isCheckList(value, scope, depth + 1, known);
  known.set(name, isList);
  return isList;
}

/** Maximum number of variables in one another. */
const MAX_VARIABLE_DEPTH = 20;

/** Compiles the checks of one component. */
export class CheckCompiler {
  constructor(
    readonly compiler: ValueCompiler,
    readonly component: { readonly [prop: string]: Json },
    /** Bound value of the component, which a check without a value is about. */
    readonly value: Json | undefined,
  ) {}

  compileChecks(expression: Expression, depth = 0): Json[] {
    const { scope } = this.compiler;
    if (depth > 0 && !scope.spendValue()) {
      this.compiler.reportTooLarge(expression);
      return [];
    }
    if (expression.kind === "check") return this.#compileCheck(expression);
    if (expression.kind === "list")
      return expression.items.flatMap((one) => this.compileChecks(one, depth + 1));
    if (expression.kind === "name" && depth <= MAX_VARIABLE_DEPTH) {
      this.compiler.uses.add(expression.name);
      const value = scope.valueOf(expression.name);
      if (value !== undefined) return this.compileChecks(value, depth + 1);
    }
    const compiled = this.compiler.anyValue(expression, "checks");
    if (!isJsonObject(compiled)) {
      if (compiled !== undefined) {
        const help = 'write `?required("message")`';
        this.#report("expected a check", expression, help);
      }
      return [];
    }
    // A call alone is the condition.
    return [compiled["call"] === undefined ? compiled : withMessage(compiled)];
  }

  #compileCheck(check: CheckNode): Json[] {
    const { signatures } = this.compiler.scope;
    const [declared] = signatures.findFunctions(check.name);
    if (declared === undefined) {
      const help = suggestName(check.name, signatures.functionNames(), "functions");
      const message = `unknown function \`${check.name}\` of a check`;
      this.compiler.diagnostics.push(expressDiagnostic("EXP004", check, message, help));
      return [];
    }
    const parameters = parametersOf(declared.definition);
    const { args, message } = this.#compileArguments(check, parameters);
    const condition: { [key: string]: Json } = { call: check.name, args };
    if (signatures.isMixed) condition["catalogId"] = declared.owner.id;
    return [withMessage(condition, message)];
  }

  #compileArguments(
    check: CheckNode,
    parameters: [string, PropDefinition][],
  ): { args: { [name: string]: Json }; message?: string } {
    const args: { [name: string]: Json } = {};
    let message: string | undefined;
    let position = 0;
    if (parameters[0]?.[0] === "value" && !isValue(check.args[0])) {
      position = 1;
      if (this.value !== undefined) args["value"] = this.value;
      else {
        const id = String(this.component["id"]);
        const help = `bind the input to a path, or name the value: \`?${check.name}($/path)\``;
        this.#report(`the check has no value, because \`${id}\` is not bound`, check, help);
      }
    }
    for (const { name, value, span } of check.args) {
      const [parameter, type] = parameters[position] ?? [];
      const isText = value.kind === "literal" && typeof value.value === "string";
      if (isText && (name === "message" || (name === undefined && !takesText(type)))) {
        message = String(value.value);
        continue;
      }
      const key = name ?? parameter;
      if (name === undefined) position += 1;
      if (key === undefined || !parameters.some(([one]) => one === key)) {
        const names = parameters.map(([one]) => one);
        const text = `unknown argument${name === undefined ? "" : ` \`${name}\``} of \`?${check.name}\``;
        this.compiler.diagnostics.push(
          expressDiagnostic("EXP005", span, text, suggestName(name ?? "", names, "arguments")),
        );
        continue;
      }
      if (value.kind === "skipped") continue;
      const compiled = this.compiler.anyValue(value, `checks/args/${key}`);
      if (compiled !== undefined) args[key] = compiled;
    }
    return { args, ...(message !== undefined && { message }) };
  }

  #report(message: string, expression: Expression, help: string): void {
    this.compiler.diagnostics.push(expressDiagnostic("EXP008", expression, message, help));
  }
}

/** Returns whether an argument is the value to check. */
function isValue(argument: Argument | undefined): boolean {
  if (argument === undefined) return false;
  const { name, value } = argument;
  return name === "value" || value.kind === "path" || value.kind === "call";
}

/** Returns whether a parameter takes a text; a text for any other one is the message. */
function takesText(type: PropDefinition | undefined): boolean {
  if (type === undefined) return false;
  return !["number", "integer", "boolean"].includes(type.type ?? "any");
}

/** Returns a check with a message: a renderer shows nothing without one. */
function withMessage(condition: { [key: string]: Json }, message?: string): Json {
  const name = String(condition["call"]);
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return { condition, message: message ?? `${title} check failed` };
}
