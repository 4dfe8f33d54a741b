import type { Json } from "byname";
import type { LlmRequest, LlmResult, Script } from "byname/llm";
import { coastTopics } from "./scripted-model.js";

/** Example: a plan, or a question that a model answers with plans. */
export interface Example {
  id: string;
  title: string;
  note: string;
  /** Plan as lines; missing if the model writes it. */
  plan?: string;
  question?: string;
  /** Graph of the example; the coast if missing. */
  graph?: { json: () => Json; title: string };
  /** Replies of the scripted model by task. */
  script?: { [task in LlmRequest["task"]]?: Script };
}

const jsonReply = (value: object): LlmResult => JSON.stringify(value, null, 2);

const coauthorsExample: Example = {
  id: "coauthors",
  title: "Who works with whom",
  note: "The model plans in GASL, evaluates the result, and plans again.",
  question: "With whom do people of Norrhaven University write, outside of it?",
  script: {
    plan: [
      jsonReply({
        plan_id: "direct",
        why: "The graph may have an edge between two people who work together.",
        commands: [
          'DECLARE findings AS LIST WITH_DESCRIPTION "Coauthors of people of Norrhaven in other institutions"',
          {
            command: 'FIND edges WHERE type = "WORKS_WITH" AS direct',
            why: "Is there such an edge?",
          },
          "UPDATE findings WITH direct",
        ],
      }),
    ],
    evaluate: [
      jsonReply({
        decision: "pivot",
        next_actions: [
          {
            confidence: 0.8,
            rationale: "No edge joins two people, but papers do: who wrote the same one.",
            plan: {
              plan_id: "through-papers",
              why: "Two people who wrote the same paper work together.",
              commands: [
                {
                  command:
                    'FIND nodes WHERE entity_type = "PERSON" AND institution = "Norrhaven University" AS inside',
                  why: "The people of Norrhaven.",
                },
                {
                  command: "SET adapter.caps.direction = any",
                  why: "From a person to a paper and back to a person.",
                },
                {
                  command: `FIND paths WHERE start.id IN \${inside} AND end.entity_type = "PERSON" AND end.institution != "Norrhaven University" AND edge.type = "WROTE" AND length <= 2 AS together`,
                  why: "Paths over one paper to authors of other institutions.",
                },
                {
                  command: "UPDATE findings WITH together",
                  why: "These paths answer the question.",
                },
                {
                  command: `FIND edges WHERE type = "WROTE" AND source IN \${inside} AS wrote`,
                  why: "Who of these people writes most?",
                },
                "COUNT wrote BY source AS papers",
                {
                  command: "RANK papers BY count LIMIT 1 AS busiest",
                  why: "The person with most papers.",
                },
              ],
            },
          },
          {
            confidence: 0.3,
            rationale: "Colleagues of one topic may know each other without a paper.",
            plan: ['FIND nodes WHERE entity_type = "TOPIC" AS topics'],
          },
        ],
      }),
      "COMPLETE: All four write with authors of other groups. Ada Lind writes with Emil Sato and Kaia Berg; Bo Tran with Gus Alder, Fay Moreau and Jun Park; Chi Okafor with Leo Duarte, Mina Haddad and Jun Park; Dana Weiss with Nils Aker and Hana Novak.",
    ],
  },
};

const mistakesExample: Example = {
  id: "mistakes",
  title: "Errors and fixes",
  note: "A plan with typical errors of models. It only runs without errors; apply the fixes.",
  plan: `# Which papers are cited most?
FIND nodes WERE entity_type = "PAPER" AS papers
SELECT papers WHERE citations > 15 && year > 2012 AS known
RANK known BY citatons LIMIT 5 AS top
COUNT top BY year
UPDATE findings WITH top`,
};

const pathsExample: Example = {
  id: "paths",
  title: "Paths and limits",
  note: "How are two people linked? A limit truncates the result, which is reported.",
  plan: `# How is Dana Weiss linked to others?
-- Edges may be gone along either way.
SET adapter.caps.direction = any
-- A length in the condition is not a truncation.
FIND paths WHERE start.id = "Dana Weiss" AND end.id = "Mina Haddad" AND edge.type = "WROTE" AND length <= 6 AS long_paths
ON EMPTY long_paths THEN FIND paths WHERE start.id = "Dana Weiss" AND end.id = "Mina Haddad" AND length <= 4 AS way
-- Only three results: a cap, and so the next step is partial.
SET adapter.caps.max_results = 3
FIND paths WHERE start.id = "Dana Weiss" AND end.entity_type = "PERSON" AND length <= 2 AS some
ON PARTIAL some THEN SET adapter.caps.max_results = 1000
FIND paths WHERE start.id = "Dana Weiss" AND end.entity_type = "PERSON" AND length <= 2 AS all
-- The same neighbourhood, without paths.
FIND nodes WHERE id = "Dana Weiss" AS dana
WALK FROM dana FOLLOW WROTE DEPTH 2 AS near`,
};

const processExample: Example = {
  id: "process",
  title: "A model reads and cites",
  note: "PROCESS sends every row to a model. Each finding cites its rows.",
  plan: `# What does each paper show, in a word?
DECLARE topics AS LIST WITH_DESCRIPTION "A word for each paper, with its source"
FIND nodes WHERE entity_type = "PAPER" AS papers
-- A model reads every row. Its citations are checked.
PROCESS papers USING "Name what each paper is about in one word, and how it knows" AS read
UPDATE topics WITH read
COUNT read BY method AS methods
RANK methods BY count AS common
-- A sample of the state goes to the model, never all of it.
ANALYZE topics USING "What do these papers rely on?" AS verdict
COMPLETE: Evidence lists each finding with its sentence`,
  script: { process: coastTopics.process, analyze: coastTopics.analyze },
};

const guardsExample: Example = {
  id: "guards",
  title: "Guards and branches",
  note: "A plan with error handling: ASSERT fails, TRY catches, ON and BRANCH choose.",
  plan: `# Who could review a paper on kelp?
DECLARE reviewers AS LIST
DECLARE doubts AS COUNTER
FIND nodes WHERE entity_type = "REVIEWER" AS reviewers_known
ON EMPTY reviewers_known THEN FIND nodes WHERE entity_type = "PERSON" AND since < 2015 AS reviewers_known
TRY
-- It does not hold, and CATCH takes over.
ASSERT LEN \${reviewers_known} > 20
UPDATE reviewers WITH reviewers_known
CATCH ANY
SHOW error
-- A counter takes a number.
COUNT reviewers_known AS seen
UPDATE doubts WITH seen
SELECT reviewers_known FIELDS id, institution, since WHERE since <= 2011 AS senior
UPDATE reviewers WITH senior
FINALLY
-- FINALLY always runs.
COUNT reviewers BY institution AS spread
END
-- Enough of them: the first way. Otherwise the other.
BRANCH IF LEN \${reviewers} > 2 THEN RANK reviewers BY since ASC LIMIT 2 AS chosen ELSE SHOW doubts
AGGREGATE reviewers BY institution WITH min OF since AS oldest
COMPLETE: The two who have been there longest are in chosen`,
};

/** Examples in the order of the menu. The first one plays when the workbench opens. */
export const examples: readonly [Example, ...Example[]] = [
  coauthorsExample,
  mistakesExample,
  pathsExample,
  processExample,
  guardsExample,
];
