/** Longer patterns are not read. */
const longest = 1000;

/** The ways through a part of a pattern, and the steps that it takes to try them all. */
interface Work {
  readonly ways: number;
  readonly steps: number;
}

const ESCAPE = /\\(?:[pPu]\{[^}]*\}|k<[^>]*>|.)/suy;
const CLASS = /\[(?:[^\]\\]|\\.)*\]/suy;
const GROUP = /\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?/y;
const TIMES = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;

/**
 * The most steps that a regular expression can take on a text of some length: each repetition can end after each character, each
 * alternative can be the one, and all that follows is tried for each. More than there are, never fewer.
 */
export function mostSteps(pattern: string, length: number): number {
  if (pattern.length > longest) return Number.POSITIVE_INFINITY;
  let at = 0;
  let depth = 0;
  /** Whether the whole is a choice of several. */
  let open = false;
  const match = (token: RegExp): RegExpExecArray | null => {
    token.lastIndex = at;
    const found = token.exec(pattern);
    at += found?.[0].length ?? 0;
    return found;
  };
  /** alternatives = sequence {"|" sequence} */
  const alternatives = (): Work => {
    let { ways, steps } = sequence();
    while (pattern[at] === "|") {
      open ||= depth === 0;
      at += 1;
      const other = sequence();
      ways += other.ways;
      steps += other.steps;
    }
    return { ways, steps };
  };
  /** sequence = {atom [times]} */
  const sequence = (): Work => {
    let ways = 1;
    let steps = 1;
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") {
      const next = repeated(atom());
      steps += ways * next.steps;
      ways *= next.ways;
    }
    return { ways, steps };
  };
  /** atom = escape | class | "(" alternatives ")" | character */
  const atom = (): Work => {
    const escaped = match(ESCAPE)?.[0];
    // What was matched before is compared character by character.
    if (escaped !== undefined) return { ways: 1, steps: /^\\[k1-9]/.test(escaped) ? length : 1 };
    if (match(CLASS)) return { ways: 1, steps: 1 };
    if (!match(GROUP)) {
      at += 1;
      return { ways: 1, steps: 1 };
    }
    depth += 1;
    const inner = alternatives();
    depth -= 1;
    at += 1;
    return inner;
  };
  const repeated = ({ ways, steps }: Work): Work => {
    const times = match(TIMES);
    if (times === null) return { ways, steps };
    const [sign, from, comma, to] = times;
    const min = from === undefined ? Number(sign[0] === "+") : Number(from);
    const endless = from === undefined ? sign[0] !== "?" : comma === "," && to === "";
    const max = endless ? Number.POSITIVE_INFINITY : Number(to || from || 1);
    // Once there are enough, each one takes a character.
    const end = Math.min(max, min + length);
    return { ways: ways ** min * sum(ways, end - min + 1), steps: 1 + steps * sum(ways, end) };
  };
  const { steps } = alternatives();
  // A parenthesis too many.
  if (at < pattern.length) return Number.POSITIVE_INFINITY;
  // It is tried from each character on, but fails at once where it has to be the first.
  return pattern.startsWith("^") && !open ? steps + length : steps * (length + 1);
}

/** 1 + ways + ways² + …, so many terms. */
function sum(ways: number, terms: number): number {
  return ways === 1 ? terms : (ways ** terms - 1) / (ways - 1);
}
