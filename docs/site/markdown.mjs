// Markdown into the HTML of a page, its headings and what the search finds in it.
import MarkdownIt from "markdown-it";
import { createHighlighter } from "shiki";

const languages = [
  ...["javascript", "jsx", "typescript", "tsx", "css", "html", "json", "shellscript", "rust"],
  ...["vue", "svelte", "toml"],
];
const themes = { light: "github-light-high-contrast", dark: "github-dark-high-contrast" };

/** The name that GitHub gives to a heading, which links in the documents use. */
export function slug(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** Renders documents; `link(href, source)` says where a link leads on the site: `{ href, label }`. */
export async function renderer(link) {
  const highlighter = await createHighlighter({ langs: languages, themes: Object.values(themes) });
  const known = new Set(highlighter.getLoadedLanguages());

  /** Coloured code; the colours follow the scheme of the page. `decorations` are those of Shiki. */
  const code = (text, language, decorations = []) =>
    highlighter.codeToHtml(text.trimEnd(), {
      lang: known.has(language) ? language : "text",
      themes,
      defaultColor: "light-dark()",
      decorations,
      transformers: [{ pre: focusable }],
    });

  const markdown = new MarkdownIt({ html: true });
  markdown.renderer.rules.fence = (tokens, at) => {
    const [language = "text"] = tokens[at].info.trim().split(/\s+/);
    return code(tokens[at].content, language);
  };
  const text = markdown.renderer.rules.text;
  markdown.renderer.rules.text = (tokens, at) =>
    tokens[at - 1]?.type === "link_open" ? text(tokens, at) : linkCodes(text(tokens, at));
  markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>';
  markdown.renderer.rules.table_close = () => "</table></div>";

  const render = (text, source) => {
    const tokens = markdown.parse(text, {});
    const headings = named(tokens);
    redirect(tokens, (href) => link(href, source));
    const html = markdown.renderer.render(tokens, markdown.options, {});
    return { html, headings, sections: sections(tokens) };
  };
  return { render, code };
}

function focusable(node) {
  node.properties.tabindex = "0";
  if (this.options.lang === "text") this.addClassToHast(node, "said");
}

/** The codes of diagnostics lead to what is said of them. */
function linkCodes(html) {
  return html.replaceAll(
    /\b(JSON|HAM|GASL|TPL|FLOW)\d{3}\b/g,
    (code) => `<a class="ref" href="diagnostic-codes.html#${code.toLowerCase()}">${code}</a>`,
  );
}

/** Gives each heading its id, and lists them. */
function named(tokens) {
  const used = new Map();
  const headings = [];
  tokens.forEach((token, at) => {
    if (token.type !== "heading_open") return;
    const title = plain(tokens[at + 1]);
    const base = slug(title);
    const count = used.get(base) ?? 0;
    used.set(base, count + 1);
    const id = count === 0 ? base : `${base}-${count}`;
    token.attrSet("id", id);
    headings.push({ level: Number(token.tag.slice(1)), id, title });
  });
  return headings;
}

function redirect(tokens, link) {
  for (const [at, token] of tokens.entries()) {
    if (token.children) redirect(token.children, link);
    if (token.type === "image") token.attrSet("src", link(token.attrGet("src")).href);
    if (token.type === "link_open") {
      const { href, label } = link(token.attrGet("href"));
      token.attrSet("href", href);
      // A link that is named after its file is named after its page here.
      if (label && tokens[at + 1].content.endsWith(".md")) tokens[at + 1].content = label;
    }
    // Pictures in HTML, such as one that follows the scheme.
    if (token.type === "html_inline" || token.type === "html_block") {
      token.content = token.content.replace(
        /\b(src|srcset|href)="([^"]+)"/g,
        (_, attribute, target) => `${attribute}="${link(target).href}"`,
      );
    }
  }
}

/** What stands below each heading, as plain text. */
function sections(tokens) {
  const found = [{ id: "", title: "", text: [] }];
  tokens.forEach((token, at) => {
    if (token.type === "heading_open") {
      found.push({ id: token.attrGet("id"), title: plain(tokens[at + 1]), text: [] });
    } else if (token.type === "fence" || token.type === "code_block") {
      found.at(-1).text.push(token.content);
    } else if (token.type === "inline" && tokens[at - 1]?.type !== "heading_open") {
      found.at(-1).text.push(plain(token));
    }
  });
  return found.map(({ text, ...rest }) => ({ ...rest, text: text.join("\n") }));
}

function plain(inline) {
  return (inline.children ?? [])
    .filter(({ type }) => ["text", "code_inline", "softbreak", "image"].includes(type))
    .map(({ type, content }) => (type === "softbreak" ? " " : content))
    .join("");
}
