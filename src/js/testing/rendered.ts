import { type A2uiTarget, a2uiTarget } from "../a2ui/translating-target.js";
import { assertOptions, throwMisuse } from "../arguments.js";
import type { Functions } from "../functions/call-context.js";
import { englishChecks, failedCheck } from "../functions/checks.js";
import { evaluateProps } from "../functions/evaluate.js";
import { asText } from "../json-value.js";
import { type MessageSource, receiveAll } from "../messages/receive.js";
import { messageStream } from "../messages/stream.js";
import type { MessageTarget, Received } from "../messages/types.js";
import { Surface } from "../surface.js";
import type { Action, Catalog, Diagnostic, Instance, Json, SurfaceChange } from "../types.js";
import { nameOf, type Roles, roleOf, textOf } from "./roles.js";

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
      /** Id of the data node that the instance displays. */
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

const OPTIONS = ["catalog", "a2ui", "functions", "locale", "timeZone", "roles", "now"];
const QUERY_KEYS = ["id", "role", "name", "component", "node"];

/** Rendered surface without a document: its instances can be found, typed in and pressed. */
export class Rendered {
  readonly surface: Surface;
  /** Actions that were triggered, in order. */
  readonly actions: Action[] = [];
  /** Changes since the surface was rendered, in order. */
  readonly changes: SurfaceChange[] = [];
  /** Diagnostics of all messages, in order. */
  readonly diagnostics: Diagnostic[] = [];
  readonly #target: MessageTarget | A2uiTarget;
  readonly #options: TestOptions;

  constructor(options: TestOptions = {}) {
    assertOptions(options, OPTIONS, "the options of `render`");
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

  /** Receives further messages, all at once. */
  send(messages: TestMessages): Received {
    const texts = typeof messages === "string" ? [messages] : [messages].flat().map(lineOf);
    const stream = messageStream(this.#target, { onText: () => {} });
    const results = [...texts.map((text) => stream.push(text)), stream.end()];
    const diagnostics = results.flatMap((one) => one.diagnostics);
    this.diagnostics.push(...diagnostics);
    return { ok: results.every(({ ok }) => ok), diagnostics };
  }

  /** Receives a stream to its end, such as that of `scriptedStream`. */
  async receive(source: MessageSource | Promise<MessageSource>): Promise<Received> {
    const received = await receiveAll(this.#target, source, { onText: () => {} });
    this.diagnostics.push(...received.diagnostics);
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
    const [first, second] = this.all(query);
    if (first !== undefined && second === undefined) return first;
    const what = typeof query === "string" ? `the id \`${query}\`` : describeQuery(query);
    const count = first === undefined ? "no instance" : "several instances";
    return throwMisuse(`found ${count} with ${what}; the surface has ${this.#summary()}`);
  }

  /** Returns the role of an instance, or undefined without one. */
  role(query: Query | Instance): string | undefined {
    return roleOf(this.#findOne(query), this.#options.roles ?? {});
  }

  /** Returns the accessible name of an instance. */
  name(query: Query | Instance): string {
    return nameOf(this.#findOne(query));
  }

  /** Writes the input of the user to an instance, such as the text of a field. */
  type(query: Query | Instance, value: Json): void {
    const instance = this.#findOne(query);
    const [prop] = this.#entry(instance)?.input ?? ["value"];
    if (prop === undefined) {
      throwMisuse(`\`${instance.id}\` (a \`${instance.component}\`) takes no input`);
    }
    this.surface.input(instance.key, prop, value);
    const { surface } = this;
    const error = surface.diagnostics().find(({ severity }) => severity === "error");
    if (error) throwMisuse(`the input was rejected: ${error.message}`);
  }

  /** Triggers the action of an instance, as a click does. Returns it. */
  press(query: Query | Instance): Action {
    const instance = this.#findOne(query);
    const { id, component, key } = instance;
    const message = this.error(instance);
    if (message !== null) throwMisuse(`\`${id}\` is disabled: ${message}`);
    const [prop] = this.#entry(instance)?.actions ?? ["action"];
    const action = prop === undefined ? undefined : this.surface.trigger(key, prop);
    return action ?? throwMisuse(`\`${id}\` (a \`${component}\`) has no action`);
  }

  /** Returns the message of the first check that an instance fails, or null. */
  error(query: Query | Instance): string | null {
    const { props } = this.#findOne(query);
    const { functions, locale, timeZone } = this.#options;
    const context = { words: englishChecks, functions, locale, timeZone };
    return failedCheck(new Map(Object.entries(props)), props["value"], context);
  }

  [Symbol.dispose](): void {
    if (Symbol.dispose in this.#target) this.#target[Symbol.dispose]();
    this.surface[Symbol.dispose]();
  }

  #findOne(query: Query | Instance): Instance {
    return typeof query === "object" && "key" in query ? query : this.get(query);
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
    if (node !== undefined && !instance.key.split("/").some((step) => step.endsWith(`:${node}`)))
      return false;
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

  /** Returns the ids of the instances for an error message. */
  #summary(): string {
    const ids = [...new Set(this.all().map(({ id }) => id))];
    return ids.length === 0 ? "no instances" : `the ids ${ids.slice(0, MAX_LISTED_IDS).join(", ")}`;
  }
}

/** Maximum number of ids in an error message. */
const MAX_LISTED_IDS = 30;

/** Renders messages without a document. */
export function render(messages: TestMessages = [], options: TestOptions = {}): Rendered {
  const rendered = new Rendered(options);
  // A stream without messages is an error, but a test may begin without them.
  if (!Array.isArray(messages) || messages.length > 0) rendered.send(messages);
  rendered.changes.length = 0;
  return rendered;
}

function lineOf(message: unknown): string {
  if (typeof message === "string") return message;
  return `${JSON.stringify(message)}\n`;
}

function describeQuery(query: Exclude<Query, string>): string {
  const parts = Object.entries(query).map(
    ([key, value]) => `${key} \`${asText(value as Json) || String(value)}\``,
  );
  return parts.join(" and ");
}
