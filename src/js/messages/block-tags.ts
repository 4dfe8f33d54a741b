/** End of a block of messages in the text of a model, as A2UI prompts require it. */
export const BLOCK_END = "</a2ui-json>";

/** Tags around messages, which are not text for the user. */
export const BLOCK_TAGS: readonly string[] = ["<a2ui-json>", BLOCK_END];
