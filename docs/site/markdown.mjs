// Converts Markdown to the HTML of a page, its headings and its search sections.
import MarkdownIt from "markdown-it";
import { createHighlighter } from "shiki";

const languages = [
  ...["javascript", "jsx", "typescript", "tsx", "css", "html", "json", "shellscript", "rust"],
  ...["vue", "svelte", "toml"],
];
const themes = { light: "github-light-high-contrast", dark: "github-dark-high-contrast" };

/** Returns the anchor of a heading, as on GitHub. */
export function slug(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

/**
 * Returns a renderer of documents; `link(href, source)` returns the target of a link on the site:
 * `{ href, label }`.
 */
export async function renderer(link) {
  const highlighter = await createHighlighter({ langs: languages, themes: Object.values(themes) });
  const loadedLanguages = new Set(highlighter.getLoadedLanguages());

  /** Returns highlighted code for both colour schemes. `decorations` are those of Shiki. */
  const code = (text, language, decorations = []) =>
    highlighter.codeToHtml(text.trimEnd(), {
      lang: loadedLanguages.has(language) ? language : "text",
      themes,
      defaultColor: "light-dark()",
      decorations,
      transformers: [{ pre: focusable }],
    });

  const markdown = new MarkdownIt({ html: true });
  const { escapeHtml } = markdown.utils;
  markdown.renderer.rules.fence = (tokens, at) => {
    const [language = "text", file = ""] = tokens[at].info.trim().split(/\s+/);
    const name = /\.\w+$/.test(file) ? `<p class="file">${escapeHtml(file)}</p>` : "";
    return name + code(tokens[at].content, language);
  };
  const text = markdown.renderer.rules.text;
  markdown.renderer.rules.text = (tokens, at) =>
    tokens[at - 1]?.type === "link_open" ? text(tokens, at) : linkCodes(text(tokens, at));
  markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>';
  markdown.renderer.rules.table_close = () => "</table></div>";

  const render = (text, source) => {
    const tokens = markdown.parse(text, {});
    const headings = addHeadingIds(tokens);
    rewriteLinks(tokens, (href) => link(href, source));
    const html = markdown.renderer.render(tokens, markdown.options, {});
    return { html, headings, sections: sections(tokens) };
  };
  return { render, code };
}

function focusable(node) {
  node.properties.tabindex = "0";
  if (this.options.lang === "text") this.addClassToHast(node, "said");
}

/** Links diagnostic codes to their descriptions. */
function linkCodes(html) {
  return html.replaceAll(
    /\b(JSON|HAM|GASL|TPL|FLOW)\d{3}\b/g,
    (code) => `<a class="ref" href="diagnostic-codes.html#${code.toLowerCase()}">${code}</a>`,
  );
}

/** Adds an id to each heading and returns all headings. */
function addHeadingIds(tokens) {
  const used = new Map();
  const headings = [];
  tokens.forEach((token, at) => {
    if (token.type !== "heading_open") return;
    const title = plainText(tokens[at + 1]);
    const base = slug(title);
    const count = used.get(base) ?? 0;
    used.set(base, count + 1);
    const id = count === 0 ? base : `${base}-${count}`;
    token.attrSet("id", id);
    headings.push({ level: Number(token.tag.slice(1)), id, title });
  });
  return headings;
}

function rewriteLinks(tokens, link) {
  for (const [at, token] of tokens.entries()) {
    if (token.children) rewriteLinks(token.children, link);
    if (token.type === "image") token.attrSet("src", link(token.attrGet("src")).href);
    if (token.type === "link_open") {
      const { href, label } = link(token.attrGet("href"));
      token.attrSet("href", href);
      // A link with a file name as text gets the page title.
      if (label && tokens[at + 1].content.endsWith(".md")) tokens[at + 1].content = label;
    }
    // HTML pictures, for example one for each colour scheme.
    if (token.type === "html_inline" || token.type === "html_block") {
      token.content = token.content.replace(
        /\b(src|srcset|href)="([^"]+)"/g,
        (_, attribute, target) => `${attribute}="${link(target).href}"`,
      );
    }
  }
}

/** Returns the plain text of each section. */
function sections(tokens) {
  const result = [{ id: "", title: "", text: [] }];
  tokens.forEach((token, at) => {
    if (token.type === "heading_open") {
      result.push({ id: token.attrGet("id"), title: plainText(tokens[at + 1]), text: [] });
    } else if (token.type === "fence" || token.type === "code_block") {
      result.at(-1).text.push(token.content);
    } else if (token.type === "inline" && tokens[at - 1]?.type !== "heading_open") {
      result.at(-1).text.push(plainText(token));
    }
  });
  return result.map(({ text, ...rest }) => ({ ...rest, text: text.join("\n") }));
}

function plainText(inline) {
  return (inline.children ?? [])
    .filter(({ type }) => ["text", "code_inline", "softbreak", "image"].includes(type))
    .map(({ type, content }) => (type === "softbreak" ? " " : content))
    .join("");
}
