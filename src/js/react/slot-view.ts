import {
  createContext,
  createElement,
  Fragment,
  type FunctionComponent,
  memo,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from "react";
import { createPortal } from "react-dom";
import type { SurfaceComponentProps, SurfaceComponents } from "./component.js";
import type { Island, Islands, Slot } from "./island.js";

export const Components = createContext<SurfaceComponents>({});

/** The place in a component of React where the renderer's children of it stand. */
export const SlotView: FunctionComponent<{ slot: Slot }> = memo(function SlotView({ slot }) {
  const host = useRef<HTMLDivElement>(null);
  // The children come and go with the place and are never drawn anew for it.
  useLayoutEffect(() => host.current?.append(slot.container), [slot]);
  return createElement(
    Fragment,
    null,
    createElement("div", { ref: host, className: "bn-slot" }),
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

const IslandView: FunctionComponent<{ island: Island }> = memo(function IslandView({ island }) {
  const props = useSyncExternalStore(island.props.subscribe, island.props.get, island.props.get);
  const { instance, children, slot, set, trigger } = island;
  const components = useContext(Components);
  // Until now the element was as high as a row is thought to be: a list that counts heights must not take it for an empty one.
  useLayoutEffect(() => island.element.classList.remove("bn-waiting"), [island]);
  const own = Object.hasOwn(components, instance.component) && components[instance.component];
  if (!own) return null;
  const given: SurfaceComponentProps = { instance, props, children, slot, set, trigger };
  // Which properties it reads is what the component says itself, and what the surface gives is data.
  return createElement(own as FunctionComponent<SurfaceComponentProps>, given);
});
