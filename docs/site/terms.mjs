// Search terms of words. Their source is copied into the search script, so these functions use no
// outer names.

/**
 * Returns a word without its ending: "streams", "streamed" and "streaming" are equal. Short words
 * and codes stay.
 */
export function termOf(word) {
  const term = word.toLowerCase();
  if (term.length < 5 || /\d/.test(term)) return term;
  return term.replace(/(?<=...)(?:at(?:e[ds]?|ing|ions?)|ings?|ed|es|s|e)$/, "");
}

/** Returns the initials of a heading, or an empty string: "CSP" for "Content Security Policy". */
export function initialsOf(title) {
  const words = title.match(/[\p{L}\d]+/gu) ?? [];
  return words.length < 2 || words.length > 5 ? "" : words.map(([first]) => first).join("");
}
