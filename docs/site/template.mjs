// HTML of a page. All references are relative, so the site works in any folder and from files.

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escaped(text) {
  return text.replaceAll(/[&<>"]/g, (mark) => escapes[mark]);
}

/**
 * Returns the HTML; `page` is `{ address, title, description, html, headings }`, `menu` groups of
 * `{ name, pages }`.
 */
export function document(page, menu) {
  const title = page.address === "index.html" ? "byname" : `${page.title} · byname`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escaped(page.description)}">
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%232f5bd8'/%3E%3Cpath d='M8 3.5v9M4 6l8 4M12 6l-8 4' stroke='white' stroke-width='1.6' stroke-linecap='round'/%3E%3C/svg%3E">
<link rel="stylesheet" href="style.css">
<script src="page.js" defer></script>
<title>${escaped(title)}</title>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="name" href="index.html">byname</a>
<a href="../index.html">Playground</a>
<div class="search" role="search">
<input type="search" id="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<kbd aria-hidden="true">/</kbd>
<ul id="found" class="found" role="listbox" aria-label="Search results" hidden></ul>
</div>
<button type="button" id="scheme">Colours</button>
</header>
<nav class="menu" aria-label="Pages">
<details id="menu"><summary>All pages</summary>
${menu.map((group) => groupOf(group, page)).join("\n")}
</details>
</nav>
<main id="content" tabindex="-1">
${page.html}
</main>
${onThisPage(page)}
</body>
</html>
`;
}

function groupOf({ name, pages }, current) {
  const items = pages.map(({ address, title }) => {
    const here = address === current.address ? ' aria-current="page"' : "";
    return `<li><a href="${address}"${here}>${escaped(title)}</a></li>`;
  });
  return `<h2>${escaped(name)}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
}

function onThisPage({ headings }) {
  const listed = headings.filter(({ level }) => level === 2 || level === 3);
  if (listed.length < 3) return "";
  const items = listed.map(
    ({ level, id, title }) => `<li class="h${level}"><a href="#${id}">${escaped(title)}</a></li>`,
  );
  return `<nav class="here" aria-label="On this page"><h2>On this page</h2><ul>\n${items.join("\n")}\n</ul></nav>`;
}
