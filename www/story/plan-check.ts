import { GaslSession, type Json, type Plan } from "byname";

/** Returns the errors that prevent a reply from running as a plan; empty if there are none. */
export function planErrors(reply: Json): string[] {
  const { commands } = Object(reply) as Partial<Plan>;
  if (!Array.isArray(commands) || commands.length === 0) {
    return ["missing `commands`, a list of GASL commands"];
  }
  return commands.flatMap((one) => {
    const command: unknown = typeof one === "string" ? one : Object(one).command;
    if (typeof command !== "string")
      return ["expected a command as a string, or as an object with `command`"];
    // Lines of a block cannot be checked separately; the session checks them at run time.
    if (/^\s*(?:TRY|CATCH|FINALLY|END)\b/i.test(command)) return [];
    return GaslSession.check(command)
      .diagnostics.filter(({ severity }) => severity === "error")
      .map(({ message, help }) => (help === undefined ? message : `${message} (${help})`));
  });
}
