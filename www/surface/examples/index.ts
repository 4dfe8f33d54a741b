import { agentLog } from "./agent-log.js";
import type { Example } from "./example.js";
import { form } from "./form.js";
import { invalidInput } from "./invalid-input.js";
import { longList } from "./long-list.js";
import { profile, users } from "./profile.js";
import { progressive } from "./progressive.js";
import { team } from "./team.js";

/** Examples in the order of the menu. The first one plays when the page opens. */
export const examples: readonly [Example, ...Example[]] = [
  team,
  profile,
  users,
  progressive,
  form,
  agentLog,
  longList,
  invalidInput,
];
