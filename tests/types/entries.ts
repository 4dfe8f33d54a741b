// Type test of the entries: compiled, never run.
import { init as initHere, type Json } from "byname";
import { init as initHam } from "byname/ham";
import { init as initHamInlined } from "byname/ham/inline";
import { init as initHamFetched } from "byname/ham/web";
import { init as initInlined } from "byname/inline";
import { init as initFetched } from "byname/web";

export const inits: ((source?: URL) => Promise<void>)[] = [
  initHere,
  initInlined,
  initFetched,
  initHam,
  initHamInlined,
  initHamFetched,
];

export const value: Json = { list: [1, "two", null] };

// @ts-expect-error A function is not a JSON value.
export const notJson: Json = { act: () => {} };

import { type ApplyResult, type ChildItem, HamStore, Surface, type SurfaceChange } from "byname";
import { basicCatalog, mount } from "byname/dom";

const store = new HamStore({ sigil: "@", extensions: { listEdits: true }, limits: { undo: 3 } });
const result: ApplyResult = store.apply({ a: [1, "*b"], "!c": null });
// @ts-expect-error A rejected update has no inverse.
export const inverse = result.inverse;
export const changed: string[] = result.ok ? result.changed : [];
export const items: ChildItem[] = store.children({ binding: { key: "a" }, template: "row" });
export const name = store.read({ node: "a", key: "name" }, items[0]?.context).value;
export const stop: () => void = store.subscribe({}, ({ status }) => status === "missing");

// @ts-expect-error A binding has no index.
store.read({ node: "a", index: 1 });
// @ts-expect-error A limit is a number.
export const limited = new HamStore({ limits: { depth: "deep" } });

export const ends: Disposable[] = [store, store.stream(), new Surface({ store })];

const surface = new Surface({ store, catalog: basicCatalog, onAction: ({ context }) => context });
surface.subscribe((changes: readonly SurfaceChange[]) => {
  for (const change of changes) {
    if (change.kind === "set") surface.input(change.key, change.prop, change.value);
    // @ts-expect-error Only a mount has an instance.
    else if (change.kind === "move") change.instance;
  }
});
export const unmount: () => void = mount(surface, document.body);

import { type CsvTables, GaslError, Graph, type GraphFormat, type GraphOptions } from "byname";

export const tables: CsvTables = { nodes: "id", edges: new Uint8Array() };
export const graphs: Disposable[] = [
  Graph.fromCsv(tables),
  Graph.fromHam(store),
  Graph.fromNodeLink({ nodes: [] }),
  Graph.fromCsv({ edges: "source,target" }),
  Graph.from(tables),
  Graph.from({ nodes: [], links: [] }),
];
export const graphOptions: GraphOptions = { format: "csv", directed: true, id: "#" };
export const graphFormat: GraphFormat | "ham" = Graph.from("a b", graphOptions).format;
// @ts-expect-error The format is not supported.
Graph.from("a b", { format: "dot" });
export const faults = (error: unknown) => (error instanceof GaslError ? error.diagnostics : []);
// @ts-expect-error A graph has no public constructor.
export const made = new Graph();
// @ts-expect-error The table of edges is needed.
Graph.fromCsv({ nodes: "id" });

import { HamStore as SmallStore, Surface as SmallSurface } from "byname/ham";

const small: SmallStore = new SmallStore({ limits: { undo: 3 } });
export const unmountSmall = mount(
  new SmallSurface({ store: small, catalog: basicCatalog }),
  document.body,
);
// @ts-expect-error A store and its surfaces must be of the same build.
export const mixed = new Surface({ store: small });
// @ts-expect-error The build of HAM has no GASL.
export type { GaslSession } from "byname/ham";
