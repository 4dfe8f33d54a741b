import { assertOptions, throwMisuse } from "../arguments.js";
import { type ExpressCatalog, Signatures } from "./signatures.js";

/** Version of A2UI that messages are written for. */
export type ExpressVersion = (typeof A2UI_VERSIONS)[number];

const A2UI_VERSIONS = ["v0.9", "v1.0", "1.0"] as const;

export interface ExpressOptions {
  /** Components and functions; several catalogs as a list. */
  catalog: ExpressCatalog | readonly ExpressCatalog[];
  /** Version of A2UI of the messages; `v1.0` by default. */
  version?: ExpressVersion;
}

/** Checks the options of a function, and reads its catalogs. */
export function readOptions(
  options: ExpressOptions,
  caller: string,
  known: readonly string[] = [],
): { signatures: Signatures; version: ExpressVersion } {
  assertOptions(options, ["catalog", "version", ...known], `the options of \`${caller}\``);
  const { catalog, version = "v1.0" } = options;
  if (catalog === undefined) throwMisuse(`missing \`catalog\` in the options of \`${caller}\``);
  if (!A2UI_VERSIONS.includes(version)) {
    throwMisuse(`expected \`version\` to be one of ${A2UI_VERSIONS.join(", ")}`);
  }
  return { signatures: new Signatures(catalog), version };
}
