import { type A2uiTarget, a2uiTarget } from "../a2ui/translating-target.js";
import {
  assertBoolean,
  assertFunction,
  assertLocale,
  assertMap,
  assertOptions,
  assertOptionTypes,
  assertTimeZone,
  throwExpected,
  throwMisuse,
} from "../arguments.js";
import { formInputs } from "../form-inputs.js";
import { assertFunctions, type Functions } from "../functions/call-context.js";
import { englishChecks, failedCheck } from "../functions/checks.js";
import { evaluateProps } from "../functions/evaluate.js";
import { hasChecks, inputError } from "../input-check.js";
import { hasItem, itemOf } from "../item-key.js";
import { toJsonText } from "../json-text.js";
import { asText } from "../json-value.js";
import { type MessageSource, receiveAll } from "../messages/receive.js";
import { messageStream } from "../messages/stream.js";
import type { MessageTarget, Received } from "../messages/types.js";
import { Surface } from "../surface.js";
import type { Action, Catalog, Diagnostic, Instance, Json, SurfaceChange } from "../types.js";
import { choicesOf, listOf } from "./choices.js";
import { type LinkedNode, linkedNode } from "./linked-node.js";
import { nameOf, type Roles, roleOf, textOf } from "./roles.js";
import { isOutsideLimits, typedValue } from "./typed-value.js";

/** Query: the id of a component, or properties that an instance has. */
export type Query =
  | string
  | {
      /** Id of the component. */
      id?: string;
      /** Role (WAI-ARIA), such as `button`. */
      role?: string;
      /** Accessible name: the whole text, or a pattern. */
      name?: string | RegExp;
      /** Name of the component in the catalog. */
      component?: string;
      /** Id of the data node that the instance displays; of plain A2UI its path. */
      node?: string;
    };

/** Messages to render: text, one message, or a list of them. */
export type TestMessages = string | object | readonly object[];

export interface TestOptions {
  catalog?: Catalog;
  /** Accepts messages of plain A2UI. */
  a2ui?: boolean;
  /** Custom functions of the catalog. */
  functions?: Functions;
  /** Locale and time zone of formatted values; `en-US` and `UTC` by default. */
  locale?: string;
  timeZone?: string;
  /** Roles of the components of the catalog. */
  roles?: Roles;
  /** Time of actions; constant by default. */
  now?: () => string;
}

const ASSERTIONS = {
  catalog: assertMap,
  a2ui: assertBoolean,
  functions: assertFunctions,
  locale: assertLocale,
  timeZone: assertTimeZone,
  roles: assertMap,
  now: assertFunction,
};
const QUERY_KEYS = ["id", "role", "name", "component", "node"];

/** Rendered surface without a document: its instances can be found, typed in and pressed. */
export class Rendered {
  readonly surface: Surface;
  /** Actions that were triggered, in order. */
  readonly actions: Action[] = [];
  /** Changes since the surface was rendered, in order. */
  readonly changes: SurfaceChange[] = [];
  /** Diagnostics of all messages, in order. */
  readonly #received: Diagnostic[] = [];
  readonly #target: MessageTarget | A2uiTarget;
  readonly #options: TestOptions;

  constructor(options: TestOptions = {}) {
    assertOptionTypes(options, ASSERTIONS, "the options of `render`");
    const { catalog, a2ui = false, now = () => "2000-01-01T00:00:00Z" } = options;
    this.#options = options;
    this.surface = new Surface({
      ...(catalog && { catalog }),
      now,
      onAction: (action) => this.actions.push(action),
    });
    this.#target = a2ui ? a2uiTarget(this.surface) : this.surface;
    this.surface.subscribe((changes) => this.changes.push(...changes));
  }

