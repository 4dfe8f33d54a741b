// Counted work of streams of messages, with that of JavaScript: at most n log n in the size of each construct.
import "../growth/count-javascript.mjs";

const { testGrowth } = await import("../growth/measure.mjs");
const { ACTIVITIES, CHECKS, EVENT_LINES, FRAMES, SECRETS, TEXTS } = await import(
  "../growth/messages.mjs"
);
testGrowth("AG-UI", ACTIVITIES);
testGrowth("text around messages", TEXTS);
testGrowth("event stream", EVENT_LINES);
testGrowth("check of messages", CHECKS);
testGrowth("frames", FRAMES);
testGrowth("secrets", SECRETS);
