import type { HamStream } from "../stream.js";
import type { Action, ApplyResult, Instance, Json, SurfaceChange } from "../types.js";
import { componentsOf, copyOf, jsonOf, textOf, titleOf, withPointers } from "./message-content.js";
import { overrideMethod } from "./override.js";
import type { Recorder } from "./recorder.js";
import { REDACTED } from "./redactor.js";
import { observeStream } from "./stream-observer.js";
import type { LoggedChange, ObservedSurface, TracedSurface } from "./types.js";
import { waitingResult, waitingUpdate } from "./waiting-result.js";

type ReceivedMessage = Parameters<ObservedSurface["receive"]>[0];

/** Maximum number of changes in one entry. */
const MAX_CHANGES = 200;

/** Stores that are observed already, because surfaces can share one. */
const observedStores = new WeakMap<Recorder, WeakSet<object>>();

/** Records what a surface receives, changes and triggers. */
export class SurfaceObserver implements TracedSurface {
  readonly surface: ObservedSurface;
  readonly store: ObservedSurface["store"];
  readonly definitions = new Map<string, { [prop: string]: Json }>();
  readonly #recorder: Recorder;
  readonly #source: string;
  readonly #ends: (() => void)[] = [];
  /** Whether a component may hide its text. */
  #mayHaveSecrets = false;

  /** `isNew` if all content of the surface is in the log. */
  constructor(recorder: Recorder, source: string, surface: ObservedSurface, isNew = false) {
    this.#recorder = recorder;
    this.#source = source;
    this.surface = surface;
    this.store = surface.store;
    for (const message of surface.export()) this.#addDefinitions(message as unknown as Json);
    this.learnSecrets();
    recorder.log.addSource(source, () => contentOf(surface), isNew);
    recorder.surfaces.set(source, this);
    this.#ends.push(
      overrideMethod(
        surface,
        "receive",
        (receive) => (message) => this.#observeReceive(receive, message),
      ),
      overrideMethod(surface, "input", (input) => (key, prop, value) => {
        this.#observeInput(() => input(key, prop, value), key, prop, value);
      }),
      overrideMethod(
        surface,
        "trigger",
        (trigger) => (key, event) => this.#observeTrigger(trigger, key, event),
      ),
      surface.subscribe((changes) => this.#addChanges(changes)),
      ...this.#observeStore(),
    );
  }

