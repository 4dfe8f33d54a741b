export {
  type ImportedWorkflow,
  importWorkflow,
  type WorkflowFormat,
} from "./flow/import/import-workflow.js";
export { type LinkedParts, linkedNodes, linkedRegistry } from "./flow/linked.js";
