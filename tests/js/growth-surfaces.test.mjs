// Counted work of surfaces: at most n log n in the size of each construct.
import { testGrowth } from "../growth/measure.mjs";

const { SURFACES } = await import("../growth/surface.mjs");
testGrowth("surface", SURFACES);
