/**
 * `byname/devtools`: a panel for any page with the messages, diagnostics, values and actions of
 * surfaces, the steps of sessions and the events of workflows. Import it only when it is needed.
 */
export { type ImportedLog, parseLog } from "./devtools/log-file.js";
export { type AttachOptions, attach } from "./devtools/panel/attach.js";
export { BynameDevtools, defineElement as defineDevtools } from "./devtools/panel/element.js";
export type { SelectDetail, TabDetail } from "./devtools/panel/selection.js";
export { Recorder, type RecorderOptions } from "./devtools/recorder.js";
export {
  type BoundProp,
  type InstanceTrace,
  type TraceSource,
  traceBindings,
} from "./devtools/trace.js";
export type {
  EntryContent,
  EntryKind,
  LogEntry,
  LoggedChange,
  Named,
  ObservedFlow,
  ObservedSession,
  ObservedSurface,
  ObservedSurfaces,
  Targets,
} from "./devtools/types.js";
