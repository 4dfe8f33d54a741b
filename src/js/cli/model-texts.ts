import type { CatalogOptions } from "../catalog/types.js";
import { expressGbnf } from "../express/gbnf.js";
import { expressPrompt } from "../express/prompt.js";
import { GaslSession } from "../gasl/session.js";
import type { Json } from "../types.js";
import type { Command, Options } from "./command.js";
import { catalogOf } from "./messages.js";
import { UsageError } from "./usage-error.js";

/** Options that each text depends on. */
const OPTIONS_OF: { readonly [subject: string]: readonly string[] } = {
  gasl: [],
  catalog: ["catalog", "surface"],
  express: ["catalog"],
};

/** Command that prints a text for a model. */
function modelText(
  name: string,
  summary: string,
  of: {
    gasl: () => string | Json;
    catalog: (options: Options) => Promise<string | Json>;
    express?: (options: Options) => Promise<string>;
  },
): Command {
  return {
    name,
    usage: of.express ? "[gasl|catalog|express]" : "[gasl|catalog]",
    summary,
    options: { catalog: { type: "string" }, surface: { type: "string" } },
    optionHelp: {
      catalog: "module that exports a catalog; the basic catalog by default",
      surface: "id of the surface of all messages of a catalog; by default the model chooses ids",
    },
    async run([subject = "catalog"], options) {
      const textOf = Object.hasOwn(of, subject) ? of[subject as keyof typeof of] : undefined;
      if (textOf === undefined) {
        const names = Object.keys(of).map((one) => `\`${one}\``);
        throw new UsageError(`expected ${names.join(" or ")}, found \`${subject}\``);
      }
      for (const option of ["catalog", "surface"])
        if (options[option] !== undefined && !OPTIONS_OF[subject]?.includes(option))
          throw new UsageError(
            `unexpected \`--${option}\`: \`${name} ${subject}\` does not use it`,
          );
      const value = await textOf(options);
      const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      return { text, json: value };
    },
  };
}

function catalogOptions({ surface }: Options): CatalogOptions {
  return typeof surface === "string" ? { surfaceId: surface } : {};
}

export const prompt = modelText("prompt", "prints the instructions for a model", {
  gasl: () => GaslSession.prompt(),
  catalog: async (options) => (await catalogOf(options)).prompt(catalogOptions(options)),
  express: async (options) => expressPrompt(await catalogOf(options)),
});

export const schema = modelText("schema", "prints the JSON Schema of messages or plans", {
  gasl: () => GaslSession.planSchema(),
  catalog: async (options) => (await catalogOf(options)).schema(catalogOptions(options)),
});

export const grammar = modelText("grammar", "prints the GBNF grammar of messages or commands", {
  gasl: () => GaslSession.gbnf(),
  catalog: async (options) => (await catalogOf(options)).gbnf(catalogOptions(options)),
  express: async (options) => expressGbnf(await catalogOf(options)),
});
