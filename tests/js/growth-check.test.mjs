// Counted work of `byname check`, with that of JavaScript: at most n log n in the size of each construct.
import "../growth/count-javascript.mjs";

const { testGrowth } = await import("../growth/measure.mjs");
const { POSITIONS } = await import("../growth/check.mjs");
testGrowth("check", POSITIONS);
