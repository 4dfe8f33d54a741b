/** Maximum length of an analysed pattern. */
const maxPatternLength = 1000;

/** Number of paths through a part of a pattern, and of steps to try them all. */
interface Cost {
  readonly paths: number;
  readonly steps: number;
}

const ESCAPE_PATTERN = /\\(?:[pPu]\{[^}]*\}|k<[^>]*>|.)/suy;
const CLASS_PATTERN = /\[(?:[^\]\\]|\\.)*\]/suy;
const GROUP_START = /\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?/y;
const QUANTIFIER_PATTERN = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;

/**
 * Returns an upper bound of the steps of a regular expression on a text, or infinity if the pattern
 * is too long or invalid. Each repetition can end after each character, each alternative can match,
 * and the rest is tried for each.
 */
export function maxRegExpSteps(pattern: string, length: number): number {
  if (pattern.length > maxPatternLength) return Number.POSITIVE_INFINITY;
  let at = 0;
  let depth = 0;
  /** Whether the pattern has alternatives outside of groups. */
  let hasTopLevelChoice = false;
  const match = (token: RegExp): RegExpExecArray | null => {
    token.lastIndex = at;
    const result = token.exec(pattern);
    at += result?.[0].length ?? 0;
    return result;
  };
  /** alternatives = sequence {"|" sequence} */
  const alternatives = (): Cost => {
    let { paths, steps } = sequence();
    while (pattern[at] === "|") {
      hasTopLevelChoice ||= depth === 0;
      at += 1;
      const other = sequence();
      paths += other.paths;
      steps += other.steps;
    }
    return { paths, steps };
  };
  /** sequence = {atom [quantifier]} */
  const sequence = (): Cost => {
    let paths = 1;
    let steps = 1;
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") {
      const next = quantified(atom());
      steps += paths * next.steps;
      paths *= next.paths;
    }
    return { paths, steps };
  };
  /** atom = escape | class | "(" alternatives ")" | character */
  const atom = (): Cost => {
    const escaped = match(ESCAPE_PATTERN)?.[0];
    // A back reference compares character by character.
    if (escaped !== undefined) return { paths: 1, steps: /^\\[k1-9]/.test(escaped) ? length : 1 };
    if (match(CLASS_PATTERN)) return { paths: 1, steps: 1 };
    if (!match(GROUP_START)) {
      at += 1;
      return { paths: 1, steps: 1 };
    }
    depth += 1;
    const inner = alternatives();
    depth -= 1;
    at += 1;
    return inner;
  };
  const quantified = ({ paths, steps }: Cost): Cost => {
    const quantifier = match(QUANTIFIER_PATTERN);
    if (quantifier === null) return { paths, steps };
    const [symbol, from, comma, to] = quantifier;
    const min = from === undefined ? Number(symbol[0] === "+") : Number(from);
    const isUnbounded = from === undefined ? symbol[0] !== "?" : comma === "," && to === "";
    const max = isUnbounded ? Number.POSITIVE_INFINITY : Number(to || from || 1);
    // After the minimum, each repetition consumes a character.
    const end = Math.min(max, min + length);
    return {
      paths: paths ** min * geometricSum(paths, end - min + 1),
      steps: 1 + steps * geometricSum(paths, end),
    };
  };
  const { steps } = alternatives();
  // Unbalanced parenthesis.
  if (at < pattern.length) return Number.POSITIVE_INFINITY;
  // The engine tries each start offset. An anchored pattern fails immediately at all but the first.
  return pattern.startsWith("^") && !hasTopLevelChoice ? steps + length : steps * (length + 1);
}

/** Returns 1 + paths + paths² + …, with the given number of terms. */
function geometricSum(paths: number, terms: number): number {
  return paths === 1 ? terms : (paths ** terms - 1) / (paths - 1);
}
