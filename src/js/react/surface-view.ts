import {
  type ComponentPropsWithoutRef,
  createElement,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { mount } from "../dom/mount.js";
import type { MountOptions, SurfaceLike } from "../dom/view.js";
import type { Action } from "../types.js";
import type { SurfaceComponents } from "./component.js";
import { type Island, islandsOf } from "./island.js";
import { Signal } from "./signal.js";
import { Components, IslandsView } from "./slot-view.js";

export interface SurfaceViewProps
  extends Omit<ComponentPropsWithoutRef<"div">, "children" | "dangerouslySetInnerHTML"> {
  surface: ActingSurface;
  /** Components of React by their name in the catalog; those that are not here are drawn by `byname/dom`. */
  components?: SurfaceComponents | undefined;
  /** Called with each action of this view, after the `onAction` that the surface was made with. */
  onAction?: ((action: Action) => void) | undefined;
  /** As for `mount` of `byname/dom`; read when the surface is first shown. */
  words?: MountOptions["words"];
  windowAbove?: number | undefined;
}

/** What a view needs of a surface. */
export interface ActingSurface extends SurfaceLike {
  trigger(instanceKey: string, event: string): Action | undefined;
}

const none: SurfaceComponents = {};

/**
 * A surface in a `<div>`. The basic components are drawn by the renderer of `byname/dom`, patch by patch and without React;
 * each instance of a component of one's own is an element of React that renders when one of its properties changes, and not otherwise.
 */
export function SurfaceView(given: SurfaceViewProps): ReactNode {
  const { surface, components = none, onAction, words, windowAbove, ...rest } = given;
  const host = useRef<HTMLDivElement>(null);
  const [islands] = useState(() => new Signal<readonly Island[]>([]));
  const names = JSON.stringify(Object.keys(components).sort());
  const acting = useRef(onAction);
  const first = useRef<MountOptions>({});
  useLayoutEffect(() => {
    acting.current = onAction;
    first.current = { ...(words && { words }), ...(windowAbove !== undefined && { windowAbove }) };
  });

  useLayoutEffect(() => {
    if (!host.current) return;
    const watched = watch(surface, (action) => acting.current?.(action));
    const island = islandsOf(watched, islands);
    const own = (JSON.parse(names) as string[]).map((name) => [name, island] as const);
    return mount(watched, host.current, { ...first.current, components: Object.fromEntries(own) });
  }, [surface, names, islands]);

  return createElement(
    Components.Provider,
    { value: useSame(components) },
    createElement("div", { ...rest, ref: host }),
    createElement(IslandsView, { islands }),
  );
}

/** The surface, telling its actions to the view as well. */
function watch(surface: ActingSurface, told: (action: Action) => void): SurfaceLike {
  return {
    tree: () => surface.tree(),
    subscribe: (listener) => surface.subscribe(listener),
    input: (key, prop, value) => surface.input(key, prop, value),
    trigger: (key, event) => {
      const action = surface.trigger(key, event);
      if (action) told(action);
    },
  };
}

/** The same object as long as it holds the same components: a literal in the parent's code is another object each time. */
function useSame(components: SurfaceComponents): SurfaceComponents {
  const [kept, keep] = useState(components);
  const names = Object.keys(components);
  const same =
    names.length === Object.keys(kept).length &&
    names.every((name) => kept[name] === components[name]);
  if (!same) keep(components);
  return same ? kept : components;
}
