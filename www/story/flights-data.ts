import type { Json } from "byname";

type Row = { [field: string]: Json };

/** NASA histories; each fact of the graph cites one. */
const programSources = {
  Mercury: "NASA SP-4201, This New Ocean",
  Gemini: "NASA SP-4203, On the Shoulders of Titans",
  Apollo: "NASA SP-2000-4029, Apollo by the Numbers",
  Skylab: "NASA SP-4208, Living and Working in Space",
  "Apollo–Soyuz": "NASA SP-4209, The Partnership",
} as const;

type Program = keyof typeof programSources;
type Crew = readonly (readonly [name: string, role: string])[];
type Mission = readonly [
  name: string,
  program: Program,
  launched: string,
  hours: number,
  reached: string,
  rocket: string,
  ship: string,
  crew: Crew,
];

const crewOfOne = (name: string): Crew => [[name, "pilot"]];
const crewOfTwo = (commander: string, pilot: string): Crew => [
  [commander, "command pilot"],
  [pilot, "pilot"],
];
const apolloCrew = (commander: string, module: string, lander: string): Crew => [
  [commander, "commander"],
  [module, "command module pilot"],
  [lander, "lunar module pilot"],
];
const skylabCrew = (commander: string, scientist: string, pilot: string): Crew => [
  [commander, "commander"],
  [scientist, "science pilot"],
  [pilot, "pilot"],
];

const MERCURY_REDSTONE = "Mercury-Redstone";
const [atlas, titan, saturnB, saturn] = ["Atlas D", "Titan II", "Saturn IB", "Saturn V"] as const;
const EARTH_ORBIT = "Earth orbit";
const AROUND_MOON = "around the Moon";
const ON_MOON = "the Moon";

