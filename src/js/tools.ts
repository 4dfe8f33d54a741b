/**
 * `byname/tools`: surfaces, graphs and workflows as tools of a model, for the AI SDK, OpenAI,
 * Anthropic, MCP and WebMCP.
 */
export { type AiSdkTool, toAiSdk, toAnthropic, toOpenAI } from "./tools/adapters.js";
export { type FlowToolsOptions, flowTools } from "./tools/flow-tools.js";
export { graphTools } from "./tools/graph-tools.js";
export { registerMcp } from "./tools/mcp.js";
export { type SurfaceToolsOptions, surfaceTools } from "./tools/surface-tools.js";
export type { FieldError, Tool, ToolErrorKind, ToolsOptions } from "./tools/types.js";
export { registerWebMcp } from "./tools/web-mcp.js";
