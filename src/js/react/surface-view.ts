import {
  type ComponentPropsWithoutRef,
  createElement,
  type ReactNode,
  useId,
  useInsertionEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { describeType, throwMisuse } from "../arguments.js";
import type { MountOptions, SurfaceLike } from "../dom/base/component.js";
import { mount } from "../dom/mount.js";
import { pageAction } from "../page-action.js";
import type { Action } from "../types.js";
import type { SurfaceComponents } from "./component.js";
import { type Frozen, freeze } from "./frozen.js";
import { type Island, type Islands, islandsOf } from "./island.js";
import { useClientLayoutEffect } from "./layout-effect.js";
import { Signal } from "./signal.js";
import { Components, IslandsView } from "./slot-view.js";

/** As for `mount` of `byname/dom`; read when the surface is first shown. */
type ViewOptions = {
  [name in "functions" | "words" | "windowAbove" | "locale"]?: MountOptions[name] | undefined;
};

export interface SurfaceViewProps
  extends ViewOptions,
    Omit<ComponentPropsWithoutRef<"div">, "children" | "dangerouslySetInnerHTML"> {
  surface: ActingSurface;
  /** Components of React by their name in the catalog; those that are not here are drawn by `byname/dom`. */
  components?: SurfaceComponents | undefined;
  /** Called with each action of this view, after the `onAction` that the surface was made with. */
  onAction?: ((action: Action) => void) | undefined;
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
  const {
    surface,
    components = none,
    onAction,
    functions,
    words,
    windowAbove,
    locale,
    ...rest
  } = given;
  if (typeof surface?.tree !== "function")
    throwMisuse(`\`SurfaceView\` takes a surface, not ${describeType(surface)}`);
  const ids = useId();
  const host = useRef<HTMLDivElement>(null);
  const acting = useRef(onAction);
  const shown = useRef<Shown | null>(null);
  const [islands] = useState(() => new Signal<readonly Island[]>([]));
  const names = Object.keys(components).sort();
  const options = optionsOf({ functions, words, windowAbove, locale });
  const drawn = useServer();
  const [frozen] = useState(() => (drawn ? freeze(surface, names, { ...options, ids }) : null));

  useClientLayoutEffect(() => {
    acting.current = onAction;
    const now = shown.current;
    // StrictMode tries effects out, and what is shown stays for it.
    if (!host.current || (now?.surface === surface && now.names === names.join())) return;
    now?.stop();
    const watched = watch(surface, (action) => acting.current?.(action));
    const taken = now === null ? frozen : null;
    const stop = show(watched, host.current, { names, islands, options, frozen: taken });
    shown.current = { surface, names: names.join(), stop };
  });
  // After the commit at hand, and only when the component goes: a part that is hidden keeps what it shows.
  useInsertionEffect(() => () => queueMicrotask(() => shown.current?.stop()), []);

  return createElement(
    Components.Provider,
    { value: useSame(components) },
    createElement("div", { ...rest, ref: host }, frozen?.nodes),
    createElement(IslandsView, { islands }),
  );
}

interface Shown {
  readonly surface: SurfaceLike;
  readonly names: string;
  readonly stop: () => void;
}

interface Showing {
  readonly names: readonly string[];
  readonly islands: Islands;
  readonly options: MountOptions;
  readonly frozen: Frozen | null;
}

/** Lets the renderer draw the surface, or take over what a server has drawn of it. */
function show(surface: SurfaceLike, element: HTMLElement, given: Showing): () => void {
  const { names, islands, options, frozen } = given;
  const component = islandsOf(surface, islands, frozen?.standing ?? new Map());
  return mount(surface, element, {
    ...options,
    components: Object.fromEntries(names.map((name) => [name, component])),
    hydrate: frozen !== null,
  });
}

const never = (): (() => void) => () => {};

/** True on a server, and in the page for a component that a server has drawn. */
function useServer(): boolean {
  const drawn = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  return useState(drawn)[0];
}

/** The surface, telling its actions to the view as well, but for those that the page has done. */
function watch(surface: ActingSurface, told: (action: Action) => void): SurfaceLike {
  return {
    tree: () => surface.tree(),
    subscribe: (listener) => surface.subscribe(listener),
    input: (key, prop, value) => surface.input(key, prop, value),
    trigger: (key, event) => {
      const { handler } = pageAction;
      let isDone = false;
      pageAction.handler = (held) => {
        isDone = handler?.(held) ?? false;
        return isDone;
      };
      const action = surface.trigger(key, event);
      if (action && !isDone) told(action);
    },
  };
}

/** The options that are given: `undefined` stands for one that is not. */
function optionsOf(given: ViewOptions): MountOptions {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
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