/** Every American crewed capsule flight, 1961 to 1975. Hours from launch to splashdown. */
// biome-ignore format: a table is read by its columns
const MISSIONS: readonly Mission[] = [
  ["Freedom 7", "Mercury", "1961-05-05", 0.3, "space, and back", MERCURY_REDSTONE, "USS Lake Champlain", crewOfOne("Alan Shepard")],
  ["Liberty Bell 7", "Mercury", "1961-07-21", 0.3, "space, and back", MERCURY_REDSTONE, "USS Randolph", crewOfOne("Gus Grissom")],
  ["Friendship 7", "Mercury", "1962-02-20", 4.9, EARTH_ORBIT, atlas, "USS Noa", crewOfOne("John Glenn")],
  ["Aurora 7", "Mercury", "1962-05-24", 4.9, EARTH_ORBIT, atlas, "USS Intrepid", crewOfOne("Scott Carpenter")],
  ["Sigma 7", "Mercury", "1962-10-03", 9.2, EARTH_ORBIT, atlas, "USS Kearsarge", crewOfOne("Wally Schirra")],
  ["Faith 7", "Mercury", "1963-05-15", 34.3, EARTH_ORBIT, atlas, "USS Kearsarge", crewOfOne("Gordon Cooper")],
  ["Gemini 3", "Gemini", "1965-03-23", 4.9, EARTH_ORBIT, titan, "USS Intrepid", crewOfTwo("Gus Grissom", "John Young")],
  ["Gemini 4", "Gemini", "1965-06-03", 97.9, EARTH_ORBIT, titan, "USS Wasp", crewOfTwo("James McDivitt", "Ed White")],
  ["Gemini 5", "Gemini", "1965-08-21", 190.9, EARTH_ORBIT, titan, "USS Lake Champlain", crewOfTwo("Gordon Cooper", "Pete Conrad")],
  ["Gemini 7", "Gemini", "1965-12-04", 330.6, EARTH_ORBIT, titan, "USS Wasp", crewOfTwo("Frank Borman", "Jim Lovell")],
  ["Gemini 6A", "Gemini", "1965-12-15", 25.9, EARTH_ORBIT, titan, "USS Wasp", crewOfTwo("Wally Schirra", "Tom Stafford")],
  ["Gemini 8", "Gemini", "1966-03-16", 10.7, EARTH_ORBIT, titan, "USS Leonard F. Mason", crewOfTwo("Neil Armstrong", "David Scott")],
  ["Gemini 9A", "Gemini", "1966-06-03", 72.3, EARTH_ORBIT, titan, "USS Wasp", crewOfTwo("Tom Stafford", "Gene Cernan")],
  ["Gemini 10", "Gemini", "1966-07-18", 70.8, EARTH_ORBIT, titan, "USS Guadalcanal", crewOfTwo("John Young", "Michael Collins")],
  ["Gemini 11", "Gemini", "1966-09-12", 71.3, EARTH_ORBIT, titan, "USS Guam", crewOfTwo("Pete Conrad", "Dick Gordon")],
  ["Gemini 12", "Gemini", "1966-11-11", 94.6, EARTH_ORBIT, titan, "USS Wasp", crewOfTwo("Jim Lovell", "Buzz Aldrin")],
  ["Apollo 7", "Apollo", "1968-10-11", 260.2, EARTH_ORBIT, saturnB, "USS Essex", apolloCrew("Wally Schirra", "Donn Eisele", "Walt Cunningham")],
  ["Apollo 8", "Apollo", "1968-12-21", 147, AROUND_MOON, saturn, "USS Yorktown", apolloCrew("Frank Borman", "Jim Lovell", "Bill Anders")],
  ["Apollo 9", "Apollo", "1969-03-03", 241, EARTH_ORBIT, saturn, "USS Guadalcanal", apolloCrew("James McDivitt", "David Scott", "Rusty Schweickart")],
  ["Apollo 10", "Apollo", "1969-05-18", 192.1, AROUND_MOON, saturn, "USS Princeton", apolloCrew("Tom Stafford", "John Young", "Gene Cernan")],
  ["Apollo 11", "Apollo", "1969-07-16", 195.3, ON_MOON, saturn, "USS Hornet", apolloCrew("Neil Armstrong", "Michael Collins", "Buzz Aldrin")],
  ["Apollo 12", "Apollo", "1969-11-14", 244.6, ON_MOON, saturn, "USS Hornet", apolloCrew("Pete Conrad", "Dick Gordon", "Alan Bean")],
  ["Apollo 13", "Apollo", "1970-04-11", 142.9, AROUND_MOON, saturn, "USS Iwo Jima", apolloCrew("Jim Lovell", "Jack Swigert", "Fred Haise")],
  ["Apollo 14", "Apollo", "1971-01-31", 216, ON_MOON, saturn, "USS New Orleans", apolloCrew("Alan Shepard", "Stuart Roosa", "Edgar Mitchell")],
  ["Apollo 15", "Apollo", "1971-07-26", 295.2, ON_MOON, saturn, "USS Okinawa", apolloCrew("David Scott", "Al Worden", "Jim Irwin")],
  ["Apollo 16", "Apollo", "1972-04-16", 265.9, ON_MOON, saturn, "USS Ticonderoga", apolloCrew("John Young", "Ken Mattingly", "Charlie Duke")],
  ["Apollo 17", "Apollo", "1972-12-07", 301.9, ON_MOON, saturn, "USS Ticonderoga", apolloCrew("Gene Cernan", "Ron Evans", "Harrison Schmitt")],
  ["Skylab 2", "Skylab", "1973-05-25", 672.8, EARTH_ORBIT, saturnB, "USS Ticonderoga", skylabCrew("Pete Conrad", "Joe Kerwin", "Paul Weitz")],
  ["Skylab 3", "Skylab", "1973-07-28", 1427.2, EARTH_ORBIT, saturnB, "USS New Orleans", skylabCrew("Alan Bean", "Owen Garriott", "Jack Lousma")],
  ["Skylab 4", "Skylab", "1973-11-16", 2017.3, EARTH_ORBIT, saturnB, "USS New Orleans", skylabCrew("Gerald Carr", "Ed Gibson", "Bill Pogue")],
  ["Apollo–Soyuz", "Apollo–Soyuz", "1975-07-15", 217.5, EARTH_ORBIT, saturnB, "USS New Orleans", [["Tom Stafford", "commander"], ["Vance Brand", "command module pilot"], ["Deke Slayton", "docking module pilot"]]],
];

/** Moon landings: hours on the surface per person, and kilograms of rock returned. */
const LANDINGS: readonly (readonly [mission: string, site: string, hours: number, kg: number])[] = [
  ["Apollo 11", "Sea of Tranquility", 2.5, 21.6],
  ["Apollo 12", "Ocean of Storms", 7.8, 34.4],
  ["Apollo 14", "Fra Mauro", 9.4, 42.3],
  ["Apollo 15", "Hadley Rille", 18.6, 77.3],
  ["Apollo 16", "Descartes Highlands", 20.2, 95.7],
  ["Apollo 17", "Taurus–Littrow", 22.1, 110.5],
];

