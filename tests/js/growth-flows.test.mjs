// Counted work of workflows: at most n log n in the size of each construct.
import { testGrowth } from "../growth/measure.mjs";

const { FLOWS } = await import("../growth/flow.mjs");
testGrowth("flow", FLOWS);
