/** A text as JavaScript: in one line with quotation marks, in several between backticks. */
export function literal(text: string): string {
  if (!text.includes("\n")) return JSON.stringify(text);
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${");
  return `\`${escaped}\``;
}
