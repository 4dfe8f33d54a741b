// Compiled, never run: what byname/react promises to those who import it.
import { HamStore, Surface } from "byname";
import { Surface as SmallSurface } from "byname/ham";
import {
  type SurfaceComponent,
  type SurfaceComponentProps,
  SurfaceView,
  useBinding,
  useSurface,
} from "byname/react";
import { Component, createElement, lazy, memo, type ReactNode } from "react";

const store = new HamStore();

export function Owner(): ReactNode {
  const surface: Surface = useSurface(() => new Surface({ store }));
  const small: SmallSurface = useSurface(() => new SmallSurface());
  const given: Surface = useSurface(surface);
  // @ts-expect-error What makes a surface answers one.
  useSurface(() => store);
  // @ts-expect-error A store is no surface.
  useSurface(store);
  return createElement("div", null, given.tree()?.key, small.tree()?.key);
}

export function Bound(): ReactNode {
  const [{ value, status }, write] = useBinding(store, { node: "a", key: "name" });
  const [item] = store.children({ binding: { key: "a" } });
  const [reading] = useBinding(store, { key: "name" }, item?.context);
  const done: boolean = write([1, "two"]).ok;
  // @ts-expect-error A date is no JSON value.
  write(new Date());
  // @ts-expect-error A binding names no path.
  useBinding(store, { path: "/a" });
  // @ts-expect-error A surface is bound by its store.
  useBinding(new Surface(), { key: "a" });
  return createElement("p", null, String(value ?? reading.ref), status, done);
}

interface RatingProps {
  stars: number;
  label?: string;
}
function Rating({ props, set, trigger, children }: SurfaceComponentProps<RatingProps>): ReactNode {
  const stars: number = props.stars;
  set("stars", stars + 1);
  trigger();
  trigger("opened");
  // @ts-expect-error There is no such property.
  set("rating", 1);
  // @ts-expect-error The properties are not the component's to change.
  props.stars = 3;
  return children;
}
export const rating: SurfaceComponent<RatingProps> = Rating;
export const typed: SurfaceComponent<{ stars: number }> = ({ props }) => props.stars + 1;
class Stars extends Component<SurfaceComponentProps<RatingProps>> {
  override render(): ReactNode {
    return this.props.props.stars;
  }
}

const Plain: SurfaceComponent = ({ props, slot }) => {
  // @ts-expect-error Of a property that nobody described, nothing is known.
  const name: string = props["name"];
  return createElement("b", null, slot(name));
};

const load = async () => ({ default: rating });

export const views: ReactNode[] = [
  createElement(SurfaceView, { surface: new Surface() }),
  createElement(SurfaceView, {
    surface: new SmallSurface(),
    components: { Rating, Plain, rating, typed, Stars, memo: memo(Rating), lazy: lazy(load) },
    onAction: ({ name, context }) => `${name} ${String(context["a"])}`,
    windowAbove: 20,
    words: { loading: "…" },
    className: "mine",
    "aria-label": "Team",
  }),
  // @ts-expect-error A view shows a surface.
  createElement(SurfaceView, { components: { Rating } }),
  // @ts-expect-error An element is no component.
  createElement(SurfaceView, { surface: new Surface(), components: { Rating: document.body } }),
  createElement(SurfaceView, {
    surface: new Surface(),
    // @ts-expect-error A component of something else is none of a surface.
    components: { Rating: (props: { stars: number }) => props.stars },
  }),
];
