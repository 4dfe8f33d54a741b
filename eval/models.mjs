// Callbacks of models by the options of the command line.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { root, UserError } from "../scripts/run.mjs";
import { wrongUse } from "./wrong-use.mjs";

/** Adapters of byname/llm that the command offers. */
const ADAPTERS = ["openai", "anthropic"];

/** Options of models, and the models that they are for. */
const OPTIONS_OF = {
  gguf: ["llama"],
  context: ["llama"],
  unconstrained: ["llama"],
  grammar: ["openai"],
  url: ADAPTERS,
  name: ADAPTERS,
  "key-env": ADAPTERS,
};

/**
 * Returns the callback of a model, its description for the results, and a function that frees it; undefined for the
 * recorded replies. `values` are the options of the command line, `folder` is that of the package.
 */
export async function openModel(values, folder) {
  const { model } = values;
  checkOptions(values);
  if (model === "scripted") return undefined;
  const maxTokens = count(values, "max-tokens");
  const seconds = count(values, "seconds");
  if (model === "llama") {
    const { createLlama } = await import("./llama/adapter.mjs");
    const gguf = values.gguf && resolve(root, values.gguf);
    const contextSize = count(values, "context", "8192");
    const isConstrained = values.unconstrained !== true;
    return createLlama({ gguf, contextSize, maxTokens, seconds, isConstrained });
  }
  const llm = ADAPTERS.includes(model) ? await adapterOf(values, folder) : await moduleOf(model);
  const info = {
    name: values.name ?? model,
    maxTokens,
    seconds,
    constrained: values.grammar === true,
  };
  return { llm: withLimits(llm, maxTokens, seconds), info, dispose: () => {} };
}

/** Throws for options that the model does not use. */
function checkOptions(values) {
  const { model } = values;
  const wrong = Object.keys(OPTIONS_OF).find(
    (option) => values[option] !== undefined && !OPTIONS_OF[option].includes(model),
  );
  if (wrong === undefined) return;
  const models = OPTIONS_OF[wrong].map((name) => `--model ${name}`).join(" or ");
  throw wrongUse(`--${wrong} needs ${models}, found --model ${model}`);
}

/** Returns a count of the options. */
function count(values, name, text = values[name]) {
  const given = values[name] ?? text;
  if (/^[1-9]\d{0,6}$/.test(given)) return Number(given);
  throw wrongUse(`expected a count in --${name}, found "${given}"`);
}

async function adapterOf({ model, url, name, grammar, "key-env": keyName }, folder) {
  const apiKey = keyName && process.env[keyName];
  if (keyName && !apiKey) throw wrongUse(`the environment variable ${keyName} is not set`);
  if (!keyName && url === undefined)
    throw wrongUse(`missing --key-env, the environment variable with the API key of ${model}`);
  if (!name) throw wrongUse(`missing --name, the name of the model at ${url ?? model}`);
  const { [model]: create } = await importFrom(folder, "llm.js");
  return create({
    model: name,
    ...(url && { baseUrl: url }),
    ...(apiKey && { apiKey }),
    ...(grammar && { grammar: true }),
  });
}

async function moduleOf(path) {
  if (!/[./\\]/.test(path)) {
    const known = ["scripted", ...ADAPTERS, "llama"].join(", ");
    throw wrongUse(`expected --model ${known} or the path of a module, found "${path}"`);
  }
  const module = await importFrom("", resolve(path));
  if (typeof module.default === "function") return module.default;
  throw wrongUse(`expected a callback as the default export of ${path}`);
}

/** Returns a callback whose requests have limits of tokens and of time. */
function withLimits(llm, maxOutputTokens, seconds) {
  return (request) => {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(seconds * 1000)]);
    return llm({ ...request, maxOutputTokens, signal });
  };
}

/** Imports a file of a folder. */
export async function importFrom(folder, file) {
  const path = resolve(folder, file);
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    throw new UserError(`cannot import ${path}: ${error.message}`);
  }
}
