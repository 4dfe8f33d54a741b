export {
  type ImportedWorkflow,
  importWorkflow,
  type WorkflowFormat,
} from "./flow/import/import-workflow.js";
export { type LinkedParts, linkedNodes, linkedRegistry } from "./flow/linked.js";
export { mergeWorkflows } from "./flow/merge.js";
export { type SubflowOptions, subflow } from "./flow/subflow.js";
export { type Suspended, suspend } from "./flow/suspend.js";
export { traceSchema } from "./flow/trace-schema.js";
