// Compiled, never run: what the entries promise to those who import them.
import { init as initHere, type Json } from "byname";
import { init as initInlined } from "byname/inline";
import { init as initFetched } from "byname/web";

export const inits: ((source?: URL) => Promise<void>)[] = [initHere, initInlined, initFetched];

export const value: Json = { list: [1, "two", null] };

// @ts-expect-error A function is no JSON value.
export const notJson: Json = { act: () => {} };
