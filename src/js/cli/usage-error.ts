/** Wrong use of the command line: unknown command, option or file. Its exit code is 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}
