import type { detectCollisions, Flow, generateMappings } from "byname";

/** Name that several nodes write. */
export type Collision = ReturnType<typeof detectCollisions>[number];

/** Input and output mappings of a node. */
export type NodeMappings = ReturnType<typeof generateMappings>[string];

type Options = Parameters<Flow["run"]>[0];

/** Event of a node call. */
export type FlowEvent = Parameters<NonNullable<Options["onEvent"]>>[0];

/** Name of the trace in the storage of a run. */
export const traceName = "trace";

export type FlowResult = Awaited<ReturnType<Flow["run"]>>;
