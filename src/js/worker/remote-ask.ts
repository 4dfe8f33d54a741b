import type { Answer, AskOptions } from "../gasl/ask.js";
import type { GraphAdapter } from "../gasl/types.js";
import type { Connection } from "./connection.js";
import { ArgumentEncoder } from "./encoder.js";
import { RemoteGraph } from "./remote-graph.js";
import { RemoteGaslSession } from "./remote-session.js";
import { encodeSessionOptions } from "./session-arguments.js";

/** Options of a question to a graph in a worker. */
export interface RemoteAskOptions extends Omit<AskOptions, "graph"> {
  /** A graph of the worker, an adapter, or GraphML. */
  graph: RemoteGraph | GraphAdapter | string | Uint8Array;
}

/** Result of a question, with a session in the worker. */
export interface RemoteAnswer extends Omit<Answer, "session"> {
  session: RemoteGaslSession;
}

/** Answers a question from a graph in a worker; the model is called in the page. */
export async function askRemotely(
  connection: Connection,
  question: string,
  options: RemoteAskOptions,
): Promise<RemoteAnswer> {
  const [handle, graphHandle] = [connection.newHandle(), connection.newHandle()];
  // The session that is returned needs the callbacks.
  let encoder: ArgumentEncoder | undefined;
  const release = (): void => encoder?.release();
  try {
    const value = await connection.call({
      method: "ask",
      created: [handle, graphHandle],
      encode: ({ transfer }) => {
        encoder = new ArgumentEncoder(connection);
        const encoded = [encoder.encodeValue(question), encodeSessionOptions(encoder, options)];
        transfer.push(...encoder.transfer);
        return encoded;
      },
    });
    if (value.kind !== "answer") throw new Error("expected an answer from the worker");
    const { graph } = options;
    const remote = value.graph && new RemoteGraph(connection, graphHandle, value.graph);
    const source = remote ?? (graph as RemoteGraph | GraphAdapter);
    const session = new RemoteGaslSession(connection, handle, source, release);
    return { ...(value.value as Omit<RemoteAnswer, "session">), session };
  } catch (error) {
    release();
    throw error;
  }
}
