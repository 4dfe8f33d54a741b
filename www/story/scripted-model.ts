import type { Json } from "byname";
import type { LlmRequest, LlmResult } from "byname/llm";

/**
 * Scripted model. Plans and sentences are fixed; every row and number in a sentence comes from the
 * plan's result.
 */

type Row = { id: string; [field: string]: Json };
type Command = readonly [command: string, why: string];

interface KnownQuestion {
  question: string;
  why: string;
  commands: readonly Command[];
  summarize(rows: readonly Row[]): string;
  next: readonly string[];
}

const MOON_WALKERS_QUESTION = "Who walked on the Moon?";
const TWICE_TO_MOON_QUESTION = "Who went to the Moon twice?";
const MOST_FLIGHTS_QUESTION = "Who flew most often?";
const LONGEST_FLIGHT_QUESTION = "Who was up longest?";
const MOON_ROCK_QUESTION = "How much Moon rock?";
const RECOVERY_SHIPS_QUESTION = "Which ship met most crews?";

const formatNumber = (value: Json | undefined): string => Number(value ?? 0).toLocaleString("en");
const formatTotal = (rows: readonly Row[], field: string): string =>
  formatNumber(Math.round(rows.reduce((sum, row) => sum + Number(row[field] ?? 0), 0) * 10) / 10);

