// Compares the answer of a model with the true one.

/** Relative difference up to which two numbers are equal, because models round. */
const TOLERANCE = 0.005;

/** Returns whether an answer is right. `ids` are all node ids of the graph. */
export function isRight({ question, answer: kind, truth }, answer, ids) {
  if (answer === null) return false;
  if (kind === "number") return hasNumber(answer, question, truth, ids);
  const inQuestion = new Set(namesIn(question, ids));
  const names = namesIn(answer, new Set([...ids, ...truth]));
  const found = [...new Set(names)].filter((name) => truth.includes(name) || !inQuestion.has(name));
  if (kind === "ranking") return JSON.stringify(found) === JSON.stringify(truth);
  return JSON.stringify(found.sort()) === JSON.stringify([...new Set(truth)].sort());
}

/** Returns the names that a text contains, in its order. A name inside of a longer one does not count. */
function namesIn(text, names) {
  return splitNames(text, names).found;
}

/** Returns the names in a text, and the text without them. */
function splitNames(text, names) {
  const found = [];
  let rest = text;
  for (const name of [...names].sort((a, b) => b.length - a.length)) {
    const escaped = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "gu");
    rest = rest.replaceAll(pattern, (match, offset) => {
      found.push([offset, name]);
      return "\0".repeat(match.length);
    });
  }
  return { found: found.sort(([a], [b]) => a - b).map(([, name]) => name), rest };
}

/** Returns whether the number is the only one of the answer that neither a name nor the question contains. */
function hasNumber(answer, question, truth, ids) {
  const names = ids.filter((id) => /\p{L}/u.test(id));
  const numbersIn = (text) => {
    const numbers = splitNames(text, names).rest.match(/-?\d[\d,]*(?:\.\d+)?/g) ?? [];
    return numbers.map((number) => Number(number.replaceAll(",", "")));
  };
  const isTrue = (number) => Math.abs(number - truth) <= Math.abs(truth) * TOLERANCE;
  const asked = numbersIn(question);
  const found = numbersIn(answer).filter((number) => isTrue(number) || !asked.includes(number));
  return found.length > 0 && found.every(isTrue);
}
