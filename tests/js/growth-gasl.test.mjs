// Counted work of GASL: at most n log n in the size of each construct.
import { testGrowth } from "../growth/measure.mjs";

const { COMMANDS, STATEMENTS } = await import("../growth/gasl.mjs");
testGrowth("command", COMMANDS);
testGrowth("statement", STATEMENTS);
