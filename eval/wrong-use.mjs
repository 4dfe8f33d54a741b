// Errors of the command line.
import { UserError } from "../scripts/run.mjs";

/** Exit code of a wrong use, as in the command line of the package. */
const WRONG_USE = 2;

/** Returns the error for wrong options or missing files. */
export function wrongUse(message) {
  return Object.assign(new UserError(message), { exitCode: WRONG_USE });
}