  stop(): void {
    for (const end of this.#ends.splice(0).reverse()) end();
    this.#recorder.surfaces.delete(this.#source);
    this.#recorder.log.removeSource(this.#source);
  }

  #observeReceive(
    receive: ObservedSurface["receive"],
    message: ReceivedMessage,
  ): ReturnType<typeof receive> {
    const { reception, gate } = this.#recorder;
    if (reception) {
      // `Surfaces` adds the entry.
      const result = receive(message);
      reception.applied.push(jsonOf(message));
      this.#addDefinitions(jsonOf(message));
      this.#recorder.addLater(() => this.learnSecrets());
      return result;
    }
    if (gate.isClosed) {
      const copy = copyOf(message) as ReceivedMessage;
      gate.add(titleOf(jsonOf(message)), () => this.#receiveNow(receive, copy));
      return waitingResult();
    }
    return this.#receiveNow(receive, message);
  }

  #receiveNow(
    receive: ObservedSurface["receive"],
    message: ReceivedMessage,
  ): ReturnType<typeof receive> {
    return this.#recorder.runUpdate(
      () => receive(message),
      (result, duration) => this.#addMessage(message, result, duration, "agent"),
    );
  }

  #addMessage(
    message: ReceivedMessage,
    { ok, diagnostics }: Pick<ApplyResult, "ok" | "diagnostics">,
    duration: number,
    from: "agent" | "page",
  ): void {
    const json = jsonOf(message);
    this.#addDefinitions(json);
    this.learnSecrets();
    this.#recorder.log.add(this.#source, {
      kind: "message",
      message: from === "page" ? withEnvelope(json) : json,
      from,
      ok,
      diagnostics: withPointers(diagnostics, message),
      duration,
      length: textOf(message)?.length ?? 0,
    });
  }

  #observeInput(run: () => void, key: string, prop: string, value: Json): void {
    const isSecret = this.#secretKeys().has(key);
    if (isSecret) this.#recorder.log.addSecrets([value]);
    this.#recorder.runUpdate(run, () => {
      this.learnSecrets();
      const shown = isSecret ? REDACTED : value;
      this.#recorder.log.add(this.#source, { kind: "input", key, prop, value: shown });
    });
  }

  #observeTrigger(
    trigger: ObservedSurface["trigger"],
    key: string,
    event: string,
  ): Action | undefined {
    return this.#recorder.runUpdate(
      () => trigger(key, event),
      (action) => {
        this.learnSecrets();
        if (action) this.#recorder.log.add(this.#source, { kind: "action", action });
      },
    );
  }

  #addChanges(changes: readonly SurfaceChange[]): void {
    const logged = changes.slice(0, MAX_CHANGES).map(toLoggedChange);
    this.#recorder.addLater(() => {
      this.learnSecrets();
      const content = { kind: "changes", changes: logged, count: changes.length } as const;
      this.#recorder.log.add(this.#source, content);
    });
  }

  #observeStore(): (() => void)[] {
    const { store } = this;
    const known = observedStores.get(this.#recorder) ?? new WeakSet();
    observedStores.set(this.#recorder, known);
    if (known.has(store)) return [];
    known.add(store);
    const { gate } = this.#recorder;
    return [
      () => known.delete(store),
      overrideMethod(store, "apply", (apply) => (update) => {
        const run = (given: ReceivedMessage): ApplyResult =>
          this.#recorder.runUpdate(
            () => apply(given as Parameters<typeof apply>[0]),
            (result, duration) => this.#addMessage(given, result, duration, "page"),
          );
        if (!gate.isClosed || this.#recorder.reception) return run(update);
        const copy = copyOf(update) as ReceivedMessage;
        gate.add(titleOf(jsonOf(update)), () => run(copy));
        return waitingUpdate();
      }),
      overrideMethod(store, "write", (write) => (binding, value, context) => {
        const { node, key = "" } = binding ?? {};
        return this.#recorder.runUpdate(
          () => write(binding, value, context),
          () => {
            this.learnSecrets();
            const content = { key: `${node ?? "item"}`, prop: key, value };
            this.#recorder.log.add(this.#source, { kind: "input", ...content });
          },
        );
      }),
      overrideMethod(store, "stream", (open) => (options) => {
        const stream = open(options);
        const learn = (): void => this.learnSecrets();
        return observeStream(this.#recorder, this.#source, stream, learn) as HamStream;
      }),
    ];
  }

  #addDefinitions(message: Json): void {
    for (const component of componentsOf(message)) {
      this.definitions.set(component["id"] as string, component);
      const { variant } = component;
      this.#mayHaveSecrets ||= variant === "obscured" || typeof variant === "object";
    }
  }

  /** @internal Adds the texts of hidden fields to the secrets of the log. */
  learnSecrets(): void {
    if (!this.#mayHaveSecrets) return;
    const texts = [...this.#secretFields()].flatMap(({ props }) => [props["value"], props["text"]]);
    this.#recorder.log.addSecrets(texts);
  }

  #secretKeys(): Set<string> {
    if (!this.#mayHaveSecrets) return new Set();
    return new Set(this.#secretFields().map(({ key }) => key));
  }

  #secretFields(): Instance[] {
    const found: Instance[] = [];
    const pending = [treeOf(this.surface)];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (next === null) continue;
      if (next.props["variant"] === "obscured") found.push(next);
      pending.push(...next.children);
    }
    return found;
  }
}

/** Returns the messages that create the content of a surface; none if it is disposed. */
function contentOf(surface: ObservedSurface): Json[] {
  try {
    const messages = surface.export() as unknown as Json[];
    return messages.filter((message) => !isEmptyData(message));
  } catch {
    return [];
  }
}

function isEmptyData(message: Json): boolean {
  return JSON.stringify(message).endsWith('"nodes":{}}}');
}

/** Returns the tree of a surface, or null if it is disposed. */
function treeOf(surface: ObservedSurface): Instance | null {
  try {
    return surface.tree();
  } catch {
    return null;
  }
}

/** Returns an update of a store as a message. */
function withEnvelope(update: Json): Json {
  if (typeof update !== "object" || update === null || "updateDataModel" in update) return update;
  return { updateDataModel: { nodes: update } };
}

function toLoggedChange(change: SurfaceChange): LoggedChange {
  if (change.kind !== "mount") return change;
  const { kind, key, parent, before, instance } = change;
  return { kind, key, component: instance.component, parent, before };
}
