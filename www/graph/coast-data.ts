import type { Json } from "byname";

/**
 * Invented research community on a coast. Sources and descriptions use the field names of GraphRAG,
 * so that findings have evidence.
 */

type Row = { [name: string]: Json };

const PEOPLE: [name: string, institution: string, since: number, words: string][] = [
  ["Ada Lind", "Norrhaven University", 2009, "Ada Lind leads the tide group at Norrhaven."],
  ["Bo Tran", "Norrhaven University", 2015, "Bo Tran builds the gauges that Norrhaven reads."],
  ["Chi Okafor", "Norrhaven University", 2018, "Chi Okafor counts kelp for Norrhaven."],
  ["Dana Weiss", "Norrhaven University", 2020, "Dana Weiss joined Norrhaven as a student."],
  ["Emil Sato", "Tidewater Institute", 2007, "Emil Sato runs the flume at Tidewater."],
  ["Fay Moreau", "Tidewater Institute", 2012, "Fay Moreau models storms at Tidewater."],
  ["Gus Alder", "Tidewater Institute", 2019, "Gus Alder draws Tidewater's flood maps."],
  ["Hana Novak", "Meridian Lab", 2011, "Hana Novak reads sediment cores at Meridian."],
  ["Ivo Petrov", "Meridian Lab", 2016, "Ivo Petrov dates shells at Meridian."],
  ["Jun Park", "Meridian Lab", 2021, "Jun Park writes software at Meridian."],
  ["Kaia Berg", "Kestrel Station", 2010, "Kaia Berg keeps Kestrel Station running all winter."],
  ["Leo Duarte", "Kestrel Station", 2017, "Leo Duarte dives for Kestrel."],
  ["Mina Haddad", "Kestrel Station", 2022, "Mina Haddad flies the drones of Kestrel."],
  ["Nils Aker", "Stone Bridge Museum", 2013, "Nils Aker keeps the old charts at Stone Bridge."],
  ["Oda Ruiz", "Stone Bridge Museum", 2023, "Oda Ruiz works alone on an inventory."],
];

type Paper = [
  title: string,
  year: number,
  citations: number,
  topic: string,
  authors: string[],
  words: string,
];
// biome-ignore format: a table is read by its columns
const PAPERS: Paper[] = [
  ["Tides by the minute", 2016, 41, "Tides", ["Ada Lind", "Bo Tran"], "Cheap gauges read the tide once a minute and agree with the old ones."],
  ["A flume for a fjord", 2014, 58, "Tides", ["Emil Sato", "Ada Lind"], "A model basin repeats the tide of a whole fjord."],
  ["Storms that come twice", 2018, 73, "Floods", ["Fay Moreau", "Emil Sato"], "Two storms in a week flood more than one that is twice as strong."],
  ["Maps of wet cellars", 2021, 12, "Floods", ["Gus Alder", "Fay Moreau", "Bo Tran"], "Flood maps drawn from what cellars remember."],
  ["Kelp after the storm", 2020, 29, "Kelp", ["Chi Okafor", "Leo Duarte"], "Kelp forests came back two summers after the storm."],
  ["Counting kelp from the air", 2023, 8, "Kelp", ["Mina Haddad", "Chi Okafor", "Jun Park"], "Drones count kelp as well as divers do, in an hour."],
  ["Divers and their logs", 2019, 17, "Kelp", ["Leo Duarte", "Kaia Berg"], "Forty years of diving logs tell how deep the kelp once grew."],
  ["Mud keeps time", 2013, 66, "Sediment", ["Hana Novak", "Ivo Petrov"], "Layers of mud date the floods of nine centuries."],
  ["Shells out of order", 2017, 21, "Sediment", ["Ivo Petrov"], "Some shells are older than the mud that they lie in."],
  ["Old charts, new coast", 2015, 34, "Sediment", ["Nils Aker", "Hana Novak"], "Charts of 1790 and cores of today agree on where the shore was."],
  ["One format for gauges", 2022, 19, "Tides", ["Jun Park", "Bo Tran"], "A file format that all gauges of the coast now write."],
  ["Winter at Kestrel", 2012, 25, "Floods", ["Kaia Berg", "Ada Lind"], "Ice on the station's gauge explains the missing floods of 2011."],
  ["The flood of 1825", 2024, 3, "Floods", ["Dana Weiss", "Nils Aker", "Hana Novak"], "Charts and mud together show how far the flood of 1825 went."],
];

