// Checks that the project is written in standard terms: no word of the list below in names, comments, messages or documents.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../", import.meta.url);

/** Words with a private or rare meaning, each with the terms to use instead. */
const WORDS = {
  anew: "again, from the start",
  behind: "after",
  gather: "collect",
  heard: "received, parsed",
  lest: "so that … not",
  meant: "intended; suggestion",
  mend: "fix",
  nobody: "no caller, not used",
  somebody: "the caller, the user",
  someone: "the caller, the user",
  stands: "is in, is at",
  tells: "reports, distinguishes",
  told: "reported, diagnostics",
  whoever: "the caller, the user",
  whichever: "the one that",
};
const FORMS = { gather: "gather(?:s|ed|ing)?", mend: "mend(?:s|ed|ing)?" };

/** Phrases that are barred although each of their words is ordinary. */
const PHRASES = {
  "is due": "is expected",
  "are due": "are expected",
  "(?<!there )is no (?!longer|more|slower|faster)": "is not",
};

const FOLDERS = [
  "src",
  "www",
  "tests",
  "docs",
  "scripts",
  "benches",
  "eval",
  "examples",
  "fuzz",
  "tools",
  ".ci",
];
const FILES = [
  "README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "RELEASING.md",
  "Cargo.toml",
  "package.json",
  "biome.jsonc",
  "clippy.toml",
];
const CHECKED = /\.(?:rs|tsx?|mjs|js|css|html|md|toml|jsonc?|sh)$/;
const SKIPPED =
  /(?:^|\/)(?:node_modules|target|dist|apps|package-lock\.json|Cargo\.lock)(?:\/|$)|^www\/public\/|proptest-regressions/;

/** Allowed uses: the files, the words, and the reason. */
const ALLOWED = [
  [/^tests\/js\/prose\.test\.mjs$/, /./, "this list"],
  [/^src\/gasl\/checkpoint\.rs$/, /^told$/, "key of stored states"],
];

/** Returns the prose of a file. Only the names of test cases are prose, their data are not. */
function proseOf(path) {
  const text = readFileSync(new URL(path, root), "utf8");
  if (!path.startsWith("tests/cases/")) return text;
  return text.replace(/^(.*?"name": "(?:[^"\\\n]|\\.)*")?.*$/gm, "$1");
}

function files() {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        `${entry.parentPath}/${entry.name}`.slice(root.pathname.length).replace(/^\//, ""),
      ),
  );
  return [...FILES, ...below].filter((path) => CHECKED.test(path) && !SKIPPED.test(path));
}

/** A word alone or as a part of a name: `told`, `is_told`, `TOLD`, `isTold`, `toldTexts`. */
const forms = Object.keys(WORDS).map((word) => FORMS[word] ?? word);
const capitalised = forms.map((form) => form[0].toUpperCase() + form.slice(1));
const WORD = new RegExp(
  [
    `(?<![A-Za-z])(?:${[...forms, ...capitalised].join("|")})(?![a-z])`,
    `(?<=[a-z])(?:${capitalised.join("|")})(?![a-z])`,
    `(?<![A-Za-z])(?:${Object.keys(WORDS).join("|").toUpperCase()})(?![A-Za-z])`,
  ].join("|"),
  "g",
);
const PHRASE = new RegExp(`\\b(?:${Object.keys(PHRASES).join("|")})\\b`, "gi");

/** Returns the barred words of a text, each with its line. */
export function barred(text) {
  const found = [];
  for (const pattern of [WORD, PHRASE]) {
    for (const match of text.matchAll(pattern)) {
      const line = text.slice(0, match.index).split("\n").length;
      found.push({ line, word: match[0] });
    }
  }
  return found;
}

test("barred words are found in names and in prose", () => {
  const words = (text) => barred(text).map(({ word }) => word);
  assert.deepEqual(words("is_told isTold Told"), ["told", "Told", "Told"]);
  assert.deepEqual(words("toll the gathering, understands"), ["gathering"]);
  assert.deepEqual(words("a comma is due, it is no longer"), ["is due"]);
});

test("names, comments, messages and documents use standard terms", () => {
  const found = files().flatMap((path) =>
    barred(proseOf(path))
      .filter(({ word }) => !ALLOWED.some(([files, words]) => files.test(path) && words.test(word)))
      .map(({ line, word }) => `${path}:${line}: ${word}`),
  );
  const advice = Object.entries(WORDS).map(([word, instead]) => `${word} -> ${instead}`);
  assert.deepEqual(found, [], `use standard terms: ${advice.join("; ")}`);
});
