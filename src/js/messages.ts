/**
 * `byname/messages`: reads a surface from a text that is streamed in chunks of any size. Messages
 * may be lines, items of a list, or mixed with other text. Complete parts are rendered at once.
 */
export { type MessageSource, type ReceiveOptions, receiveAll } from "./messages/receive.js";
export { type MessageStream, messageStream } from "./messages/stream.js";
export type { MessageStreamOptions, MessageTarget, Received } from "./messages/types.js";
export { Surfaces, type SurfacesOptions } from "./surfaces.js";
