/**
 * `byname/llm`: adapters for language models. Each function returns an `LlmCallback`; none needs
 * another package or loads the WebAssembly.
 */
export { type AiSdkOptions, aiSdk } from "./llm/ai-sdk.js";
export { type AnthropicOptions, anthropic } from "./llm/anthropic.js";
export { type ChromeAiOptions, chromeAi } from "./llm/chrome-ai.js";
export { collect } from "./llm/collect.js";
export { LlmError, type LlmErrorDetails, type LlmErrorKind } from "./llm/error.js";
export { type OpenAiOptions, openai } from "./llm/openai.js";
export {
  type LlmRecording,
  type RecordedCall,
  type RecordedError,
  type RecordOptions,
  record,
} from "./llm/record.js";
export { replay } from "./llm/replay.js";
export { requestKey } from "./llm/request-key.js";
export { type Script, type ScriptedReply, type Scripts, scripted } from "./llm/scripted.js";
export type { HttpOptions } from "./llm/server.js";
export type * from "./llm/types.js";
export { type WebLlmEngine, type WebLlmOptions, webllm } from "./llm/webllm.js";
export { type WllamaInstance, type WllamaOptions, wllama } from "./llm/wllama.js";
