// Builds the documentation's site into www/public/docs, from where the playground serves it: plain
// files that work from any folder, without a server and without a network.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import MiniSearch from "minisearch";
import { UserError } from "../../scripts/run.mjs";
import { listFiles } from "../../scripts/stamp.mjs";
import { renderer } from "./markdown.mjs";
import { addressOf, groups } from "./pages.mjs";
import { namesIn, readEntries } from "./reference.mjs";
import { document, escaped } from "./template.mjs";
import { initialsOf, termOf } from "./terms.mjs";

/** Where the site is written, from the root. */
export const target = "www/public/docs";

/** The titles of all pages by their sources. */
const titles = new Map(groups.flatMap(({ pages }) => pages));

export async function buildSite(root) {
  const folder = join(root, target);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  forgetNone(root);

  const assets = new Set();
  const tools = await renderer((href, source) => follow(href, source, root, assets));
  const pages = written(root, tools);
  const reference = referencePages(root, tools);
  const menu = menuOf(pages, reference);
  const all = [...pages, ...reference];
  for (const page of all) writeFileSync(join(folder, page.address), document(page, menu));
  for (const asset of assets) copyFileSync(join(root, asset), join(folder, basename(asset)));
  for (const name of ["style.css", "page.js"]) {
    copyFileSync(join(root, "docs/site", name), join(folder, name));
  }
  const search = join(root, "node_modules/minisearch/dist/umd/index.js");
  const library = readFileSync(search, "utf8").replace(/^\/\/# sourceMappingURL.*$/m, "");
  writeFileSync(join(folder, "search.js"), `${library}\n${indexOf(all)}`);
  return all;
}

/** A document that stands in no group of the menu would be written for nobody. */
function forgetNone(root) {
  const forgotten = listFiles("docs", ".md").find((file) => !titles.has(file));
  if (forgotten) throw new UserError(`${forgotten} is in no group of docs/site/pages.mjs; add it`);
  const missing = [...titles.keys()].find((file) => !existsSync(join(root, file)));
  if (missing) throw new UserError(`docs/site/pages.mjs names ${missing}, which is not there`);
}

function written(root, { render }) {
  return groups.flatMap(({ name, pages }) =>
    pages.map(([source, title]) => {
      const { html, headings, sections } = render(readFileSync(join(root, source), "utf8"), source);
      const description = sections.find(({ text }) => text !== "")?.text.split("\n")[0] ?? title;
      return {
        address: addressOf(source),
        group: name,
        title,
        description,
        html,
        headings,
        sections,
      };
    }),
  );
}

/** Where a link leads on the site: other documents are pages, pictures are copied beside them. */
function follow(href, source, root, assets) {
  if (/^([a-z]+:|#)/i.test(href)) return { href };
  const [path, anchor] = href.split("#");
  const file = normalize(join(dirname(source), path));
  if (titles.has(file)) {
    return { href: addressOf(file) + (anchor ? `#${anchor}` : ""), label: titles.get(file) };
  }
  if (/\.(svg|png)$/.test(file) && existsSync(join(root, file))) {
    assets.add(file);
    return { href: basename(file) };
  }
  throw new UserError(`${source} links to ${href}, which is no page of the site and no picture`);
}

/** One page for each entry of the package. */
function referencePages(root, { render, code }) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entries = readEntries(manifest, root);
  return entries
    .filter(({ exports }) => exports.some(({ home }) => !home))
    .map(({ entry, exports }) => {
      const places = new Map(exports.map(({ name, home }) => [name, placeOf(name, home ?? entry)]));
      const own = exports.filter(({ home }) => !home);
      const blocks = own.map((one) => exported(one, places, { render, code }));
      const shared = exports.filter(({ home }) => home);
      const links = shared.map(({ name }) => `<a href="${places.get(name)}">${name}</a>`);
      const also =
        links.length > 0 ? `<p>Exported here too, and the same: ${links.join(", ")}.</p>` : "";
      return {
        address: pageOf(entry),
        title: entry,
        description: `Everything that ${entry} exports, with its types.`,
        html: `<h1 id="${entry}">${entry}</h1>\n<p>Everything that it exports, read from its declarations. What the types do not say stands in <a href="api.html">API</a>.</p>\n${also}\n${blocks.join("\n")}`,
        headings: own.map(({ name }) => ({ level: 2, id: name, title: name })),
        sections: own.map(({ name, comment, text }) => ({
          id: name,
          title: name,
          text: `${comment}\n${text}`,
        })),
      };
    });
}

function exported({ name, kind, comment, text }, places, { render, code }) {
  const links = namesIn(text, new Set([...places.keys()].filter((one) => one !== name)));
  const decorations = links.map(({ name: to, start, end }) => ({
    start,
    end,
    tagName: "a",
    properties: { href: places.get(to), class: "ref" },
    alwaysWrap: true,
  }));
  const said = render(comment.replaceAll(/\{@link (\w+)\}/g, "`$1`"), "docs/api.md").html;
  return `<section class="export"><h2 id="${escaped(name)}"><span class="kind">${kind}</span> ${escaped(name)}</h2>
${said}${code(text, "typescript", decorations)}</section>`;
}

function pageOf(entry) {
  return `api-${entry.replaceAll("/", "-")}.html`;
}

function placeOf(name, entry) {
  return `${pageOf(entry)}#${name}`;
}

function menuOf(pages, reference) {
  return groups.map(({ name }) => ({
    name,
    pages: [
      ...pages.filter((page) => page.group === name),
      ...(name === "Reference" ? reference : []),
    ],
  }));
}

/** The index of the search, as the script that page.js loads when somebody begins to search. */
function indexOf(pages) {
  const options = {
    fields: ["title", "initials", "page", "text"],
    storeFields: ["title", "page", "address"],
  };
  // Words stand in it as they are too, for who has typed a part of one.
  const both = (word) => [...new Set([word.toLowerCase(), termOf(word)])];
  const search = new MiniSearch({ ...options, processTerm: both });
  for (const { address, title: page, sections } of pages) {
    for (const { id, title, text } of sections) {
      const place = id ? `${address}#${id}` : address;
      const initials = initialsOf(title);
      if (!search.has(place))
        search.add({ id: place, address: place, page, title, initials, text });
    }
  }
  // The text of a script element ends at `</script`, that of a file does not; JSON is JavaScript.
  const given = `{ ...${JSON.stringify(options)}, searchOptions: { processTerm: ${termOf} } }`;
  return `window.bynameSearch = MiniSearch.loadJS(${JSON.stringify(search)}, ${given});\n`;
}
