import type { Diagnostic, Json } from "../types.js";
import { appendAll } from "./append.js";
import { ComponentCompiler, textArgument } from "./component-compiler.js";
import { type ExpressCode, expressDiagnostic } from "./fault.js";
import { parseStatement } from "./parser.js";
import { DEFAULT_SURFACE, type SurfaceOptions } from "./program.js";
import { Scope } from "./scope.js";
import { type Signatures, unknownCatalog } from "./signatures.js";
import type { StatementTokens } from "./statements.js";
import type { CallNode, Expression, Span, Statement } from "./syntax.js";

/** Message of a block: those of a scope, a deletion, or a call of a function of the renderer. */
export type BlockStep =
  | { readonly kind: "scope"; readonly scope: Scope }
  | { readonly kind: "delete"; readonly surfaceId: string }
  | { readonly kind: "call"; readonly call: { [key: string]: Json }; readonly id: string };

/** Effect of one statement, for a stream that applies it at once. */
export type StatementEffect =
  | { readonly kind: "none" }
  | { readonly kind: "variable"; readonly affected: readonly string[] }
  | { readonly kind: "data" }
  | { readonly kind: "open" }
  | Exclude<BlockStep, { kind: "scope" }>;

const NO_EFFECT: StatementEffect = { kind: "none" };
const SURFACE_ARGUMENTS = ["surfaceId", "catalogId"];
/** Other names of the arguments of `surface`. */
const ARGUMENT_ALIASES: { readonly [name: string]: string } = {
  id: "surfaceId",
  catalog: "catalogId",
};

/** Statements of one block, grouped by surface. */
export class Block {
  readonly steps: BlockStep[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly #signatures: Signatures;
  readonly #defaultSurface: string;
  #scope: Scope | undefined;
  #callCount = 0;
  #statementCount = 0;

  constructor(signatures: Signatures, defaultSurface = DEFAULT_SURFACE) {
    this.#signatures = signatures;
    this.#defaultSurface = defaultSurface;
  }

  get isEmpty(): boolean {
    return this.#statementCount === 0;
  }

  /** The scope that statements belong to now. */
  get scope(): Scope {
    this.#scope ??= this.#openScope({ surfaceId: this.#defaultSurface });
    return this.#scope;
  }

  /** Reads a statement. Returns its effect. */
  read(tokens: StatementTokens): StatementEffect {
    this.#statementCount += 1;
    const parsed = parseStatement(tokens);
    if (parsed.fault !== undefined) {
      this.diagnostics.push(parsed.fault);
      return NO_EFFECT;
    }
    const { statement } = parsed;
    const { target, expression } = statement;
    if (target === undefined) return this.#readCommand(expression);
    if (target.kind === "path") return this.#assignPath(target.path, target, statement);
    return { kind: "variable", affected: this.#assignTarget(statement) };
  }

  #assignTarget({ target, expression }: Statement): readonly string[] {
    if (target?.kind !== "name") return [];
    const { name } = target;
    const { scope } = this;
    if (scope.idOf(name) !== undefined || scope.valueOf(name) !== undefined) {
      const help = "rename one of the two variables, or remove the first statement";
      this.#report(
        "EXP014",
        target,
        `\`${name}\` is assigned again; the last value is used`,
        help,
        "warning",
      );
    }
    return scope.assignVariable(target, expression);
  }

