// Reads the exports of the package from its declarations with the compiler.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SyntaxKind } from "typescript/unstable/ast";
import { API, SymbolFlags } from "typescript/unstable/sync";

const kinds = [
  [SyntaxKind.ClassDeclaration, "class"],
  [SyntaxKind.FunctionDeclaration, "function"],
  [SyntaxKind.VariableDeclaration, "const"],
  [SyntaxKind.InterfaceDeclaration, "type"],
  [SyntaxKind.TypeAliasDeclaration, "type"],
];
const order = kinds.map(([, name]) => name);

/**
 * Returns the exports of each entry of package.json with types: `{ entry, exports }`. An export is
 * `{ name, kind, comment, text }`, with the entry that exported it first as `home` if it is a
 * repetition.
 */
export function readEntries(manifest, root) {
  const entries = Object.entries(manifest.exports)
    .filter(([, target]) => target.types)
    .map(([path, { types }]) => ({
      entry: manifest.name + path.slice(1),
      file: join(root, types),
    }));
  const api = new API({ cwd: root });
  try {
    const config = configFor(entries, root);
    const project = api.updateSnapshot({ openProject: config }).getProject(config);
    const homes = new Map();
    return entries.map(({ entry, file }) => {
      const exports = exportsOf(project, file);
      for (const one of exports) {
        const key = `${one.name} ${one.text}`;
        if (homes.has(key)) one.home = homes.get(key);
        else homes.set(key, entry);
      }
      return { entry, exports };
    });
  } finally {
    api.close();
  }
}

function configFor(entries, root) {
  const folder = join(root, "target/site");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "tsconfig.json");
  const compilerOptions = { module: "nodenext", target: "es2022", noEmit: true };
  writeFileSync(path, JSON.stringify({ compilerOptions, files: entries.map(({ file }) => file) }));
  return path;
}

function exportsOf(project, file) {
  const { program, checker } = project;
  const source = program.getSourceFile(file);
  if (!source) throw new Error(`the compiler cannot find ${file}`);
  return checker
    .getExportsOfModule(checker.getSymbolAtLocation(source))
    .map((symbol) => {
      const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0;
      const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
      const nodes = target.declarations.map((handle) => handle.resolve(project));
      return {
        name: symbol.name,
        kind: kinds.find(([kind]) => kind === nodes[0].kind)?.[1] ?? "type",
        comment: target.getDocumentationComment(checker),
        text: nodes.map(declaration).join("\n"),
      };
    })
    .sort(
      (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || a.name.localeCompare(b.name, "en"),
    );
}

/** Returns a declaration without its comment and private members. */
function declaration(node) {
  const { text } = node.getSourceFile();
  const whole = text
    .slice(node.pos, node.end)
    .replace(/^(\s*\/\*\*(?:[^*]|\*(?!\/))*\*\/)*\s*/, "")
    .replace(/^ +#private;\n/m, "")
    .replace(/^(export )?(declare )?/, "");
  return node.kind === SyntaxKind.VariableDeclaration ? `const ${whole};` : whole;
}

/** Returns the offsets of export names in a declaration: `{ name, start, end }`. */
export function namesIn(text, names) {
  const found = [];
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"/g, (part) =>
    " ".repeat(part.length),
  );
  for (const match of code.matchAll(/(?<![.\w$])[A-Za-z_]\w*(?!\w|\??:|\()/g)) {
    if (!names.has(match[0])) continue;
    found.push({ name: match[0], start: match.index, end: match.index + match[0].length });
  }
  return found;
}
