import { routeOf } from "../messages/route.js";
import type { Json } from "../types.js";
import { copyOf, jsonOf, textOf, titleOf, withPointers } from "./message-content.js";
import { overrideMethod } from "./override.js";
import type { Recorder } from "./recorder.js";
import { SurfaceObserver } from "./surface-observer.js";
import type { ObservedSurface, ObservedSurfaces } from "./types.js";
import { waitingResult } from "./waiting-result.js";

type Receive = ObservedSurfaces["receive"];

/** Records the messages of an agent, and observes its surfaces while they exist. */
export function observeSurfaces(
  recorder: Recorder,
  name: string,
  surfaces: ObservedSurfaces,
): () => void {
  const observers = new Map<ObservedSurface, SurfaceObserver>();
  const sourceOf = (id: string | undefined): string =>
    id === undefined ? name || "surfaces" : name === "" ? id : `${name}/${id}`;
  let isNew = false;
  const update = (): void => {
    const current = new Map(surfaces.list().map(([id, surface]) => [surface, id]));
    for (const [surface, observer] of observers) {
      if (current.has(surface)) continue;
      observer.stop();
      observers.delete(surface);
    }
    for (const [surface, id] of current) {
      if (observers.has(surface)) continue;
      const source = uniqueSource(recorder, sourceOf(id));
      observers.set(surface, new SurfaceObserver(recorder, source, surface, isNew));
    }
  };
  update();
  isNew = true;

  const receiveNow = (receive: Receive, args: Parameters<Receive>): ReturnType<Receive> => {
    const [message] = args;
    const reception = { applied: [] as Json[] };
    const outer = recorder.reception;
    return recorder.runUpdate(
      () => {
        recorder.reception = reception;
        try {
          return receive(...args);
        } finally {
          recorder.reception = outer;
        }
      },
      ({ ok, diagnostics }, duration) => {
        for (const observer of observers.values()) observer.learnSecrets();
        const json = jsonOf(message);
        const { applied } = reception;
        const isSame = applied.length === 1 && JSON.stringify(applied[0]) === JSON.stringify(json);
        recorder.log.add(sourceOf(routeOf(message).surfaceId), {
          kind: "message",
          message: json,
          from: "agent",
          ok,
          diagnostics: withPointers(diagnostics, message),
          duration,
          length: textOf(message)?.length ?? 0,
          ...(!isSame && { applied }),
        });
      },
    );
  };

  const ends = [
    surfaces.subscribe(update),
    overrideMethod(surfaces, "receive", (receive) => (message, firstIndex) => {
      const { gate } = recorder;
      if (!gate.isClosed || recorder.reception) return receiveNow(receive, [message, firstIndex]);
      const copy = copyOf(message);
      gate.add(titleOf(jsonOf(message)), () => receiveNow(receive, [copy, firstIndex]));
      return waitingResult();
    }),
  ];
  return () => {
    for (const end of ends) end();
    for (const observer of observers.values()) observer.stop();
  };
}

/** Returns a source name that no observed surface has. */
export function uniqueSource(recorder: Recorder, wanted: string): string {
  let name = wanted;
  for (let count = 2; recorder.surfaces.has(name); count += 1) name = `${wanted} ${count}`;
  return name;
}
