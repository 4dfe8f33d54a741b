// NetworkX as a side: it reads the tables from files and tells its own CPU time.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startPython } from "./python.mjs";

const folder = join(import.meta.dirname, "../../target/bench-data");

export class NetworkX {
  #python = startPython("networkx_graph.py");
  #loaded;

  /** The side that asks this question of these tables. */
  side(question, size, tables, answer) {
    const files = () => writeTables(size, tables);
    const isWhole = question === "load" || question === "memory";
    return {
      tells: true,
      setup: async (recording) => {
        if (!isWhole && this.#loaded !== size) await this.#ask({ question: "load", ...files() });
        this.#loaded = size;
        return { recording };
      },
      run: ({ recording }) => {
        const more = isWhole ? files() : { from: tables.from, to: tables.to };
        return this.#ask({ question, answer: recording, ...more });
      },
      ...(answer && { answer: (_, told) => answer(told.answer) }),
    };
  }

  close() {
    this.#python.close();
  }

  #ask(request) {
    return this.#python.ask(request);
  }
}

const written = new Map();

function writeTables(size, tables) {
  if (written.has(size)) return written.get(size);
  mkdirSync(folder, { recursive: true });
  const files = {};
  for (const name of ["nodes", "edges"]) {
    files[name] = join(folder, `${name}-${size}.csv`);
    writeFileSync(files[name], tables[name]);
  }
  written.set(size, files);
  return files;
}
