// Page script: search, colour scheme and copy buttons. Pages are readable without it.
const field = document.querySelector("#search");
const list = document.querySelector("#found");

searchBox();
schemeButton();
copyButtons();
openMenu();

/**
 * Sets up the search. Its index is loaded on first use as a script, which also works from files.
 */
function searchBox() {
  let loading = null;
  const load = () => {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = "search.js";
      script.onload = () => resolve(window.bynameSearch);
      script.onerror = () => {
        loading = null;
        reject(new Error("search.js did not load"));
      };
      document.head.append(script);
    });
    return loading;
  };
  const runSearch = async () => {
    const words = field.value.trim();
    if (words === "") return showResults([]);
    try {
      const index = await load();
      if (words !== field.value.trim()) return;
      const options = {
        prefix: true,
        fuzzy: 0.15,
        boost: { title: 4, initials: 4, page: 2 },
        combineWith: "AND",
      };
      showResults(index.search(words, options).slice(0, 12), words);
    } catch {
      showResults([], words, "The search did not load. Load the page again.");
    }
  };
  field.addEventListener("focus", () => void load().catch(() => {}));
  field.addEventListener("input", () => void runSearch());
  field.addEventListener("keydown", onKey);
  field.addEventListener("blur", () => setTimeout(() => (list.hidden = true), 150));
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || /input|textarea/i.test(event.target.tagName)) return;
    event.preventDefault();
    field.focus();
  });
}

function showResults(found, words = "", error) {
  const rows = found.map(({ address, title, page }, at) => {
    const row = document.createElement("li");
    row.id = `found-${at}`;
    row.role = "option";
    const link = document.createElement("a");
    link.className = "hit";
    link.href = address;
    link.tabIndex = -1;
    const where = document.createElement("small");
    where.textContent = page;
    link.append(title || page, where);
    row.append(link);
    return row;
  });
  if (words !== "" && rows.length === 0) {
    const row = document.createElement("li");
    row.role = "option";
    row.setAttribute("aria-disabled", "true");
    row.textContent = error ?? `Nothing has “${words}” in it.`;
    rows.push(row);
  }
  list.replaceChildren(...rows);
  list.hidden = rows.length === 0;
  field.setAttribute("aria-expanded", String(rows.length > 0));
  selectResult(found.length > 0 ? 0 : -1);
}

function selectResult(at) {
  const rows = [...list.querySelectorAll("li:has(a)")];
  for (const [place, row] of rows.entries())
    row.setAttribute("aria-selected", String(place === at));
  rows[at]?.scrollIntoView({ block: "nearest" });
  field.setAttribute("aria-activedescendant", rows[at]?.id ?? "");
}

function onKey(event) {
  const rows = [...list.querySelectorAll("li:has(a)")];
  const at = rows.findIndex((row) => row.getAttribute("aria-selected") === "true");
  if (event.key === "Escape") {
    field.value = "";
    showResults([]);
  } else if (event.key === "Enter" && rows[at]) {
    location.href = rows[at].querySelector("a").href;
    list.hidden = true;
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const step = event.key === "ArrowDown" ? 1 : -1;
    if (rows.length > 0) selectResult((at + step + rows.length) % rows.length);
  } else return;
  event.preventDefault();
}

/** Sets up the colour scheme button, which shares its setting with the playground. */
function schemeButton() {
  const button = document.querySelector("#scheme");
  const order = ["auto", "light", "dark"];
  const words = { auto: "auto", light: "light", dark: "dark" };
  let now = "auto";
  try {
    now = order.find((one) => one === localStorage.getItem("byname-scheme")) ?? "auto";
  } catch {
    // Storage may be blocked; the button then works for this page only.
  }
  const apply = () => {
    document.documentElement.style.colorScheme = now === "auto" ? "light dark" : now;
    button.textContent = `Colours: ${words[now]}`;
  };
  button.addEventListener("click", () => {
    now = order[(order.indexOf(now) + 1) % order.length];
    apply();
    try {
      localStorage.setItem("byname-scheme", now);
    } catch {
      // Storage is blocked.
    }
  });
  apply();
}

function copyButtons() {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll("main pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(block.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not allowed";
      }
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    const frame = document.createElement("div");
    frame.className = "block";
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

/** Opens the menu on wide screens. */
function openMenu() {
  const menu = document.querySelector("#menu");
  const wide = matchMedia("(min-width: 860px)");
  const fit = () => (menu.open = wide.matches);
  wide.addEventListener("change", fit);
  fit();
  if (wide.matches) menu.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}
