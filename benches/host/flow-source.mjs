// The Python functions of the proposal as a side, which tells its own CPU time.
import { startPython } from "./python.mjs";

export class FlowSource {
  #python;
  #sent;

  /** The side that maps these nodes, and finds them in a dict or in their `list`. */
  side(size, nodes, answer, list = false) {
    return {
      tells: true,
      setup: async (recording) => {
        if (this.#sent !== size) await this.#ask({ nodes });
        this.#sent = size;
        return { recording };
      },
      run: ({ recording }) => this.#ask({ answer: recording, list }),
      answer: (_, told) => answer(told.answer),
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
