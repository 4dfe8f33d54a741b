// Counted work of Express and A2UI messages, with that of JavaScript: at most n log n in the size of each construct.
import "../growth/count-javascript.mjs";

const { testGrowth } = await import("../growth/measure.mjs");
const { A2UI, EXPRESS, PRINTED } = await import("../growth/express.mjs");
testGrowth("Express", EXPRESS);
testGrowth("A2UI", A2UI);
testGrowth("messages to Express", PRINTED);
