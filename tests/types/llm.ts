// Type test of byname/llm: compiled, never run.
import {
  aiSdk,
  anthropic,
  chromeAi,
  collect,
  type LlmCallback,
  LlmError,
  type LlmReply,
  type LlmRequest,
  openai,
  record,
  replay,
  requestKey,
  scripted,
  webllm,
  wllama,
} from "byname/llm";

// Shapes of the real clients: generic, overloaded, with additional parameters.
declare function generateText<T extends { a?: string }>(
  options: { model: string; tools?: T } & ({ prompt: string } | { messages: string[] }),
): Promise<{ readonly text: string; finishReason: "stop" | "length"; tools: T }>;
declare const Output: {
  object: <T>(options: { schema: { of: T }; name?: string }) => { parse: () => T };
  text: () => string;
};
declare function jsonSchema<T>(schema: { type?: "object" }, options?: { strict?: T }): { of: T };
declare const engine: {
  chat: {
    completions: {
      create(request: { messages: { role: "user" }[]; stream?: false }): Promise<{ id: string }>;
      create(request: {
        messages: { role: "user" }[];
        stream: true;
      }): Promise<AsyncIterable<string>>;
    };
  };
  interruptGenerate(): void;
};
declare const instance: {
  createChatCompletion(options: { stream?: false }): Promise<{ id: string }>;
  createChatCompletion(options: { stream: true; onData: (data: object) => void }): Promise<void>;
};

const { llm, recording } = record(scripted(["a", { text: "b" }, new Error("c")]));

export const callbacks: LlmCallback[] = [
  openai({ model: "m", apiKey: "k", retries: 1, onToken: (piece, { id }) => id + piece }),
  anthropic({ model: "m", apiKey: "k", browser: true, maxTokens: 9, fetch: globalThis.fetch }),
  aiSdk({ generateText, Output, jsonSchema, model: "m" }),
  chromeAi(),
  webllm(engine, { grammar: true }),
  wllama(instance),
  scripted({ plan: ["a"], process: ({ prompt }) => prompt, repair: async () => undefined }),
  replay(recording()),
  replay({ version: 1, calls: [{ key: "k", task: "plan", prompt: "p", reply: "a" }] }),
  llm,
  () => "a",
  async () => ({ json: [1] }),
  async function* () {
    yield "a";
  },
];

anthropic({ model: "m", baseUrl: "/anthropic" });
// @ts-expect-error Unknown task.
scripted({ dream: ["a"] });
// @ts-expect-error A reply is a text, an object of known fields or an error.
scripted([1]);

export async function ask(request: LlmRequest): Promise<string | undefined> {
  const reply: LlmReply = await openai({ model: requestKey(request) })(request);
  try {
    return (await collect(scripted(["a"]), request)).text;
  } catch (error) {
    if (error instanceof LlmError && error.kind === "http") return `${error.status} ${error.body}`;
    // @ts-expect-error Unknown kind.
    if (error instanceof LlmError && error.kind === "late") return "";
    return reply.text;
  }
}
