/** Maximum length of compared names, because the cost grows with the square of the length. */
const MAX_COMPARED_LENGTH = 64;
/** Maximum number of names in a list. */
const MAX_LISTED_NAMES = 12;
/** Maximum number of quoted characters of the author's text. */
const MAX_QUOTED_LENGTH = 60;

/** Returns the author's text in backticks on one line, truncated if it is long. */
export function quote(text: string): string {
  const truncated = text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
  return `\`${truncated.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ")}\``;
}

/** Returns the names in backticks, separated by commas and truncated if there are many. */
export function listNames(names: readonly string[]): string {
  const more = names.length - MAX_LISTED_NAMES;
  const shown = names.slice(0, MAX_LISTED_NAMES).map(quote).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Returns the help for an unknown name: the closest match, or the available names. */
export function suggestName(name: string, known: readonly string[], what: string): string {
  const match = closestMatch(name, known);
  if (match !== undefined) return `did you mean ${quote(match)}?`;
  return known.length === 0
    ? `remove it, because there are no ${what}`
    : `use one of the ${what} ${listNames(known)}`;
}

/** Returns the closest name by edit distance, or undefined if none is close enough to be a typo. */
export function closestMatch(name: string, known: readonly string[]): string | undefined {
  let minDistance = name.length <= 2 ? 1 : name.length <= 6 ? 2 : 3;
  let closest: string | undefined;
  for (const candidate of known) {
    if (Math.abs(name.length - candidate.length) > minDistance) continue;
    const candidateDistance = distance(name.toLowerCase(), candidate.toLowerCase());
    if (
      candidateDistance < minDistance ||
      (candidateDistance === minDistance && closest === undefined)
    )
      [minDistance, closest] = [candidateDistance, candidate];
  }
  return closest;
}

/** Returns the Levenshtein distance of two strings, or infinity if one is too long. */
function distance(a: string, b: string): number {
  if (Math.max(a.length, b.length) > MAX_COMPARED_LENGTH) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const substitution = (row[j] as number) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(substitution, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
