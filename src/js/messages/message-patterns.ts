/**
 * Start of a message. At the start of a line inside another message, it shows that the other one is
 * unfinished.
 */
export const MESSAGE_START =
  /^\{\s*(?:"version"\s*:\s*"[^"]*"\s*,\s*)?"(?:createSurface|updateComponents|updateDataModel|deleteSurface|beginRendering|surfaceUpdate|dataModelUpdate)"\s*:/;

/**
 * Start of bracketed text that is not a message: `{name}`, `{{name}}`, `{ return }`. A message
 * continues with a key, quoted or not.
 */
export const BRACKETED_TEXT = /^\{\s*(?:[^\s"'“‘\w}]|\w+(?:\s+[^\s:]|[^\s\w:]))/;

/** Start that may become either. */
export const UNDECIDED_START = /^\{\s*\w*\s*$/;

/** Start of an object that is not a message. */
export const OTHER_OBJECT_START = /^\{\s*(?:[^"\s]|"(?!version")[^"]*"\s*:)/;

/**
 * Start of a component. Inside another component, at the start of a line or in place of a key, it
 * shows that the other one is unfinished.
 */
export const COMPONENT_START = /^\{\s*"id"\s*:\s*"[^"]*"\s*,\s*"component"\s*:/;

/** Start that may become a component and cannot be another JSON value. */
export const UNDECIDED_COMPONENT_START = /^\{\s*"(?:i|$)/;

/** Maximum number of characters that decide what begins. */
export const MAX_LOOKAHEAD = 96;
