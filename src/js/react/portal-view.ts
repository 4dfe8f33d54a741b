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
import { useClientLayoutEffect } from "./layout-effect.js";
import type { Placeholder, Portal, PortalList, Slot } from "./portal.js";

export const Components = createContext<SurfaceComponents>({});

/** Container for the renderer's children in a React component. */
export const SlotView: FunctionComponent<{ slot: Slot }> = memo(function SlotView({ slot }) {
  const host = useRef<HTMLDivElement>(null);
  // The renderer adopts server-rendered elements, so React never renders them again.
  const [serverRendered] = useState(slot.serverRendered);
  useClientLayoutEffect(() => {
    // The container is moved with its children, which are not rendered again.
    if (slot.serverRendered === undefined && slot.container.parentNode !== host.current)
      host.current?.append(slot.container);
  }, [slot]);
  return createElement(
    Fragment,
    null,
    createElement("div", { ref: host, className: "bn-slot" }, serverRendered),
    createElement(PortalListView, { portals: slot.portals }),
  );
});

/** All portals of a list, each into its own element. */
export function PortalListView({ portals }: { portals: PortalList }): ReactNode {
  const list = useSyncExternalStore(portals.subscribe, portals.get, portals.get);
  return list.map((portal) =>
    createPortal(createElement(PortalView, { portal }), portal.element, portal.instance.key),
  );
}

/** Portal in its server-rendered placeholder. */
export function PlaceholderView({ placeholder }: { placeholder: Placeholder }): ReactNode {
  const portal = useSyncExternalStore(placeholder.subscribe, placeholder.get, placeholder.get);
  // Deferred, because nothing may change while React removes the placeholder.
  useInsertionEffect(() => () => queueMicrotask(() => placeholder.end()), [placeholder]);
  return portal && createElement(PortalView, { portal });
}

const PortalView: FunctionComponent<{ portal: Portal }> = memo(function PortalView({ portal }) {
  const props = useSyncExternalStore(portal.props.subscribe, portal.props.get, portal.props.get);
  const { instance, children, slot, set, trigger } = portal;
  const components = useContext(Components);
  // The element had the estimated row height, so that a virtual list did not measure an empty row.
  useClientLayoutEffect(() => portal.element.classList.remove("bn-waiting"), [portal]);
  const component = Object.hasOwn(components, instance.component) && components[instance.component];
  if (!component) return null;
  const errors = portal.errors();
  const componentProps = { instance, props, errors, children, slot, set, trigger };
  // The component declares the properties that it reads; surface values are untyped data.
  return createElement(component as FunctionComponent<SurfaceComponentProps>, componentProps);
});
