// Recorded replies: written in Express and converted for new interfaces, and written in each format for edits.

/** Returns a callback with the recorded replies of a task: a wrong one if the task has it, then the right one. */
export function recordedReplies(task, format, modules) {
  const right = task.replies?.[format] ?? converted(task.express, format, modules);
  const wrong = task.wrong?.[format] ?? (task.slip && right.replaceAll(...task.slip));
  const replies = [...(wrong === undefined ? [] : [wrong]), right];
  return () => {
    const reply = replies.shift();
    if (reply === undefined) throw new Error("the recorded replies are used up");
    return reply;
  };
}

/** Returns the statements of a surface in a format. */
function converted(statements, format, { a2ui: { FromA2ui }, express, taskCatalog: catalog }) {
  const text = `<a2ui>\nsurface("main")\n${statements}\n</a2ui>`;
  if (format === "express") return text;
  const { messages } = express.compileExpress(text, { catalog });
  const translator = new FromA2ui();
  const all =
    format === "a2ui"
      ? messages
      : messages.flatMap((message) => translator.translate(message).messages);
  return all.map((message) => JSON.stringify(message)).join("\n");
}
