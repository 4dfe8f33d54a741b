// Builds the documentation site in www/public/docs, which the playground serves: plain files that
// work in any folder, without a server or network.
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

/** Output folder from the repository root. */
export const target = "www/public/docs";

/** Page titles by source. */
const titles = new Map(groups.flatMap(({ pages }) => pages));

export async function buildSite(root) {
  const folder = join(root, target);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  checkMenu(root);

  const assets = new Set();
  const tools = await renderer((href, source) => resolveLink(href, source, root, assets));
  const pages = documentPages(root, tools);
  const reference = referencePages(root, tools);
  const menu = buildMenu(pages, reference);
  const all = [...pages, ...reference];
  for (const page of all) writeFileSync(join(folder, page.address), document(page, menu));
  for (const asset of assets) copyFileSync(join(root, asset), join(folder, basename(asset)));
  for (const name of ["style.css", "page.js"]) {
    copyFileSync(join(root, "docs/site", name), join(folder, name));
  }
  const search = join(root, "node_modules/minisearch/dist/umd/index.js");
  const library = readFileSync(search, "utf8").replace(/^\/\/# sourceMappingURL.*$/m, "");
  writeFileSync(join(folder, "search.js"), `${library}\n${searchIndex(all)}`);
  return all;
}

/** Throws if a document is missing in the menu, or a menu entry has no document. */
function checkMenu(root) {
  const unlisted = listFiles("docs", ".md").find((file) => !titles.has(file));
  if (unlisted)
    throw new UserError(`${unlisted} is missing in docs/site/pages.mjs; add it to a group`);
  const missing = [...titles.keys()].find((file) => !existsSync(join(root, file)));
  if (missing) throw new UserError(`docs/site/pages.mjs lists ${missing}, which does not exist`);
}

function documentPages(root, { render }) {
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

/** Returns the target of a link on the site: documents become pages, pictures become assets. */
function resolveLink(href, source, root, assets) {
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
  throw new UserError(
    `${source} links to ${href}, which is neither a page of the site nor a picture`,
  );
}

/** Returns one page for each entry of the package. */
function referencePages(root, { render, code }) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entries = readEntries(manifest, root);
  return entries
    .filter(({ exports }) => exports.some(({ home }) => !home))
    .map(({ entry, exports }) => {
      const addresses = new Map(
        exports.map(({ name, home }) => [name, addressOfExport(name, home ?? entry)]),
      );
      const own = exports.filter(({ home }) => !home);
      const blocks = own.map((one) => exportSection(one, addresses, { render, code }));
      const shared = exports.filter(({ home }) => home);
      const links = shared.map(({ name }) => `<a href="${addresses.get(name)}">${name}</a>`);
      const reexports = links.length > 0 ? `<p>Also exported here: ${links.join(", ")}.</p>` : "";
      return {
        address: addressOfEntry(entry),
        title: entry,
        description: `All exports of ${entry} with their types.`,
        html: `<h1 id="${entry}">${entry}</h1>\n<p>All exports with their declarations. <a href="api.html">API</a> describes their behaviour.</p>\n${reexports}\n${blocks.join("\n")}`,
        headings: own.map(({ name }) => ({ level: 2, id: name, title: name })),
        sections: own.map(({ name, comment, text }) => ({
          id: name,
          title: name,
          text: `${comment}\n${text}`,
        })),
      };
    });
}

function exportSection({ name, kind, comment, text }, addresses, { render, code }) {
  const links = namesIn(text, new Set([...addresses.keys()].filter((one) => one !== name)));
  const decorations = links.map(({ name: to, start, end }) => ({
    start,
    end,
    tagName: "a",
    properties: { href: addresses.get(to), class: "ref" },
    alwaysWrap: true,
  }));
  const comments = render(comment.replaceAll(/\{@link (\w+)\}/g, "`$1`"), "docs/api.md").html;
  return `<section class="export"><h2 id="${escaped(name)}"><span class="kind">${kind}</span> ${escaped(name)}</h2>
${comments}${code(text, "typescript", decorations)}</section>`;
}

function addressOfEntry(entry) {
  return `api-${entry.replaceAll("/", "-")}.html`;
}

function addressOfExport(name, entry) {
  return `${addressOfEntry(entry)}#${name}`;
}

function buildMenu(pages, reference) {
  return groups.map(({ name }) => ({
    name,
    pages: [
      ...pages.filter((page) => page.group === name),
      ...(name === "Reference" ? reference : []),
    ],
  }));
}

/** Returns the script with the search index, which page.js loads on the first search. */
function searchIndex(pages) {
  const options = {
    fields: ["title", "initials", "page", "text"],
    storeFields: ["title", "page", "address"],
  };
  // Indexes complete words too, so that prefixes match.
  const termsOf = (word) => [...new Set([word.toLowerCase(), termOf(word)])];
  const search = new MiniSearch({ ...options, processTerm: termsOf });
  for (const { address, title: page, sections } of pages) {
    for (const { id, title, text } of sections) {
      const place = id ? `${address}#${id}` : address;
      const initials = initialsOf(title);
      if (!search.has(place))
        search.add({ id: place, address: place, page, title, initials, text });
    }
  }
  // JSON is safe here, because a script file, unlike a script element, has no end tag.
  const loadOptions = `{ ...${JSON.stringify(options)}, searchOptions: { processTerm: ${termOf} } }`;
  return `window.bynameSearch = MiniSearch.loadJS(${JSON.stringify(search)}, ${loadOptions});\n`;
}
