import { ToA2ui } from "../a2ui/to-a2ui.js";
import type { Message } from "../a2ui/translation.js";
import { throwExpected } from "../arguments.js";
import type { Catalog, Json } from "../types.js";
import { mergeMessages } from "./merge.js";
import { type ExpressOptions, readOptions } from "./options.js";
import { printMessages } from "./print.js";
import { Signatures } from "./signatures.js";

/** Parts of a surface that are printed. */
export interface PrintedSurface {
  readonly catalog?: Catalog | undefined;
  export(): object[];
}

/** Prints a surface as Express: its data and its components, by their catalog. */
export function toExpress(surface: PrintedSurface): string {
  if (typeof surface?.export !== "function")
    throwExpected("the argument of `toExpress`", "a surface", surface);
  const catalog = surface.catalog ?? { components: {} };
  const signatures = new Signatures(catalog);
  const translator = new ToA2ui();
  const messages = surface
    .export()
    .flatMap((message) => translator.translate(message as Message).messages);
  return printMessages(mergeMessages(messages), signatures);
}

/** Prints messages of A2UI as Express. */
export function messagesToExpress(
  messages: readonly { [key: string]: Json }[],
  options: ExpressOptions,
): string {
  const { signatures } = readOptions(options, "messagesToExpress");
  return printMessages(mergeMessages(messages), signatures);
}
