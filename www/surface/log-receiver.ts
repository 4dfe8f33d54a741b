import type { Action, Diagnostic, Json, Surface } from "byname";
import { type A2uiTarget, a2uiTarget, toA2uiAction } from "byname/a2ui";
import { type MessageStream, type MessageTarget, messageStream } from "byname/messages";
import { asList, asRecord, isRecord, type JsonRecord } from "../page/json.js";
import type { Component, Log } from "./examples/example.js";
import { surfaceOf } from "./log-format.js";

/** Receives the messages of a log for one of its surfaces. */
export class LogReceiver {
  readonly #target: MessageTarget;
  readonly #translator: A2uiTarget["translator"] | undefined;
  readonly #surfaceId: string | undefined;

  /** `addDefinition` is called with each component that the surface receives. */
  constructor(surface: Surface, log: Log, addDefinition: (component: Component) => void) {
    this.#surfaceId = log.surfaceId;
    const recorder = {
      store: surface.store,
      receive: (message: string | Uint8Array | object) => {
        for (const one of componentsOf(parse(message))) addDefinition(one);
        return surface.receive(message);
      },
      diagnostics: () => surface.diagnostics(),
    };
    if (log.language === "A2UI") {
      const target = a2uiTarget(recorder);
      this.#target = target;
      this.#translator = target.translator;
    } else this.#target = recorder;
  }

  /** Opens a stream for a text; messages for other surfaces are skipped. */
  open(): MessageStream {
    const target = this.#target;
    return messageStream({
      store: target.store,
      receive: (message) => {
        const id = surfaceOf(parse(message));
        const isOther = id !== undefined && id !== this.#surfaceId;
        // A rejected beginning of a message skips its rest.
        return isOther ? { ok: false, diagnostics: [] } : target.receive(message);
      },
    });
  }

  /** Returns the diagnostics of the current state. */
  diagnostics(): Diagnostic[] {
    return this.#target.diagnostics?.() ?? [];
  }

  /** Returns the message that reports an action to the agent. */
  toAgent(action: Action): object {
    if (!this.#translator) return action;
    const { version } = this.#translator;
    return toA2uiAction(action, version === undefined ? {} : { version });
  }
}

function parse(message: string | Uint8Array | object): JsonRecord {
  if (typeof message === "object" && !(message instanceof Uint8Array)) return message as JsonRecord;
  try {
    const text = typeof message === "string" ? message : new TextDecoder().decode(message);
    return asRecord(JSON.parse(text));
  } catch {
    return {};
  }
}

function componentsOf({ createSurface, updateComponents }: JsonRecord): Component[] {
  const isComponent = (one: Json): one is Component =>
    isRecord(one) && typeof one["id"] === "string";
  return [createSurface, updateComponents]
    .flatMap((body) => asList(asRecord(body)["components"]))
    .filter(isComponent);
}
