// Python functions of the proposal as a side with its own CPU time.
import { startPython } from "./python.mjs";

export class FlowSource {
  #python;
  #sent;

  /** Returns a side that maps nodes found in a dict or in their `list`. */
  side(size, nodes, answer, list = false) {
    return {
      selfTimed: true,
      setup: async (recording) => {
        if (this.#sent !== size) await this.#ask({ nodes });
        this.#sent = size;
        return { recording };
      },
      run: ({ recording }) => this.#ask({ answer: recording, list }),
      answer: (_, response) => answer(response.answer),
    };
  }

  close() {
    this.#python?.close();
  }

  #ask(request) {
    this.#python ??= startPython("flow_source.py");
    return this.#python.ask(request);
  }
}
