// Counted work of HAM documents: at most n log n in the size of each construct.
import { testGrowth } from "../growth/measure.mjs";

const { DOCUMENTS } = await import("../growth/ham.mjs");
testGrowth("HAM", DOCUMENTS);
