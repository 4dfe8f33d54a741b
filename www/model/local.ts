import { type LlmCallback, wllama } from "byname/llm";

/** A model that runs in this page. */
export interface LocalModel {
  callback: LlmCallback;
  close(): Promise<void>;
}

/** Tokens that prompt and reply may have together. */
const context = 8192;

/** Loads a model of somebody's own. What runs it is fetched only now, from beside this page. */
export async function openLocal(file: File, told: (words: string) => void): Promise<LocalModel> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (String.fromCharCode(...start) !== "GGUF")
    throw new Error(`${file.name} is no GGUF file: such a file begins with the letters GGUF`);
  if (file.size > 2 ** 31)
    throw new Error(
      `${file.name} has more than 2 GB, which is more than a page can hold: take a smaller one`,
    );
  told("Fetching llama.cpp…");
  const [{ Wllama, LoggerWithoutDebug }, { default: wasm }] = await Promise.all([
    import("@wllama/wllama/esm/index.js"),
    import("@wllama/wllama/esm/wasm/wllama.wasm?url"),
  ]);
  const instance = new Wllama(
    { default: wasm },
    { suppressNativeLog: true, logger: LoggerWithoutDebug },
  );
  // Else it would fetch other builds from elsewhere for some browsers.
  instance.setCompat(null);
  told(`Reading ${file.name}…`);
  try {
    await instance.loadModel([file], { n_ctx: context });
  } catch (error) {
    await instance.exit().catch(() => {});
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(`${file.name} cannot be run here: ${words}`);
  }
  return { callback: wllama(instance), close: () => instance.exit() };
}