const CITATIONS: [string, string][] = [
  ["Maps of wet cellars", "Storms that come twice"],
  ["One format for gauges", "Tides by the minute"],
  ["Counting kelp from the air", "Kelp after the storm"],
  ["Kelp after the storm", "Divers and their logs"],
  ["Kelp after the storm", "Storms that come twice"],
  ["The flood of 1825", "Mud keeps time"],
  ["The flood of 1825", "Old charts, new coast"],
  ["Shells out of order", "Mud keeps time"],
  ["Tides by the minute", "A flume for a fjord"],
];

/** Parallel edges: the same fact from a second source. */
const SECOND_SOURCES: [string, string, string][] = [
  ["Ada Lind", "A flume for a fjord", "Ada Lind signed the drawings of the flume."],
];

const PLACES: [string, string][] = [
  ["Norrhaven University", "A university at the mouth of the fjord."],
  ["Tidewater Institute", "An institute with the longest flume of the coast."],
  ["Meridian Lab", "A laboratory for cores and shells."],
  ["Kestrel Station", "A station on an island, staffed all winter."],
  ["Stone Bridge Museum", "A museum with four hundred charts."],
];

const TOPICS: [string, string][] = [
  ["Tides", "How the water rises and falls."],
  ["Floods", "When it rises too far."],
  ["Kelp", "The forests below."],
  ["Sediment", "Material that the water deposits."],
];

export const coastTitle = "The coast, invented";

/** Returns the graph as node-link JSON. */
export function coastGraph(): Json {
  const node = (id: string, entity_type: string, rest: Row): Row => ({ id, entity_type, ...rest });
  const edge = (source: string, type: string, target: string, rest: Row = {}): Row => ({
    source,
    target,
    type,
    ...rest,
  });
  const nodes = [
    ...PEOPLE.map(([id, institution, since, description], index) =>
      node(id, "PERSON", { institution, since, source_id: `staff-list-${index + 1}`, description }),
    ),
    ...PAPERS.map(([id, year, citations, , , description], index) =>
      node(id, "PAPER", { year, citations, source_id: `abstract-${index + 1}`, description }),
    ),
    ...PLACES.map(([id, description], index) =>
      node(id, "INSTITUTION", { source_id: `register-${index + 1}`, description }),
    ),
    ...TOPICS.map(([id, description]) => node(id, "TOPIC", { description })),
  ];
  const links = [
    ...PAPERS.flatMap(([paper, year, , , authors], index) =>
      authors.map((person) =>
        edge(person, "WROTE", paper, {
          source_id: `abstract-${index + 1}`,
          description: `${person} is an author of “${paper}” (${year}).`,
        }),
      ),
    ),
    ...SECOND_SOURCES.map(([person, paper, description], index) =>
      edge(person, "WROTE", paper, { source_id: `letter-${index + 1}`, description }),
    ),
    // Oda Ruiz is an isolated node.
    ...PEOPLE.filter(([name]) => name !== "Oda Ruiz").map(([name, institution], index) =>
      edge(name, "WORKS_AT", institution, { source_id: `staff-list-${index + 1}` }),
    ),
    ...PAPERS.map(([paper, , , topic]) => edge(paper, "ABOUT", topic)),
    ...CITATIONS.map(([from, to]) => edge(from, "CITES", to)),
  ];
  return { directed: true, multigraph: true, nodes, links };
}
