/** Returns a JavaScript string literal: quoted if the text is one line, else a template literal. */
export function javascriptLiteral(text: string): string {
  if (!text.includes("\n")) return JSON.stringify(text);
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${");
  return `\`${escaped}\``;
}
