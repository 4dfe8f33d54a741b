import { type LlmCallback, wllama } from "byname/llm";
import { Stopped } from "./stop-error.js";

/** A model that runs in this page. */
export interface LocalModel {
  callback: LlmCallback;
  close(): Promise<void>;
}

/** What a model in this page is doing. Speeds are tokens in a second. */
export type Doing =
  | { kind: "waiting" }
  | { kind: "reading"; done: number; all: number; speed: number }
  | { kind: "writing"; text: string; tokens: number; speed: number };

/** Shows what the model does while it answers. Answers what takes that away. */
export type Watch = (stop: () => void) => { show(doing: Doing): void; end(): void };

/** Tokens that prompt and reply may have together. */
const context = 8192;
/** Tokens that a reply has at most: a small model may never come to an end. */
const longest = 600;
/**
 * Tokens that are read between two looks at what was asked for: this is how long Stop and the numbers wait. On a
 * processor more at once are no faster; a graphics card wants many.
 */
const batch = { processor: 16, card: 256 };

/** Loads a model of somebody's own. What runs it is fetched only now, from beside this page. */
export async function openLocal(
  file: File,
  told: (words: string) => void,
  watch: Watch,
): Promise<LocalModel> {
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
  const card = await hasCard();
  try {
    await instance.loadModel([file], {
      n_ctx: context,
      n_batch: card ? batch.card : batch.processor,
      // Two prompts that begin alike each time stay read: that of a plan and that of an answer.
      n_parallel: 2,
      ...(card ? {} : { n_gpu_layers: 0 }),
    });
  } catch (error) {
    await instance.exit().catch(() => {});
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(`${file.name} cannot be run here: ${words}`);
  }
  return { callback: oneAtATime(instance, watch), close: () => instance.exit() };
}

interface Instance {
  createChatCompletion(options: never): Promise<unknown>;
}

/** What llama.cpp tells beside the text, where it is asked to. */
interface Piece {
  prompt_progress?: { total: number; cache: number; processed: number; time_ms: number };
  timings?: { predicted_n: number; predicted_per_second: number };
  choices?: { delta?: { content?: string | null } }[];
}

/** Asks one question after another: two at once would take each other's time. */
function oneAtATime(instance: Instance, watch: Watch): LlmCallback {
  let last: Promise<unknown> = Promise.resolve();
  return async (request) => {
    const before = last;
    let free = (): void => {};
    last = new Promise<void>((done) => {
      free = done;
    });
    await before;
    const stopping = new AbortController();
    const signal = AbortSignal.any([request.signal, stopping.signal]);
    const view = watch(() => stopping.abort(new Stopped()));
    const work = watched(instance, view.show);
    try {
      return await wllama(work.instance)({ maxOutputTokens: longest, ...request, signal });
    } finally {
      view.end();
      // One that was stopped ends what it had begun before another may begin.
      void work.ended().then(free);
    }
  };
}

/** The same instance, which shows what it does. */
function watched(instance: Instance, show: (doing: Doing) => void) {
  let ended: Promise<unknown> = Promise.resolve();
  let text = "";
  const look = ({ prompt_progress: read, timings, choices }: Piece): void => {
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
    const seen = (piece: unknown): void => {
      look(piece as Piece);
      onData(piece);
    };
    const more = { return_progress: true, timings_per_token: true, onData: seen };
    const done = instance.createChatCompletion({ ...options, ...more } as never);
    ended = done.catch(() => {});
    return done;
  };
  show({ kind: "waiting" });
  return { instance: { createChatCompletion }, ended: () => ended };
}

/** Whether llama.cpp can use a graphics card here. One that a processor plays is slower than none. */
async function hasCard(): Promise<boolean> {
  interface Adapter {
    isFallbackAdapter?: boolean;
    info?: { isFallbackAdapter?: boolean };
  }
  const { gpu } = navigator as { gpu?: { requestAdapter(): Promise<Adapter | null> } };
  const adapter = await gpu?.requestAdapter().catch(() => null);
  return !!adapter && !adapter.isFallbackAdapter && !adapter.info?.isFallbackAdapter;
}
