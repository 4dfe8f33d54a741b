export { type LinkedParts, linkedNodes, linkedRegistry } from "./flow/linked.js";
