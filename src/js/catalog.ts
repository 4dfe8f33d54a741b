/**
 * `byname/catalog`: catalogs of typed components, with prompts, schemas and checks for models. Does
 * not load the WebAssembly.
 */
export { checkMessages } from "./catalog/define/check-messages.js";
export { defineCatalog } from "./catalog/define/define.js";
export { TypedCatalog } from "./catalog/define/typed.js";
export { repairPrompt } from "./catalog/repair-prompt.js";
export type {
  ActionsOf,
  AllowedCallers,
  CatalogComponent,
  CatalogDefinition,
  CatalogExample,
  CatalogOptions,
  ComponentDefinition,
  FunctionDefinition,
  MessageName,
  NamesOf,
  PropDefinition,
  PropsOf,
  PropType,
  TypeName,
  ValueOf,
} from "./catalog/types.js";
