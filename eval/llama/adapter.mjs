// Callback for a GGUF file in this process: llama.cpp by node-llama-cpp, which is installed in this folder on demand.
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { PromptTooLong } from "../meter.mjs";
import { wrongUse } from "../wrong-use.mjs";

/** Penalty of repeated tokens, without which small models repeat a line up to the limit. */
const REPEAT_PENALTY = { penalty: 1.1, lastTokens: 64 };

/** Number of tokens of a chat template around the two texts of a request. */
const TEMPLATE_TOKENS = 32;

const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const version = dependencies["node-llama-cpp"];

/**
 * Loads a model. Returns its callback, its description, and a function that frees it. Prompts that leave no space for
 * `maxTokens` in the context are rejected with `PromptTooLong`.
 */
export async function createLlama({ gguf, contextSize, maxTokens, seconds, isConstrained }) {
  if (!gguf) throw wrongUse("missing --gguf, the path of a GGUF file (docs/eval.md)");
  if (!existsSync(gguf)) throw wrongUse(`the file ${gguf} of --gguf is missing`);
  const { getLlama, LlamaChatSession } = await importLibrary();
  const build = { gpu: false, build: "never", skipDownload: true, progressLogs: false };
  const llama = await getLlama({ ...build, maxThreads: 1, logLevel: "error" });
  const model = await llama.loadModel({ modelPath: gguf });
  const size = Math.min(contextSize, model.trainContextSize);
  const context = await model.createContext({ contextSize: size, threads: 1 });
  const contextSequence = context.getSequence();
  const session = new LlamaChatSession({ contextSequence, autoDisposeSequence: false });
  const grammars = new Map();

  /** Returns the compiled grammar, of which a system prompt has one or two. */
  const grammarOf = async (request) => {
    const gbnf = isConstrained ? request.grammar?.gbnf : undefined;
    if (gbnf === undefined) return {};
    if (!grammars.has(gbnf)) grammars.set(gbnf, await llama.createGrammar({ grammar: gbnf }));
    return { grammar: grammars.get(gbnf) };
  };

  const llm = async (request) => {
    const { system, prompt } = request;
    const inputTokens = model.tokenize(`${system}\n${prompt}`).length + TEMPLATE_TOKENS;
    if (inputTokens + maxTokens > size) throw new PromptTooLong(inputTokens, size - maxTokens);
    session.setChatHistory([{ type: "system", text: system }]);
    const { responseText, stopReason } = await session.promptWithMeta(prompt, {
      ...(await grammarOf(request)),
      maxTokens,
      temperature: 0,
      repeatPenalty: REPEAT_PENALTY,
      signal: AbortSignal.timeout(seconds * 1000),
      stopOnAbortSignal: true,
    });
    return {
      text: responseText,
      finishReason: ["maxTokens", "abort"].includes(stopReason) ? "length" : "stop",
      usage: { inputTokens, outputTokens: model.tokenize(responseText).length },
    };
  };
  const info = {
    name: basename(gguf, ".gguf"),
    library: `node-llama-cpp ${version}`,
    context: size,
    maxTokens,
    seconds,
    constrained: isConstrained,
  };
  return { llm, info, dispose: () => llama.dispose() };
}

async function importLibrary() {
  try {
    return await import("node-llama-cpp");
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw wrongUse(`node-llama-cpp is missing; install it with \`${installCommand()}\``);
  }
}

/** Returns the command that installs the library and the binary of this platform, without scripts of packages. */
export function installCommand() {
  const { platform, arch } = process;
  const system = { darwin: "mac", win32: "win" }[platform] ?? platform;
  const binary = `${system}-${arch}${platform === "darwin" && arch === "arm64" ? "-metal" : ""}`;
  const packages = `node-llama-cpp@${version} @node-llama-cpp/${binary}@${version}`;
  return `npm install --prefix eval/llama --no-save --ignore-scripts --omit=optional ${packages}`;
}
