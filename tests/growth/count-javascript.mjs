// Counts the work of the JavaScript of the package: one unit for each call of a function and each
// iteration of a loop. Built-in functions count the characters or items that they read or write.
// Register it before the package is imported.
import { register } from "node:module";
import { countBuiltIns } from "./count-built-ins.mjs";

globalThis.growthTicks = 0;
register("./instrument-javascript.mjs", import.meta.url);
countBuiltIns();
