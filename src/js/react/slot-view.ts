import {
  createContext,
  createElement,
  Fragment,
  type FunctionComponent,
  memo,
  type ReactNode,
  useContext,
  useInsertionEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { createPortal } from "react-dom";
import type { SurfaceComponentProps, SurfaceComponents } from "./component.js";
import type { Island, Islands, Slot, Standing } from "./island.js";
import { useClientLayoutEffect } from "./layout-effect.js";

export const Components = createContext<SurfaceComponents>({});

/** The place in a component of React where the renderer's children of it stand. */
export const SlotView: FunctionComponent<{ slot: Slot }> = memo(function SlotView({ slot }) {
  const host = useRef<HTMLDivElement>(null);
  // What a server has drawn is React's only in name: the renderer has taken it over, so it is never rendered anew.
  const [frozen] = useState(slot.frozen);
  useClientLayoutEffect(() => {
    // The children come and go with the place and are never drawn anew for it.
    if (slot.frozen === undefined && slot.container.parentNode !== host.current)
      host.current?.append(slot.container);
  }, [slot]);
  return createElement(
    Fragment,
    null,
    createElement("div", { ref: host, className: "bn-slot" }, frozen),
    createElement(IslandsView, { islands: slot.islands }),
  );
});

/** All islands of one place, each drawn into its own element. */
export function IslandsView({ islands }: { islands: Islands }): ReactNode {
  const list = useSyncExternalStore(islands.subscribe, islands.get, islands.get);
  return list.map((island) =>
    createPortal(createElement(IslandView, { island }), island.element, island.instance.key),
  );
}

/** An island in its own place, which a server has drawn. */
export function StandingView({ standing }: { standing: Standing }): ReactNode {
  const island = useSyncExternalStore(standing.subscribe, standing.get, standing.get);
  // After the commit at hand: nothing may change while React takes the place away.
  useInsertionEffect(() => () => queueMicrotask(() => standing.end()), [standing]);
  return island && createElement(IslandView, { island });
}

const IslandView: FunctionComponent<{ island: Island }> = memo(function IslandView({ island }) {
  const props = useSyncExternalStore(island.props.subscribe, island.props.get, island.props.get);
  const { instance, children, slot, set, trigger } = island;
  const components = useContext(Components);
  // Until now the element was as high as a row is thought to be: a list that counts heights must not take it for an empty one.
  useClientLayoutEffect(() => island.element.classList.remove("bn-waiting"), [island]);
  const own = Object.hasOwn(components, instance.component) && components[instance.component];
  if (!own) return null;
  const given: SurfaceComponentProps = { instance, props, children, slot, set, trigger };
  // Which properties it reads is what the component says itself, and what the surface gives is data.
  return createElement(own as FunctionComponent<SurfaceComponentProps>, given);
});
