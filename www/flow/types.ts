import type { detectCollisions, Flow, generateMappings } from "byname";

/** A name that several nodes write. */
export type Collision = ReturnType<typeof detectCollisions>[number];

/** What a node reads and writes under other names. */
export type NodeMappings = ReturnType<typeof generateMappings>[string];

type Options = Parameters<Flow["run"]>[0];

/** What happens to a call of a node. */
export type FlowEvent = Parameters<NonNullable<Options["onEvent"]>>[0];

/** What came of a run. */
export type FlowResult = Awaited<ReturnType<Flow["run"]>>;
