import { type LlmCallback, wllama } from "byname/llm";
import { errorText } from "../page/format.js";
import { StopError } from "./stop-error.js";

/** Model that runs in this page. */
export interface LocalModel {
  callback: LlmCallback;
  close(): Promise<void>;
}

/** Activity of a local model. Speeds are in tokens per second. */
export type ModelActivity =
  | { kind: "waiting" }
  | { kind: "reading"; done: number; all: number; speed: number }
  | { kind: "writing"; text: string; tokens: number; speed: number };

/** Opens a view of the activity; `stop` cancels the request. */
export type OpenActivityView = (stop: () => void) => {
  show(doing: ModelActivity): void;
  end(): void;
};

/** Maximum number of tokens of prompt and reply together. */
const contextTokens = 8192;
/** Maximum number of tokens of a reply, because a small model may never stop. */
const maxOutputTokens = 600;
/**
 * Tokens per batch. Cancelling and progress wait for a batch; a larger one is faster on a GPU only.
 */
const batchTokens = { cpu: 16, gpu: 256 };

/** Loads a GGUF file. llama.cpp itself is fetched from the site on first use. */
export async function loadLocalModel(
  file: File,
  onProgress: (words: string) => void,
  openView: OpenActivityView,
): Promise<LocalModel> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (String.fromCharCode(...start) !== "GGUF")
    throw new Error(`${file.name} is not a GGUF file: it does not begin with "GGUF"`);
  if (file.size > 2 ** 31)
    throw new Error(
      `${file.name} is larger than 2 GB, the limit of a page: choose a smaller model`,
    );
  onProgress("Fetching llama.cpp…");
  const [{ Wllama, LoggerWithoutDebug }, { default: wasm }] = await Promise.all([
    import("@wllama/wllama/esm/index.js"),
    import("@wllama/wllama/esm/wasm/wllama.wasm?url"),
  ]);
  const instance = new Wllama(
    { default: wasm },
    { suppressNativeLog: true, logger: LoggerWithoutDebug },
  );
  // Prevents downloads of compatibility builds from another site.
  instance.setCompat(null);
  onProgress(`Reading ${file.name}…`);
  const gpu = await hasGpu();
  try {
    await instance.loadModel([file], {
      n_ctx: contextTokens,
      n_batch: gpu ? batchTokens.gpu : batchTokens.cpu,
      // Two slots, so that the prompts of plans and of answers both stay cached.
      n_parallel: 2,
      ...(gpu ? {} : { n_gpu_layers: 0 }),
    });
  } catch (error) {
    await instance.exit().catch(() => {});
    const words = errorText(error);
    throw new Error(`${file.name} cannot run here: ${words}`);
  }
  return { callback: queueRequests(instance, openView), close: () => instance.exit() };
}

interface Instance {
  createChatCompletion(options: never): Promise<unknown>;
}

/** Chunk of llama.cpp with the optional progress fields. */
interface StreamChunk {
  prompt_progress?: { total: number; cache: number; processed: number; time_ms: number };
  timings?: { predicted_n: number; predicted_per_second: number };
  choices?: { delta?: { content?: string | null } }[];
}

/** Queues requests, because parallel ones would slow each other down. */
function queueRequests(instance: Instance, openView: OpenActivityView): LlmCallback {
  let last: Promise<unknown> = Promise.resolve();
  return async (request) => {
    const previous = last;
    let release = (): void => {};
    last = new Promise<void>((done) => {
      release = done;
    });
    await previous;
    const stopping = new AbortController();
    const signal = AbortSignal.any([request.signal, stopping.signal]);
    const view = openView(() => stopping.abort(new StopError()));
    const observed = observeInstance(instance, view.show);
    try {
      return await wllama(observed.instance)({
        maxOutputTokens: maxOutputTokens,
        ...request,
        signal,
      });
    } finally {
      view.end();
      // A cancelled request finishes its batch before the next one starts.
      void observed.ended().then(release);
    }
  };
}

/** Wraps an instance so that it reports its activity. */
function observeInstance(instance: Instance, show: (doing: ModelActivity) => void) {
  let ended: Promise<unknown> = Promise.resolve();
  let text = "";
  const reportChunk = ({ prompt_progress: read, timings, choices }: StreamChunk): void => {
    text += choices?.[0]?.delta?.content ?? "";
    if (text !== "") {
      const { predicted_n: tokens = 0, predicted_per_second: speed = 0 } = timings ?? {};
      show({ kind: "writing", text, tokens, speed });
    } else if (read) {
      const { total, cache, processed, time_ms } = read;
      const speed = time_ms > 0 ? ((processed - cache) * 1000) / time_ms : 0;
      show({ kind: "reading", done: processed, all: total, speed });
    }
  };
  const createChatCompletion = (options: object): Promise<unknown> => {
    const { onData } = options as { onData: (piece: unknown) => void };
    const onChunk = (chunk: unknown): void => {
      reportChunk(chunk as StreamChunk);
      onData(chunk);
    };
    const more = { return_progress: true, timings_per_token: true, onData: onChunk };
    const done = instance.createChatCompletion({ ...options, ...more } as never);
    ended = done.catch(() => {});
    return done;
  };
  show({ kind: "waiting" });
  return { instance: { createChatCompletion }, ended: () => ended };
}

/** Returns whether llama.cpp can use a GPU. A software adapter is slower than none. */
async function hasGpu(): Promise<boolean> {
  interface Adapter {
    isFallbackAdapter?: boolean;
    info?: { isFallbackAdapter?: boolean };
  }
  const { gpu } = navigator as { gpu?: { requestAdapter(): Promise<Adapter | null> } };
  const adapter = await gpu?.requestAdapter().catch(() => null);
  return !!adapter && !adapter.isFallbackAdapter && !adapter.info?.isFallbackAdapter;
}