// biome-ignore format: pairs
const BIRTH_YEARS: readonly (readonly [name: string, year: number])[] = [
  ["Alan Shepard", 1923], ["Gus Grissom", 1926], ["John Glenn", 1921], ["Scott Carpenter", 1925], ["Wally Schirra", 1923],
  ["Gordon Cooper", 1927], ["Deke Slayton", 1924], ["John Young", 1930], ["James McDivitt", 1929], ["Ed White", 1930],
  ["Pete Conrad", 1930], ["Frank Borman", 1928], ["Jim Lovell", 1928], ["Tom Stafford", 1930], ["Neil Armstrong", 1930],
  ["David Scott", 1932], ["Gene Cernan", 1934], ["Michael Collins", 1930], ["Dick Gordon", 1929], ["Buzz Aldrin", 1930],
  ["Donn Eisele", 1930], ["Walt Cunningham", 1932], ["Bill Anders", 1933], ["Rusty Schweickart", 1935], ["Alan Bean", 1932],
  ["Jack Swigert", 1931], ["Fred Haise", 1933], ["Stuart Roosa", 1933], ["Edgar Mitchell", 1930], ["Al Worden", 1932],
  ["Jim Irwin", 1930], ["Ken Mattingly", 1936], ["Charlie Duke", 1935], ["Ron Evans", 1933], ["Harrison Schmitt", 1935],
  ["Joe Kerwin", 1932], ["Paul Weitz", 1932], ["Owen Garriott", 1930], ["Jack Lousma", 1936], ["Gerald Carr", 1932],
  ["Ed Gibson", 1936], ["Bill Pogue", 1930], ["Vance Brand", 1931],
];

export const flightsTitle = "From Mercury to Apollo–Soyuz";

/** Returns the graph as node-link JSON; each edge has a description and its source. */
export function flightsGraph(): Json {
  const source = ([name, program]: Mission): string => `${programSources[program]} (${name})`;
  const of = (name: string): Mission => MISSIONS.find(([one]) => one === name) as Mission;
  const distinct = (at: 5 | 6): string[] => [...new Set(MISSIONS.map((mission) => mission[at]))];
  const nodes: Row[] = [
    ...BIRTH_YEARS.map(([id, born]): Row => ({ id, kind: "PERSON", born })),
    ...MISSIONS.map((mission): Row => {
      const [id, program, launched, hours, reached] = mission;
      const kg = LANDINGS.find(([one]) => one === id)?.[3];
      const rock: Row = kg === undefined ? {} : { rock_kg: kg };
      const words = kg === undefined ? "" : ` It brought home ${kg} kg of the Moon.`;
      const description = `${id} was launched on ${launched}, reached ${reached} and took ${hours} hours.${words}`;
      const facts = { program, launched, hours, reached, ...rock };
      return { id, kind: "MISSION", ...facts, source_id: source(mission), description };
    }),
    ...LANDINGS.map(([, id]): Row => ({ id, kind: "SITE" })),
    ...distinct(5).map((id): Row => ({ id, kind: "ROCKET" })),
    ...distinct(6).map((id): Row => ({ id, kind: "SHIP" })),
  ];
  const links: Row[] = [
    ...MISSIONS.flatMap((mission) => {
      const [name, , launched, hours, , , , crew] = mission;
      return crew.map(([person, role]): Row => {
        const description = `${person} flew on ${name} as ${role}: launched on ${launched}, ${hours} hours.`;
        const facts = { role, hours, source_id: source(mission), description };
        return { source: person, target: name, type: "FLEW_ON", ...facts };
      });
    }),
    ...LANDINGS.flatMap(([mission, site, hours]) => {
      const flown = of(mission);
      // The command module pilot stays in orbit.
      const walkers = flown[7].filter(([, role]) => role !== "command module pilot");
      return walkers.map(([person]): Row => {
        const description = `${person} was outside for ${hours} hours at ${site}, with ${mission}.`;
        const facts = { mission, hours, source_id: source(flown), description };
        return { source: person, target: site, type: "WALKED_AT", ...facts };
      });
    }),
    ...LANDINGS.map(([mission, site]): Row => {
      const description = `${mission} landed at ${site}.`;
      const facts = { source_id: source(of(mission)), description };
      return { source: mission, target: site, type: "LANDED_AT", ...facts };
    }),
    ...MISSIONS.flatMap((mission): Row[] => {
      const [name, , , , , rocket, ship] = mission;
      const facts = (description: string) => ({ source_id: source(mission), description });
      return [
        {
          source: name,
          target: rocket,
          type: "LAUNCHED_BY",
          ...facts(`${name} rose on a ${rocket}.`),
        },
        {
          source: name,
          target: ship,
          type: "RECOVERED_BY",
          ...facts(`${ship} picked up the crew of ${name}.`),
        },
      ];
    }),
  ];
  return { directed: true, multigraph: true, nodes, links };
}
