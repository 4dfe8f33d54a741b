import { type A2uiTarget, a2uiTarget, type TranslatedSurface } from "../a2ui/translating-target.js";
import { throwExpected } from "../arguments.js";
import type { MessageTarget, Received } from "../messages/types.js";
import type { SurfaceInfo } from "../surface-info.js";
import type { Diagnostic } from "../types.js";
import { DEFAULT_SURFACE } from "./program.js";

/** Surfaces of a page, as `Surfaces` of `byname/messages`. */
export interface SurfaceList extends MessageTarget, Iterable<[string, TranslatedSurface]> {
  get(id: string): TranslatedSurface | undefined;
  target(id: string): MessageTarget | A2uiTarget | undefined;
}

/** Receiver of Express: a surface, several surfaces, or the target of plain A2UI of a surface. */
export type ExpressTarget = TranslatedSurface | SurfaceList | A2uiTarget;

/** Receiver of the messages of A2UI that a text is compiled to. */
export interface MessageReceiver {
  /** Id of the surface of statements that name none. */
  readonly defaultId: string;
  /** Returns the ids of the surfaces. */
  surfaceIds(): string[];
  hasSurface(id: string): boolean;
  hasComponent(id: string, surfaceId: string): boolean;
  receive(surfaceId: string, message: object): Received;
  diagnostics(): Diagnostic[];
}

export function receiverOf(target: ExpressTarget): MessageReceiver {
  if (typeof target?.receive !== "function")
    throwExpected("the first argument of `expressStream`", "a surface", target);
  if (Symbol.iterator in target) return receiverOfList(target);
  return receiverOfOne("translator" in target ? target : a2uiTarget(target));
}

function receiverOfOne(target: A2uiTarget): MessageReceiver {
  const info = (): SurfaceInfo | null => target.info();
  return {
    get defaultId() {
      return info()?.surfaceId ?? DEFAULT_SURFACE;
    },
    surfaceIds() {
      const id = info()?.surfaceId;
      return id === undefined ? [] : [id];
    },
    hasSurface: (id) => info()?.surfaceId === id,
    hasComponent: (id, surfaceId) => target.hasComponent?.(id, surfaceId) ?? false,
    receive: (_, message) => target.receive(message),
    diagnostics: () => target.diagnostics?.({ isDone: true }) ?? [],
  };
}

function receiverOfList(surfaces: SurfaceList): MessageReceiver {
  /** Translators for surfaces that receive messages of HAM. */
  const translators = new WeakMap<TranslatedSurface, A2uiTarget>();
  const translatorOf = (id: string): A2uiTarget | undefined => {
    const surface = surfaces.get(id);
    const target = surfaces.target(id);
    if (surface === undefined || (target !== undefined && "translator" in target)) return undefined;
    const known = translators.get(surface) ?? a2uiTarget(surface);
    translators.set(surface, known);
    return known;
  };
  const surfaceIds = (): string[] => [...surfaces].map(([id]) => id);
  return {
    surfaceIds,
    get defaultId() {
      const ids = surfaceIds();
      return ids.length === 1 ? (ids[0] as string) : DEFAULT_SURFACE;
    },
    hasSurface: (id) => surfaces.get(id) !== undefined,
    hasComponent: (id, surfaceId) => surfaces.hasComponent?.(id, surfaceId) ?? false,
    receive(surfaceId, message) {
      const isDeletion = "deleteSurface" in message;
      return (
        (isDeletion ? undefined : translatorOf(surfaceId))?.receive(message) ??
        surfaces.receive(message)
      );
    },
    diagnostics: () => surfaces.diagnostics?.({ isDone: true }) ?? [],
  };
}
