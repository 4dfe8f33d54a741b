// NetworkX as a side: it reads the tables from files and measures its own CPU time.
import { startPython } from "./python.mjs";
import { tableFiles } from "./tables.mjs";

export class NetworkX {
  #python;
  #loaded;

  /** Returns a side that runs a query on tables. */
  side(question, size, tables, answer) {
    const files = () => tableFiles(size, tables);
    const isWhole = question === "load" || question === "memory";
    return {
      selfTimed: true,
      setup: async (recording) => {
        if (!isWhole && this.#loaded !== size) await this.#ask({ question: "load", ...files() });
        this.#loaded = size;
        return { recording };
      },
      run: ({ recording }) => {
        const more = isWhole ? files() : { from: tables.from, to: tables.to };
        return this.#ask({ question, answer: recording, ...more });
      },
      ...(answer && { answer: (_, response) => answer(response.answer) }),
    };
  }

  close() {
    this.#python?.close();
  }

  #ask(request) {
    this.#python ??= startPython("networkx_graph.py");
    return this.#python.ask(request);
  }
}
