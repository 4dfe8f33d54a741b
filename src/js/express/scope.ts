import type { Diagnostic, Json } from "../types.js";
import { appendAll } from "./append.js";
import { checkComponents } from "./catalog-check.js";
import { ComponentCompiler, textArgument } from "./component-compiler.js";
import { expressDiagnostic, hasError } from "./fault.js";
import type { CompiledComponent, DataAssignment, SurfaceOptions, Variables } from "./program.js";
import type { Signatures } from "./signatures.js";
import type { CallNode, Expression, NameNode, Span } from "./syntax.js";

/** Maximum number of values that variables expand to, so that they cannot grow without end. */
const MAX_EXPANDED_VALUES = 200_000;

/** Maximum number of variables in one another that are searched for references. */
const MAX_SEARCHED_VARIABLES = 8;

/** Component of a variable, and what it was compiled to. */
interface Entry {
  readonly call: CallNode;
  /** First missing variable, after those that contain it; empty if none is missing. */
  waitsFor: readonly string[];
}

/** Result of one compilation. */
export interface Compiled {
  readonly components: CompiledComponent[];
  /** Names of components that are not assigned, with their first use. */
  readonly missing?: ReadonlyMap<string, Span>;
  readonly diagnostics: Diagnostic[];
}

/** Statements about one surface, which share their variables. */
export class Scope implements Variables {
  readonly data: DataAssignment[] = [];
  readonly #variables = new Map<string, Expression>();
  readonly #components = new Map<string, Entry>();
  /** Components that refer to a variable. */
  readonly #users = new Map<string, Set<string>>();
  #spent = 0;

  constructor(
    readonly signatures: Signatures,
    readonly options: SurfaceOptions,
    /** Part of the text that opens the scope, if a statement does. */
    readonly declaration?: Span,
  ) {}

  get catalogId(): string | undefined {
    return this.options.catalogId;
  }

  get hasRoot(): boolean {
    return this.componentNames().some((name) => this.idOf(name) === "root");
  }

  get hasComponents(): boolean {
    return this.#components.size > 0;
  }

  /**
   * Returns whether a call is one of a component. Unknown calls with a capital, of a component in
   * other case, and of `root` are too.
   */
  isComponent({ name }: CallNode, variable?: string): boolean {
    if (this.signatures.findComponents(name).length > 0) return true;
    if (name === "Event" || this.signatures.findFunctions(name).length > 0) return false;
    if (variable === "root" || /^\p{Lu}/u.test(name)) return true;
    const lower = name.toLowerCase();
    return this.signatures.componentNames().some((one) => one.toLowerCase() === lower);
  }

  /** Returns the id of the component that a variable contains. */
  idOf(name: string): string | undefined {
    const entry = this.#components.get(name);
    return entry && (textArgument(entry.call, "id") ?? name);
  }

  /** Returns the value of a variable that contains no component. */
  valueOf(name: string): Expression | undefined {
    return this.#variables.get(name);
  }

  /** Counts a value of a variable. Returns false above the limit. */
  spendValue(): boolean {
    this.#spent += 1;
    return this.#spent <= MAX_EXPANDED_VALUES;
  }

  /** Assigns a variable. Returns the names of the components that it affects, itself included. */
  assignVariable({ name }: NameNode, expression: Expression): string[] {
    const users = [...(this.#users.get(name) ?? [])].filter(
      (user) => user !== name && this.#isAffected(user, name),
    );
    if (expression.kind === "call" && this.isComponent(expression, name)) {
      const hadOwnId = this.idOf(name) !== undefined;
      this.#variables.delete(name);
      this.#components.set(name, { call: expression, waitsFor: [] });
      // Users have the name as the id already.
      return !hadOwnId && this.idOf(name) === name
        ? [name, ...this.#waitingFor(users)]
        : [name, ...users];
    }
    this.#components.delete(name);
    this.#variables.set(name, expression);
    return users;
  }

  #waitingFor(names: readonly string[]): string[] {
    return names.filter((name) => this.#components.get(name)?.waitsFor.length);
  }

  /** Returns whether a variable can change a component, which may wait for another variable. */
  #isAffected(user: string, name: string): boolean {
    const { waitsFor = [] } = this.#components.get(user) ?? {};
    return waitsFor.length === 0 || waitsFor.includes(name);
  }

  /**
   * Compiles the component of a variable. Without `isFinal` it stays pending until all variables of
   * its values are assigned.
   */
  compileComponentOf(name: string, isFinal: boolean): Compiled {
    const entry = this.#components.get(name);
    if (entry === undefined) return { components: [], diagnostics: [] };
    const compiler = new ComponentCompiler(this, isFinal);
    compiler.compileComponent(this.idOf(name) ?? name, entry.call);
    entry.waitsFor = isFinal ? [] : compiler.waitsFor;
    const isPending = entry.waitsFor.length > 0;
    for (const used of isPending ? entry.waitsFor : compiler.uses) {
      const users = this.#users.get(used) ?? new Set();
      this.#users.set(used, users.add(name));
    }
    if (isPending) return { components: [], diagnostics: [] };
    const { components, diagnostics } = compiler;
    if (!hasError(diagnostics))
      appendAll(diagnostics, checkComponents(components, this.signatures));
    return { components, missing: compiler.missing, diagnostics };
  }

  /** Compiles a component whose last text has not ended; it stays unassigned. */
  previewComponent(name: string, call: CallNode): Compiled {
    const compiler = new ComponentCompiler(this, false);
    compiler.compileComponent(textArgument(call, "id") ?? name, call);
    const { components, diagnostics, waitsFor } = compiler;
    const isShown = diagnostics.length === 0 && waitsFor.length === 0;
    return { components: isShown ? components : [], diagnostics };
  }

  /** Names of the components in the order of their statements. */
  componentNames(): string[] {
    return [...this.#components.keys()];
  }

  /** Names of the components that wait for variables. */
  pendingNames(): string[] {
    return this.#waitingFor(this.componentNames());
  }

  /** Compiles the value of a data assignment. */
  compileData({ expression, span }: DataAssignment): { value: Json; diagnostics: Diagnostic[] } {
    const compiler = new ComponentCompiler(this, true);
    const value = compiler.anyValue(expression, "") ?? null;
    const { diagnostics } = compiler;
    const isTooLarge = diagnostics.some(({ code }) => code === "EXP016");
    if (!isTooLarge && this.#isReference(expression, 0)) {
      const help = "write a literal value; components refer to data, and data do not";
      diagnostics.push(
        expressDiagnostic("EXP008", span, "expected data, found a path or a call", help),
      );
    }
    return { value, diagnostics };
  }

  /** Returns whether data contain a path or a call, also through variables. */
  #isReference(expression: Expression, depth: number): boolean {
    const { kind } = expression;
    if (kind === "path" || kind === "call") return true;
    if (kind === "list") return expression.items.some((one) => this.#isReference(one, depth));
    if (kind === "map")
      return expression.entries.some(({ value }) => this.#isReference(value, depth));
    const value = kind === "name" ? this.valueOf(expression.name) : undefined;
    return (
      value !== undefined && depth < MAX_SEARCHED_VARIABLES && this.#isReference(value, depth + 1)
    );
  }
}
