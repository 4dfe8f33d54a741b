// Type test of byname/react: compiled, never run.
import { HamStore, Surface } from "byname";
import { defineCatalog } from "byname/catalog";
import { Surface as SmallSurface } from "byname/ham";
import {
  type CatalogComponentProps,
  type ComponentsOf,
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
  // @ts-expect-error The factory must return a surface.
  useSurface(() => store);
  // @ts-expect-error A store is not a surface.
  useSurface(store);
  return createElement("div", null, given.tree()?.key, small.tree()?.key);
}

export function Bound(): ReactNode {
  const [{ value, status }, write] = useBinding(store, { node: "a", key: "name" });
  const [item] = store.children({ binding: { key: "a" } });
  const [reading] = useBinding(store, { key: "name" }, item?.context);
  const done: boolean = write([1, "two"]).ok;
  // @ts-expect-error A date is not a JSON value.
  write(new Date());
  // @ts-expect-error A binding has no path.
  useBinding(store, { path: "/a" });
  // @ts-expect-error A binding needs the store of the surface.
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
  // @ts-expect-error Unknown property.
  set("rating", 1);
  // @ts-expect-error The stars are a number.
  set("stars", "three");
  // @ts-expect-error Properties are read-only.
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
  // @ts-expect-error A property without a description has the type unknown.
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
    maxElements: 1000,
    timeZone: "Europe/Zurich",
    words: { loading: "…" },
    className: "mine",
    "aria-label": "Team",
  }),
  // @ts-expect-error A view shows a surface.
  createElement(SurfaceView, { components: { Rating } }),
  // @ts-expect-error An element is not a component.
  createElement(SurfaceView, { surface: new Surface(), components: { Rating: document.body } }),
  createElement(SurfaceView, {
    surface: new Surface(),
    // @ts-expect-error A component with other properties is not a surface component.
    components: { Rating: (props: { stars: number }) => props.stars },
  }),
];

const catalog = defineCatalog({
  components: {
    Rating: {
      props: {
        stars: { type: "number", required: true, input: true },
        label: "string",
        onRate: "action",
      },
    },
    Chart: { props: { points: { type: "array", required: true } } },
  },
});

function CatalogRating({
  props,
  set,
  trigger,
  errors,
}: CatalogComponentProps<typeof catalog, "Rating">): ReactNode {
  const stars: number | null = props.stars;
  set("stars", (stars ?? 0) + 1);
  trigger("onRate");
  // @ts-expect-error The stars are a number.
  set("stars", "three");
  // @ts-expect-error No such property.
  set("star", 3);
  // @ts-expect-error No such action.
  trigger("rate");
  return errors.map(({ message }) => message);
}
const typedSurface = new Surface({ catalog });
export const own: ComponentsOf<typeof catalog> = { Rating: CatalogRating };
export const typedViews: ReactNode[] = [
  SurfaceView({ surface: typedSurface, components: { Rating: CatalogRating } }),
  SurfaceView({ surface: new SmallSurface({ catalog }), components: own }),
  // @ts-expect-error No such component.
  SurfaceView({ surface: typedSurface, components: { Ratng: CatalogRating } }),
  // @ts-expect-error The stars of the catalog may be null.
  SurfaceView({ surface: typedSurface, components: { Rating: rating } }),
  // @ts-expect-error A chart has no stars.
  SurfaceView({ surface: typedSurface, components: { Chart: CatalogRating } }),
];
