// The Python functions of the proposal as a side, which tells its own CPU time.
import { startPython } from "./python.mjs";

export class FlowSource {
  #python = startPython("flow_source.py");
  #sent;

  /** The side that maps these nodes. */
  side(size, nodes, answer) {
    return {
      tells: true,
      setup: async (recording) => {
        if (this.#sent !== size) await this.#python.ask({ nodes });
        this.#sent = size;
        return { recording };
      },
      run: ({ recording }) => this.#python.ask({ answer: recording }),
      answer: (_, told) => answer(told.answer),
    };
  }

  close() {
    this.#python.close();
  }
}
