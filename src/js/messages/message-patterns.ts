/**
 * How a message begins. Where a line begins so inside of another message, that one was never finished; in a list of messages such a line
 * is set in like the others.
 */
export const MESSAGE_START =
  /^\{\s*(?:"version"\s*:\s*"[^"]*"\s*,\s*)?"(?:createSurface|updateComponents|updateDataModel|deleteSurface)"\s*:/;

/** How what is in brackets among words begins: `{name}`, `{{name}}`, `{ return }`. A message has a key there, with quotes or without. */
export const BRACKETED_TEXT = /^\{\s*(?:[^\s"'“‘\w}]|\w+(?:\s+[^\s:]|[^\s\w:]))/;

/** What is either, as far as it has come. */
export const UNDECIDED_START = /^\{\s*\w*\s*$/;

/** How an object begins that is no message. */
export const OTHER_OBJECT_START = /^\{\s*(?:[^"\s]|"(?!version")[^"]*"\s*:)/;

/** How a component begins. Where a line begins so inside of another component of a list, or a key is due there, that one was never finished. */
export const COMPONENT_START = /^\{\s*"id"\s*:\s*"[^"]*"\s*,\s*"component"\s*:/;

/** What may become one when more has come, so far as no value of JSON is like it. */
export const UNDECIDED_COMPONENT_START = /^\{\s*"(?:i|$)/;

/** So much of a text tells how it begins. */
export const MAX_LOOKAHEAD = 96;
