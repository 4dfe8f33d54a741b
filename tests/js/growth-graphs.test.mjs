// Counted work of readers of graphs: at most n log n in the size of each construct.
import { testGrowth } from "../growth/measure.mjs";

const { GRAPHS } = await import("../growth/graphs.mjs");
testGrowth("graph", GRAPHS);
