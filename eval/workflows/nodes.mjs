// Scripted nodes: each result states how it was made, so that a wrong connection changes the outputs of a run.

/** Implementation of each node type of the registry. */
export const nodes = {
  fetch: ({ inputs: { url } }) => ({
    outputs: { response: `page of ${url}`, status: 200 + url.length },
  }),
  read: ({ inputs: { path } }) => ({ outputs: { content: `file ${path}` } }),
  ask: ({ inputs: { prompt } }) => ({ outputs: { response: `reply to (${prompt})` } }),
  summarize: ({ inputs: { text } }) => ({ outputs: { text: `summary of (${text})` } }),
  translate: ({ inputs: { text }, params: { language } }) => ({
    outputs: { text: `${language} of (${text})` },
  }),
  merge: ({ inputs: { a, b } }) => ({ outputs: { content: `(${a}) and (${b})` } }),
  count: ({ inputs: { text } }) => ({ outputs: { count: text.split(" ").length } }),
};
