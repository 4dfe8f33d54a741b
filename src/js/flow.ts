export { type LinkedParts, linkedNodes, linkedRegistry } from "./flow/linked.js";
export { mergeWorkflows } from "./flow/merge.js";
