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
import { linkWrapper } from "../renderer-link.js";
import type { Action, Catalog } from "../types.js";
import type { ComponentsOf, SurfaceComponents } from "./component.js";
import { useClientLayoutEffect } from "./layout-effect.js";
import type { Portal, PortalList } from "./portal.js";
import { portalComponent } from "./portal-instance.js";
import { Components, PortalListView } from "./portal-view.js";
import { renderOnServer, type ServerRendered } from "./server-render.js";
import { Signal } from "./signal.js";

/** Options as for `mount` of `byname/dom`, read at the first render of the surface. */
type ViewOptions = {
  [name in "functions" | "words" | "windowAbove" | "maxElements" | "locale" | "timeZone"]?:
    | MountOptions[name]
    | undefined;
};

export interface SurfaceViewProps<C extends Catalog = Catalog>
  extends ViewOptions,
    Omit<ComponentPropsWithoutRef<"div">, "children" | "dangerouslySetInnerHTML"> {
  [attribute: `data-${string}`]: unknown;
  surface: ActingSurface<C>;
  /** React components by catalog name; `byname/dom` renders all others. */
  components?: ComponentsOf<C> | undefined;
  /** Called with each action of this view, after the `onAction` of the surface. */
  onAction?: ((action: Action) => void) | undefined;
}

/** Parts of a surface that a view uses. */
export interface ActingSurface<C extends Catalog = Catalog> extends SurfaceLike {
  readonly catalog?: C | undefined;
  trigger(instanceKey: string, event: string): Action | undefined;
}

const noComponents: SurfaceComponents = {};

/**
 * Renders a surface in a `<div>`. The renderer of `byname/dom` updates the basic components without
 * React. Each instance of a custom component is a React element that renders only if one of its
 * properties changed.
 */
export function SurfaceView<C extends Catalog = Catalog>(props: SurfaceViewProps<C>): ReactNode {
  const {
    surface,
    components: given,
    onAction,
    functions,
    words,
    windowAbove,
    maxElements,
    locale,
    timeZone,
    ...rest
  } = props;
  const components = (given ?? noComponents) as SurfaceComponents;
  if (typeof surface?.tree !== "function")
    throwMisuse(`\`SurfaceView\` expects a surface, not ${describeType(surface)}`);
  const ids = useId();
  const host = useRef<HTMLDivElement>(null);
  const actionListener = useRef(onAction);
  const mounted = useRef<MountedSurface | null>(null);
  const [portals] = useState(() => new Signal<readonly Portal[]>([]));
  const names = Object.keys(components).sort();
  const options = definedOptions({ functions, words, windowAbove, maxElements, locale, timeZone });
  const isServerRendered = useIsServerRendered();
  const [serverRendered] = useState(() =>
    isServerRendered ? renderOnServer(surface, names, { ...options, ids }) : null,
  );

  useClientLayoutEffect(() => {
    actionListener.current = onAction;
    const current = mounted.current;
    // StrictMode repeats effects, and the mounted surface is kept.
    if (!host.current || (current?.surface === surface && current.names === names.join())) return;
    current?.stop();
    const observed = withActionListener(surface, (action) => actionListener.current?.(action));
    const hydrated = current === null ? serverRendered : null;
    const stop = mountSurface(observed, host.current, {
      names,
      portals,
      options,
      serverRendered: hydrated,
    });
    mounted.current = { surface, names: names.join(), stop };
  });
  // Deferred, and only on unmount: a hidden part keeps its surface.
  useInsertionEffect(() => () => queueMicrotask(() => mounted.current?.stop()), []);

  return createElement(
    Components.Provider,
    { value: useStableComponents(components) },
    createElement("div", { ...rest, ref: host }, serverRendered?.nodes),
    createElement(PortalListView, { portals }),
  );
}

interface MountedSurface {
  readonly surface: SurfaceLike;
  readonly names: string;
  readonly stop: () => void;
}

interface SurfaceMountOptions {
  readonly names: readonly string[];
  readonly portals: PortalList;
  readonly options: MountOptions;
  readonly serverRendered: ServerRendered | null;
}

/** Mounts the surface, or hydrates a server-rendered one. */
function mountSurface(
  surface: SurfaceLike,
  element: HTMLElement,
  setup: SurfaceMountOptions,
): () => void {
  const { names, portals, options, serverRendered } = setup;
  const component = portalComponent(surface, portals, serverRendered?.placeholders ?? new Map());
  return mount(surface, element, {
    ...options,
    components: Object.fromEntries(names.map((name) => [name, component])),
    hydrate: serverRendered !== null,
  });
}

const noSubscription = (): (() => void) => () => {};

/** Returns true on a server, and in the page for a server-rendered component. */
function useIsServerRendered(): boolean {
  const isServerRendered = useSyncExternalStore(
    noSubscription,
    () => false,
    () => true,
  );
  return useState(isServerRendered)[0];
}

/**
 * Returns a surface that also reports its actions to the view, except those that the page handled.
 */
function withActionListener(
  surface: ActingSurface,
  onAction: (action: Action) => void,
): SurfaceLike {
  const wrapper: SurfaceLike = {
    catalog: surface.catalog,
    tree: () => surface.tree(),
    subscribe: (listener) => surface.subscribe(listener),
    input: (key, prop, value) => surface.input(key, prop, value),
    trigger: (key, event) => {
      const { handler } = pageAction;
      let isHandled = false;
      pageAction.handler = (pending) => {
        isHandled = handler?.(pending) ?? false;
        return isHandled;
      };
      const action = surface.trigger(key, event);
      if (action && !isHandled) onAction(action);
    },
  };
  linkWrapper(wrapper, surface);
  return wrapper;
}

/** Returns the options without undefined ones. */
function definedOptions(props: ViewOptions): MountOptions {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
}

/**
 * Returns the same object while it has the same components, because a literal is a new object in
 * each render.
 */
function useStableComponents(components: SurfaceComponents): SurfaceComponents {
  const [stable, setStable] = useState(components);
  const names = Object.keys(components);
  const same =
    names.length === Object.keys(stable).length &&
    names.every((name) => stable[name] === components[name]);
  if (!same) setStable(components);
  return same ? stable : components;
}