function joinNames(names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** Returns a count in words up to twelve. */
function countInWords(count: number, one: string, many: string): string {
  const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
  const more = ["ten", "eleven", "twelve"];
  return `${[...words, ...more][count] ?? count} ${count === 1 ? one : many}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const fixedQuestions: readonly KnownQuestion[] = [
  {
    question: MOON_WALKERS_QUESTION,
    why: "The people with an edge to a place on the Moon.",
    commands: [
      ['FIND edges WHERE type = "WALKED_AT" AS walks', "Every walk on the Moon."],
      ["RANK walks BY hours AS ranked", "Sort by hours outside, longest first."],
      [
        "SELECT ranked FIELDS source:id, mission, target:site, hours AS answer",
        "The person, mission, site and hours.",
      ],
    ],
    summarize: (rows) =>
      `**${capitalize(countInWords(rows.length, "person", "people"))}** walked on the Moon; ${joinNames(rows.filter(({ hours }) => hours === rows[0]?.["hours"]).map(({ id }) => id))} longest, ${formatNumber(rows[0]?.["hours"])} hours each.`,
    next: [TWICE_TO_MOON_QUESTION, LONGEST_FLIGHT_QUESTION, MOON_ROCK_QUESTION],
  },
  {
    question: TWICE_TO_MOON_QUESTION,
    why: "Count the flights that reached the Moon, person by person.",
    commands: [
      [
        'FIND edges WHERE type = "FLEW_ON" AND target.reached IN ["the Moon", "around the Moon"] AS voyages',
        "Every seat on a flight to the Moon.",
      ],
      ["COUNT voyages BY source AS trips", "The number of seats of each person."],
      [
        "SELECT trips FIELDS source:id, count:voyages WHERE count >= 2 AS answer",
        "Those with more than one.",
      ],
    ],
    summarize: (rows) =>
      `**${capitalize(countInWords(rows.length, "person", "people"))}** made the voyage twice: ${joinNames(rows.map(({ id }) => id))}. Press *Why?* to see both voyages of each.`,
    next: [MOST_FLIGHTS_QUESTION, MOON_WALKERS_QUESTION, RECOVERY_SHIPS_QUESTION],
  },
  {
    question: MOST_FLIGHTS_QUESTION,
    why: "Count the seats of each person.",
    commands: [
      ['FIND edges WHERE type = "FLEW_ON" AS seats', "Every seat on every flight."],
      ["COUNT seats BY source AS times", "The number of seats of each person."],
      ["RANK times BY count AS ranked", "Largest count first."],
      [
        "SELECT ranked FIELDS source:id, count:flights WHERE count >= 3 AS answer",
        "Those with three or more.",
      ],
    ],
    summarize: (rows) => {
      const most = rows.filter(({ flights }) => flights === rows[0]?.["flights"]);
      return `${joinNames(most.map(({ id }) => id))} flew **${formatNumber(rows[0]?.["flights"])} times** each; ${countInWords(rows.length - most.length, "other", "others")} flew ${formatNumber(rows.at(-1)?.["flights"])} times.`;
    },
    next: [LONGEST_FLIGHT_QUESTION, TWICE_TO_MOON_QUESTION, RECOVERY_SHIPS_QUESTION],
  },
  {
    question: LONGEST_FLIGHT_QUESTION,
    why: "Add up the hours of each person's flights.",
    commands: [
      ['FIND edges WHERE type = "FLEW_ON" AS seats', "Every seat, with the hours of its flight."],
      ["AGGREGATE seats BY source WITH sum OF hours AS totals", "The sum for each person."],
      ["RANK totals BY sum LIMIT 8 AS top", "The eight largest sums."],
      ["SELECT top FIELDS source:id, sum:hours AS answer", "The person and the hours."],
    ],
    summarize: (rows) => {
      const most = rows.filter(({ hours }) => hours === rows[0]?.["hours"]);
      const days = formatNumber(Math.round(Number(rows[0]?.["hours"]) / 24));
      return `${joinNames(most.map(({ id }) => id))} were up **${formatNumber(rows[0]?.["hours"])} hours**, which is ${days} days. ${rows[most.length]?.id ?? "No one"} comes next with ${formatNumber(rows[most.length]?.["hours"])}.`;
    },
    next: [MOST_FLIGHTS_QUESTION, MOON_WALKERS_QUESTION, "Who flew on Skylab 4?"],
  },
  {
    question: MOON_ROCK_QUESTION,
    why: "The missions that returned with rock, by weight.",
    commands: [
      ['FIND nodes WHERE kind = "MISSION" AND rock_kg > 0 AS landings', "Every mission with rock."],
      ["RANK landings BY rock_kg AS ranked", "The heaviest load first."],
      [
        "SELECT ranked FIELDS id, launched, rock_kg:kg AS answer",
        "The mission, launch and weight.",
      ],
    ],
    summarize: (rows) =>
      `**${formatTotal(rows, "kg")} kg** of the Moon came home with ${countInWords(rows.length, "mission", "missions")}. ${rows[0]?.id ?? ""} carried most, ${formatNumber(rows[0]?.["kg"])} kg; ${rows.at(-1)?.id ?? ""} least, ${formatNumber(rows.at(-1)?.["kg"])} kg.`,
    next: [MOON_WALKERS_QUESTION, "Who flew on Apollo 17?", RECOVERY_SHIPS_QUESTION],
  },
  {
    question: RECOVERY_SHIPS_QUESTION,
    why: "Count the crews that each ship took aboard.",
    commands: [
      [
        'FIND edges WHERE type = "RECOVERED_BY" AS splashdowns',
        "Every crew and the ship that recovered it.",
      ],
      ["COUNT splashdowns BY target AS times", "The number of crews of each ship."],
      ["RANK times BY count LIMIT 5 AS top", "The five largest counts."],
      ["SELECT top FIELDS target:id, count:crews AS answer", "The ship and its number of crews."],
    ],
    summarize: (rows) =>
      `The **${rows[0]?.id ?? ""}** took ${formatNumber(rows[0]?.["crews"])} crews aboard, the ${rows[1]?.id ?? ""} ${formatNumber(rows[1]?.["crews"])}.`,
    next: [
      MOST_FLIGHTS_QUESTION,
      LONGEST_FLIGHT_QUESTION,
      "Which crews did the USS Hornet pick up?",
    ],
  },
];

/** Question patterns about one node of the graph. */
const nodeQuestions: readonly {
  pattern: RegExp;
  kind: string;
  known(id: string): KnownQuestion;
}[] = [
  {
    pattern: /^who flew with (.+)$/,
    kind: "PERSON",
    known: (id) => ({
      question: `Who flew with ${id}?`,
      why: `The flights of ${id}, and the other people on them.`,
      commands: [
        [`FIND nodes WHERE id = "${id}" AS person`, "The person of the question."],
        ["WALK FROM person FOLLOW FLEW_ON AS flights", "The flights of this person."],
        [
          `FIND edges WHERE type = "FLEW_ON" AND target IN \${flights} AND source != "${id}" AS seats`,
          "Every other seat on these flights.",
        ],
        ["COUNT seats BY source AS times", "The number of shared flights of each person."],
        ["RANK times BY count AS ranked", "Largest count first."],
        [
          "SELECT ranked FIELDS source:id, count:flights AS answer",
          "The person and the number of flights.",
        ],
      ],
      summarize: (rows) => {
        if (rows.length === 0) return `${id} flew **alone**.`;
        const again = rows.filter(({ flights }) => Number(flights) > 1);
        const twice =
          again.length === 0
            ? ""
            : ` With ${joinNames(again.map((row) => row.id))} more than once.`;
        return `${id} flew with **${countInWords(rows.length, "other person", "other people")}**: ${joinNames(rows.map((row) => row.id))}.${twice}`;
      },
      next: [MOST_FLIGHTS_QUESTION, TWICE_TO_MOON_QUESTION, MOON_WALKERS_QUESTION],
    }),
  },
  {
    pattern: /^who flew on (.+)$/,
    kind: "MISSION",
    known: (id) => ({
      question: `Who flew on ${id}?`,
      why: `The seats of ${id}.`,
      commands: [
        [`FIND edges WHERE type = "FLEW_ON" AND target = "${id}" AS seats`, "Every seat."],
        ["SELECT seats FIELDS source:id, role, hours AS answer", "The person, role and hours."],
      ],
      summarize: (rows) =>
        `${joinNames(rows.map((row) => row.id))} flew on **${id}** for ${formatNumber(rows[0]?.["hours"])} hours.`,
      next: [LONGEST_FLIGHT_QUESTION, MOON_ROCK_QUESTION, MOON_WALKERS_QUESTION],
    }),
  },
  {
    pattern: /^which crews did the (.+) pick up$/,
    kind: "SHIP",
    known: (id) => ({
      question: `Which crews did the ${id} pick up?`,
      why: `The missions that ended at the ${id}.`,
      commands: [
        [
          `FIND edges WHERE type = "RECOVERED_BY" AND target = "${id}" AS ends`,
          "Every mission that this ship recovered.",
        ],
        ["FIND nodes WHERE id IN ${ends.source} AS missions", "The nodes of these missions."],
        [
          "SELECT missions FIELDS id, launched, reached, hours AS answer",
          "The launch, destination and hours.",
        ],
      ],
      summarize: (rows) =>
        `The ${id} picked up **${countInWords(rows.length, "crew", "crews")}**: of ${joinNames(rows.map((row) => row.id))}.`,
      next: [RECOVERY_SHIPS_QUESTION, LONGEST_FLIGHT_QUESTION, MOST_FLIGHTS_QUESTION],
    }),
  },
];

export const suggestedQuestions: readonly string[] = [
  MOON_WALKERS_QUESTION,
  MOST_FLIGHTS_QUESTION,
  TWICE_TO_MOON_QUESTION,
  LONGEST_FLIGHT_QUESTION,
  MOON_ROCK_QUESTION,
  RECOVERY_SHIPS_QUESTION,
];

/** Returns the script of a question, or null if it is unknown. */
export function knownQuestion(
  question: string,
  kinds: ReadonlyMap<string, string>,
): KnownQuestion | null {
  const words = normalizeQuestion(question);
  const found = fixedQuestions.find((one) => normalizeQuestion(one.question) === words);
  if (found) return found;
  for (const { pattern, kind, known: make } of nodeQuestions) {
    const name = pattern.exec(words)?.[1];
    const id = [...kinds].find(([one, of]) => of === kind && normalizeQuestion(one) === name)?.[0];
    if (id !== undefined) return make(id);
  }
  return null;
}

function normalizeQuestion(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Returns a callback that answers the two model nodes of the workflow. */
export function scriptFor(kinds: ReadonlyMap<string, string>): (request: LlmRequest) => LlmResult {
  return ({ id, prompt }) => {
    const question = /The question: (.*)/.exec(prompt)?.[1] ?? "";
    const found = knownQuestion(question, kinds);
    if (!found) throw new Error("the scripted model does not know this question");
    return {
      json: id === "tell" ? scriptedAnswer(found, prompt) : scriptedPlan(found),
      model: "scripted",
    };
  };
}

function scriptedPlan({ question, why, commands }: KnownQuestion): Json {
  return {
    plan_id: normalizeQuestion(question).replaceAll(" ", "-"),
    why,
    commands: [
      { command: "DECLARE findings AS LIST", why: "A list for the findings, with their sources." },
      ...commands.map(([command, reason]) => ({ command, why: reason })),
      { command: "UPDATE findings WITH answer REPLACE", why: "Store the rows with their sources." },
    ],
    config: { continue_on_empty: true },
  };
}

function scriptedAnswer({ summarize, next }: KnownQuestion, prompt: string): Json {
  const rows = JSON.parse(/The rows: (.*)$/s.exec(prompt)?.[1] || "[]") as Row[];
  const text =
    rows.length === 0 && !/alone/.test(summarize([]))
      ? "The graph has no row for that."
      : summarize(rows);
  return { answer: text, next: [...next] };
}
