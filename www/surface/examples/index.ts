import type { Example } from "./example.js";
import { form } from "./form.js";
import { pieces } from "./pieces.js";
import { profile, users } from "./profile.js";
import { rows } from "./rows.js";
import { team } from "./team.js";
import { trouble } from "./trouble.js";

/** Examples in the order of the menu. The first one plays when the page opens. */
export const examples: readonly [Example, ...Example[]] = [
  team,
  profile,
  users,
  pieces,
  form,
  rows,
  trouble,
];
