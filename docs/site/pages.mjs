// Pages of the site in menu order. Each is a Markdown file of this repository.

/** Menu groups: pages as [source, title]; the address is derived from the source. */
export const groups = [
  {
    name: "Start",
    pages: [
      ["README.md", "Overview"],
      ["docs/guide.md", "Guide"],
      ["docs/install.md", "In your project"],
      ["docs/frameworks.md", "React, Vue, Svelte, Solid, Lit"],
      ["docs/recipes.md", "Recipes for agents"],
      ["docs/examples.md", "Examples"],
    ],
  },
  {
    name: "Surfaces",
    pages: [
      ["docs/ham.md", "HAM"],
      ["docs/surface.md", "Surfaces"],
      ["docs/components.md", "Basic components"],
      ["docs/catalogs.md", "Catalogs and prompts"],
      ["docs/a2ui.md", "A2UI"],
      ["docs/express.md", "Express"],
      ["docs/testing.md", "Tests"],
      ["docs/devtools.md", "Devtools"],
      ["docs/tokens.md", "Tokens"],
    ],
  },
  {
    name: "Graphs and workflows",
    pages: [
      ["docs/graph.md", "Graphs"],
      ["docs/gasl.md", "GASL"],
      ["docs/flow.md", "Workflows"],
      ["docs/llm.md", "Models"],
      ["docs/tools.md", "Tools of a model"],
      ["docs/databases.md", "Databases"],
      ["docs/scale.md", "Saved work"],
      ["docs/worker.md", "Workers"],
      ["docs/cli.md", "Command line"],
    ],
  },
  {
    name: "Reference",
    pages: [
      ["docs/api.md", "API"],
      ["docs/diagnostic-codes.md", "Diagnostic codes"],
    ],
  },
  {
    name: "Project",
    pages: [
      ["docs/benchmarks.md", "Benchmarks"],
      ["docs/eval.md", "Evaluation of models"],
      ["docs/security.md", "Security"],
      ["CHANGELOG.md", "Changelog"],
      ["ARCHITECTURE.md", "Architecture"],
      ["CONTRIBUTING.md", "Contributing"],
    ],
  },
];

/** Returns the address of a page: `ham.html` for `docs/ham.md`, `index.html` for the README. */
export function addressOf(source) {
  if (source === "README.md") return "index.html";
  return `${source
    .replace(/^docs\//, "")
    .replace(/\.md$/, "")
    .toLowerCase()}.html`;
}
