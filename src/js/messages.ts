/**
 * `byname/messages`: a surface out of a text that arrives in pieces of any size. Messages follow one another, as lines,
 * as items of a list, or with other words between them; what is complete shows at once.
 */
export { type MessageSource, type ReceiveOptions, receiveAll } from "./messages/receive.js";
export { type MessageStream, messageStream } from "./messages/stream.js";
export type { MessageTarget, Received } from "./messages/types.js";
