export {
  type ImportedWorkflow,
  importWorkflow,
  type WorkflowFormat,
} from "./flow/import/import-workflow.js";
export { type LinkedParts, linkedNodes, linkedRegistry } from "./flow/linked.js";
export { mergeWorkflows } from "./flow/merge.js";