  #assignPath(path: string, span: Span, { expression }: Statement): StatementEffect {
    const { scope } = this;
    const isRelative = path !== "" && !path.startsWith("/");
    if (isRelative) {
      const help = `write \`$/${path} = …\``;
      this.#report(
        "EXP008",
        span,
        `the path \`$${path}\` has no item that it starts at`,
        help,
        "warning",
      );
    }
    scope.data.push({
      path: isRelative ? `/${path}` : path,
      expression,
      span: { ...span, end: expression.end },
    });
    return { kind: "data" };
  }

  /** Reads a call that is not assigned. */
  #readCommand(expression: Expression): StatementEffect {
    if (expression.kind !== "call") {
      const help = 'write `name = …`, `$/path = …` or a call such as `surface("id")`';
      this.#report("EXP001", expression, "expected an assignment or a call", help);
      return NO_EFFECT;
    }
    if (expression.name === "surface") return this.#readSurface(expression);
    if (expression.name === "deleteSurface") return this.#readDeletion(expression);
    if (this.#signatures.findComponents(expression.name).length > 0) {
      const help = `assign it to a variable: \`root = ${expression.name}(…)\``;
      this.#report("EXP001", expression, `the component \`${expression.name}\` has no name`, help);
      return NO_EFFECT;
    }
    return this.#rendererCall(expression);
  }

  #readSurface(call: CallNode): StatementEffect {
    const options = this.#surfaceOptions(call);
    if (options === undefined) return NO_EFFECT;
    this.#scope = this.#openScope(options, call);
    return { kind: "open" };
  }

  #surfaceOptions(call: CallNode): SurfaceOptions | undefined {
    const values: { [name: string]: string | boolean } = {};
    let position = 0;
    for (const { name, value, span } of call.args) {
      const key =
        name === undefined ? SURFACE_ARGUMENTS[position] : (ARGUMENT_ALIASES[name] ?? name);
      if (name === undefined) position += 1;
      const expected = key === undefined ? undefined : ARGUMENT_TYPES[key];
      const literal = value.kind === "literal" ? value.value : undefined;
      if (key === undefined || expected === undefined) {
        const help = `use ${Object.keys(ARGUMENT_TYPES).join(", ")}`;
        this.#report("EXP005", span, `unknown argument of \`${call.name}\``, help);
      } else if (value.kind === "skipped" || literal === null) continue;
      else if (typeof literal !== expected)
        this.#report("EXP008", span, `expected a ${expected} in \`${key}\``, `write a ${expected}`);
      else if (key === "catalogId" && !this.#signatures.hasCatalog(String(literal)))
        this.diagnostics.push(unknownCatalog(String(literal), value, this.#signatures));
      else values[key] = literal as string | boolean;
    }
    const { surfaceId = this.#defaultSurface } = values;
    return { ...values, surfaceId: String(surfaceId) };
  }

  #readDeletion(call: CallNode): StatementEffect {
    const options = this.#surfaceOptions(call);
    if (options === undefined) return NO_EFFECT;
    if (call.args.length === 0) {
      this.#report("EXP007", call, "missing id of the surface", 'write `deleteSurface("id")`');
      return NO_EFFECT;
    }
    const step = { kind: "delete", surfaceId: options.surfaceId } as const;
    this.steps.push(step);
    return step;
  }

  #rendererCall(call: CallNode): StatementEffect {
    const compiler = new ComponentCompiler(this.scope, true);
    const compiled = compiler.functionCall(call, "");
    appendAll(this.diagnostics, compiler.diagnostics);
    if (compiled === undefined) return NO_EFFECT;
    this.#callCount += 1;
    const [declared] = this.#signatures.findFunctions(call.name, textArgument(call, "catalogId"));
    const { call: name, args } = compiled as { call: string; args: Json };
    const catalogId = declared?.owner.id ?? "";
    const id = textArgument(call, "functionCallId") ?? `call_${this.#callCount}`;
    const step = { kind: "call", call: { catalogId, call: name, args }, id } as const;
    this.steps.push(step);
    return step;
  }

  #openScope(options: SurfaceOptions, declaration?: Span): Scope {
    const scope = new Scope(this.#signatures, options, declaration);
    this.steps.push({ kind: "scope", scope });
    return scope;
  }

  #report(
    code: ExpressCode,
    span: Span,
    message: string,
    help: string,
    severity?: Diagnostic["severity"],
  ): void {
    this.diagnostics.push(expressDiagnostic(code, span, message, help, severity));
  }
}

/** Arguments of `surface` with their types. */
const ARGUMENT_TYPES: { readonly [name: string]: "string" | "boolean" } = {
  surfaceId: "string",
  catalogId: "string",
  sendDataModel: "boolean",
  update: "boolean",
};
