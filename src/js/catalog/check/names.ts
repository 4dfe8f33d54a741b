/** Names longer than this are not compared: the work grows with the square of the length. */
const LONGEST = 64;
/** At most this many names stand in one list. */
const LISTED = 12;
/** The most characters of the author's text that a message repeats. */
const QUOTED = 60;

/** The author's text in backticks and on one line, cut where it is long. */
export function quote(text: string): string {
  const cut = text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
  return `\`${cut.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ")}\``;
}

/** The names in backticks with commas between, cut where there are many. */
export function listed(names: readonly string[]): string {
  const more = names.length - LISTED;
  const shown = names.slice(0, LISTED).map(quote).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** What to write in place of a name: the nearest one, else those that there are. */
export function instead(name: string, known: readonly string[], what: string): string {
  const near = nearest(name, known);
  if (near !== undefined) return `did you mean ${quote(near)}?`;
  return known.length === 0 ? `there are no ${what}` : `the ${what} are ${listed(known)}`;
}

/** The name that was probably meant, when it is near enough to be a slip of the pen. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best = name.length <= 2 ? 1 : name.length <= 6 ? 2 : 3;
  let found: string | undefined;
  for (const one of known) {
    const far = distance(name.toLowerCase(), one.toLowerCase());
    if (far < best || (far === best && found === undefined)) [best, found] = [far, one];
  }
  return found;
}

/** How many letters have to be put in, left out or replaced (Levenshtein). */
function distance(a: string, b: string): number {
  if (Math.max(a.length, b.length) > LONGEST) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const kept = (row[j] as number) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(kept, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
