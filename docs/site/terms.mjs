// What the search compares in place of words. The index is made with it, and it goes into the script that loads the index, so it
// uses nothing from outside itself.

/** A word without its ending: "streams", "streamed" and "streaming" are one. Short words and codes stay. */
export function termOf(word) {
  const term = word.toLowerCase();
  if (term.length < 5 || /\d/.test(term)) return term;
  return term.replace(/(?<=...)(?:at(?:e[ds]?|ing|ions?)|ings?|ed|es|s|e)$/, "");
}

/** The first letters of a heading that may be known by them: "CSP" of "Content Security Policy". */
export function initialsOf(title) {
  const words = title.match(/[\p{L}\d]+/gu) ?? [];
  return words.length < 2 || words.length > 5 ? "" : words.map(([first]) => first).join("");
}
