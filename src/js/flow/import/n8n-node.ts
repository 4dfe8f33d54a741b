import type { JsonObject } from "../../json-value.js";
import type { Connection } from "./n8n-connections.js";

/** Node of n8n with its connections. */
export interface N8nNode {
  id: string;
  name: string;
  pointer: string;
  node: JsonObject;
  incoming: Connection[];
  outgoing: Connection[];
  /** Index of the output for failures; undefined if there is none, or if it is not known. */
  errorOutput: number | undefined;
}
