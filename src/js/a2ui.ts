/**
 * `byname/a2ui`: converts plain A2UI, whose data model is addressed by pointers, to HAM and back.
 * Does not load the WebAssembly.
 */

export type { AgentCall, CallResult } from "./a2ui/agent-calls.js";
export type { ChannelOptions, MessageMetadata } from "./a2ui/agent-channel.js";
export { FromA2ui, type FromA2uiOptions } from "./a2ui/from-a2ui.js";
export type { Catalogs } from "./a2ui/function-lookup.js";
export type { ListRule } from "./a2ui/list-identity.js";
export {
  type ActionOptions,
  toA2uiAction,
  toA2uiCapabilities,
  toA2uiDataModel,
} from "./a2ui/outgoing.js";
export { ToA2ui, type ToA2uiOptions } from "./a2ui/to-a2ui.js";
export {
  type A2uiTarget,
  a2uiTarget,
  type TargetOptions,
  type TranslatedSurface,
} from "./a2ui/translating-target.js";
export type { Message, Translation } from "./a2ui/translation.js";
