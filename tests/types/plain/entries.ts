// Type test: the default `lib` is sufficient to import the package.
import { HamStore, init, Surface } from "byname";
import { basicCatalog, mount } from "byname/dom";
import { HamStore as Small } from "byname/ham";
import { HamStore as Inlined } from "byname/inline";
import { HamStore as Fetched } from "byname/web";

await init();
const store = new HamStore();
const surface = new Surface({ store, catalog: basicCatalog });
mount(surface, document.body);
store[Symbol.dispose]();

export const stores: unknown[] = [new Inlined(), new Fetched(), new Small()];