  /**
   * Diagnostics of all messages, in order, and those of the current surface: missing components and
   * missing data.
   */
  get diagnostics(): Diagnostic[] {
    const known = new Set(this.#received.map(({ code, message }) => `${code} ${message}`));
    const current = this.surface.diagnostics({ isDone: true });
    const others = current.filter(({ code, message }) => !known.has(`${code} ${message}`));
    return [...this.#received, ...others];
  }

  /** Receives further messages, all at once. */
  send(messages: TestMessages): Received {
    if (typeof messages !== "string" && (typeof messages !== "object" || messages === null))
      throwExpected("the messages", "a text, a message or a list", messages);
    const texts = typeof messages === "string" ? [messages] : [messages].flat().map(lineOf);
    const stream = messageStream(this.#target, { onText: () => {} });
    const push = (text: string | Diagnostic): Received =>
      typeof text === "string" ? stream.push(text) : { ok: false, diagnostics: [text] };
    const results = [...texts.map(push), stream.end()];
    const diagnostics = results.flatMap((one) => one.diagnostics);
    this.#received.push(...diagnostics);
    return { ok: results.every(({ ok }) => ok), diagnostics };
  }

  /** Receives a stream to its end, such as that of `scriptedStream`. */
  async receive(source: MessageSource | Promise<MessageSource>): Promise<Received> {
    const received = await receiveAll(this.#target, source, { onText: () => {} });
    this.#received.push(...received.diagnostics);
    return received;
  }

  /** Returns the current tree with calls replaced by their values, or null without a `root`. */
  tree(): Instance | null {
    const tree = this.surface.tree();
    return tree && this.#withEvaluatedProps(tree);
  }

  /** Returns all texts of the surface, one per line. */
  text(): string {
    const tree = this.tree();
    return tree ? textOf(tree) : "";
  }

  /** Returns all instances that match, in the order of the document. */
  all(query: Query = {}): Instance[] {
    const wanted = typeof query === "string" ? { id: query } : query;
    assertOptions(wanted, QUERY_KEYS, "a query");
    const found: Instance[] = [];
    const visit = (instance: Instance): void => {
      if (this.#matches(instance, wanted)) found.push(instance);
      instance.children.forEach(visit);
    };
    const tree = this.tree();
    if (tree) visit(tree);
    return found;
  }

  /** Returns the first instance that matches, or undefined. */
  find(query: Query): Instance | undefined {
    return this.all(query)[0];
  }

  /** Returns the only instance that matches; throws for none and for several. */
  get(query: Query): Instance {
    const found = this.all(query);
    const [first] = found;
    if (first !== undefined && found.length === 1) return first;
    const what = typeof query === "string" ? `the id \`${query}\`` : describeQuery(query);
    return throwMisuse(
      first === undefined
        ? `found no instance with ${what}; the surface has ${this.#summary()}`
        : `found several instances with ${what}; ${choicesOf(found)}`,
    );
  }

  /** Returns the role of an instance, or undefined without one. */
  role(query: Query | Instance): string | undefined {
    return roleOf(this.#findOne(query), this.#options.roles ?? {});
  }

  /** Returns the accessible name of an instance. */
  name(query: Query | Instance): string {
    return nameOf(this.#findOne(query));
  }

  /**
   * Writes the input of the user to an instance, such as the text of a field. Throws for a value
   * that a user cannot enter.
   */
  type(query: Query | Instance, value: Json): void {
    const instance = this.#findOne(query);
    const { id, key, component } = instance;
    const [prop] = this.#entry(instance)?.input ?? ["value"];
    if (prop === undefined) throwMisuse(`\`${id}\` (a \`${component}\`) takes no input`);
    const { roles = {}, timeZone = "UTC" } = this.#options;
    // A component with a role of its own is not rendered by `byname/dom`.
    const isBasic = prop === "value" && !Object.hasOwn(roles, component);
    const written = isBasic ? typedValue(instance, value, timeZone) : value;
    const errors = (): Diagnostic[] =>
      this.surface.diagnostics().filter(({ severity }) => severity === "error");
    const before = new Set(errors().map(({ message }) => message));
    this.surface.input(key, prop, written);
    const error = errors().find(({ message }) => !before.has(message));
    if (error) throwMisuse(`the input was rejected: ${error.message}`);
  }

  /**
   * Triggers the action of an instance, as a click does. Returns it. Throws if the page would not
   * trigger it: a check of the instance fails, or one of its form if it has `submit`.
   */
  press(query: Query | Instance): Action {
    const instance = this.#findOne(query);
    const { id, component, key } = instance;
    const message = this.error(instance);
    if (message !== null) throwMisuse(`\`${id}\` is disabled: ${message}`);
    const failed = instance.props["submit"] === true ? this.#failedInput(key) : undefined;
    if (failed) throwMisuse(`\`${id}\` does not submit: \`${failed.id}\`: ${failed.message}`);
    const [prop] = this.#entry(instance)?.actions ?? ["action"];
    const action = prop === undefined ? undefined : this.surface.trigger(key, prop);
    return action ?? throwMisuse(`\`${id}\` (a \`${component}\`) has no action`);
  }

  /** Returns the message of the first check that an instance fails, or null. */
  error(query: Query | Instance): string | null {
    const instance = this.#findOne(query);
    const { functions, locale, timeZone = "UTC" } = this.#options;
    const context = { words: englishChecks, functions, locale, timeZone };
    const [prop = "value"] = this.#entry(instance)?.input ?? [];
    const props = new Map(Object.entries(instance.props));
    const failed = failedCheck(props, props.get(prop), context);
    return failed ?? (isOutsideLimits(instance, timeZone) ? englishChecks.invalid : null);
  }

  [Symbol.dispose](): void {
    if (Symbol.dispose in this.#target) this.#target[Symbol.dispose]();
    this.surface[Symbol.dispose]();
  }

  /** Returns the only instance that matches, or the current state of an instance. */
  #findOne(query: Query | Instance): Instance {
    if (typeof query !== "object" || !("key" in query)) return this.get(query);
    const found = this.all().find(({ key }) => key === query.key);
    return found ?? throwMisuse(`the instance \`${query.key}\` was unmounted`);
  }

  /** Returns the first input that fails a check in the form of a button. */
  #failedInput(key: string): { id: string; message: string } | undefined {
    const tree = this.tree();
    const button = tree ? linkedNode(tree, key) : undefined;
    const isInput = ({ instance }: LinkedNode): boolean =>
      hasChecks(new Map(Object.entries(instance.props))) ||
      this.#entry(instance)?.input?.[0] === "value";
    for (const { instance } of button ? formInputs(button, (one) => one.children, isInput) : []) {
      const checked = { ...instance, props: new Map(Object.entries(instance.props)) };
      const { catalog } = this.#options;
      const found = inputError(catalog, checked, () => this.error(instance));
      if (found) return { id: instance.id, message: found.message };
    }
    return undefined;
  }

  #entry({ component }: Instance): Catalog["components"][string] | undefined {
    const components = this.#options.catalog?.components ?? {};
    return Object.hasOwn(components, component) ? components[component] : undefined;
  }

  #matches(instance: Instance, query: Exclude<Query, string>): boolean {
    const { id, role, name, component, node } = query;
    if (id !== undefined && instance.id !== id) return false;
    if (component !== undefined && instance.component !== component) return false;
    if (role !== undefined && roleOf(instance, this.#options.roles ?? {}) !== role) return false;
    if (node !== undefined && !hasItem(instance.key, node)) return false;
    if (name === undefined) return true;
    const own = nameOf(instance);
    return typeof name === "string" ? own === name : name.test(own);
  }

  #withEvaluatedProps({ children, ...instance }: Instance): Instance {
    const props = new Map(Object.entries(instance.props));
    const { functions, locale = "en-US", timeZone = "UTC" } = this.#options;
    evaluateProps(props, { functions, locale, timeZone });
    return {
      ...instance,
      props: Object.fromEntries(props),
      children: children.map((child) => this.#withEvaluatedProps(child)),
    };
  }

  /** Returns the ids and the nodes of the instances for an error message. */
  #summary(): string {
    const all = this.all();
    const ids = [...new Set(all.map(({ id }) => id))];
    if (ids.length === 0) return "no instances";
    const nodes = [...new Set(all.flatMap(({ key }) => itemOf(key) ?? []))];
    return `the ids ${listOf(ids)}${nodes.length === 0 ? "" : ` and the nodes ${listOf(nodes)}`}`;
  }
}

/** Renders messages without a document. */
export function render(messages: TestMessages = [], options: TestOptions = {}): Rendered {
  const rendered = new Rendered(options);
  // A stream without messages is an error, but a test may begin without them.
  if (!Array.isArray(messages) || messages.length > 0) rendered.send(messages);
  rendered.changes.length = 0;
  return rendered;
}

/** Returns a message as a line, or the error of an object that cannot be serialised. */
function lineOf(message: unknown): string | Diagnostic {
  if (typeof message === "string") return message;
  try {
    return `${JSON.stringify(message)}\n`;
  } catch {
    const written = toJsonText(message);
    return "error" in written ? written.error : `${written.text}\n`;
  }
}

function describeQuery(query: Exclude<Query, string>): string {
  const parts = Object.entries(query).map(
    ([key, value]) => `${key} \`${asText(value as Json) || String(value)}\``,
  );
  return parts.join(" and ");
}
