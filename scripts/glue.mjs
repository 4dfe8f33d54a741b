// Takes out of wasm-bindgen's glue what nothing here needs, and says once what it says in every method.
import { Trouble } from "./run.mjs";

const STRING = "wasm.__wbindgen_malloc, wasm.__wbindgen_realloc";

/** Each with what it finds in the glue, and what it makes of that. */
const changes = [
  {
    // The facade needs finalisers itself, so hosts without them cannot run it. A class that is not used takes its own along.
    found:
      /\(typeof FinalizationRegistry === 'undefined'\)\n.*\n\s+: (?=new FinalizationRegistry)/g,
    made: "/* @__PURE__ */ ",
  },
  {
    // Every host that runs the module has it.
    found: /if \(!\('encodeInto' in cachedTextEncoder\)\) \{\n.*?\n\}\n/gs,
    made: "",
  },
  {
    // It is for a module without `realloc`.
    found: / {4}if \(realloc === undefined\) \{\n.*?\n {4}\}\n\n/gs,
    made: "",
  },
  // How memory is had is not said with each text, but where a text is passed.
  { found: `, ${STRING})`, made: ")" },
  {
    found: "function passStringToWasm0(arg, malloc, realloc) {",
    made: "function passStringToWasm0(arg) {",
  },
  { found: ", wasm.__wbindgen_malloc)", made: ")", optional: true },
  {
    found: "function passArray8ToWasm0(arg, malloc) {",
    made: "function passArray8ToWasm0(arg) {",
    optional: true,
  },
  { found: /= (?=(?:m|re)alloc\()/g, made: "= wasm.__wbindgen_" },
  {
    // A text is freed again where passing the next one throws; the facade gives nothing but texts, which do not.
    found:
      / {4,}try \{\n((?: +(?:ptr|len)\d+ = .*\n)+) +\} catch \(e\) \{\n(?: +if \(ptr.*\n)+ +throw e;\n +\}\n/g,
    made: "$1",
    optional: true,
  },
  {
    // The facade disposes by `free`.
    found: /if \(Symbol\.dispose\) .*\n/g,
    made: "",
  },
  {
    // The types of the facade and its own checks see to it.
    found: /^ +_assertClass\([^\n]*\n|^function _assertClass\(.*?^\}\n/gms,
    made: "",
    optional: true,
  },
  {
    // An error in place of a text: the text is then taken as below.
    found:
      / +(?:var|const) ?\w+ = ret\[0\];\n +var \w+ = ret\[1\];\n +if \(ret\[3\]\) \{\n.*\n( +throw .*\n) +\}\n +deferred\w+ = \w+;\n +deferred\w+ = \w+;\n( +return getStringFromWasm0\()\w+, \w+\);\n/g,
    made: "            if (ret[3])\n$1            deferred = ret[0];\n            deferred = ret[1];\n$2ret[0], ret[1]);\n",
  },
  {
    // A text that comes back, and is freed at once.
    found:
      / +let deferred\w+;\n +let deferred\w+;\n +try \{\n(.*?) +deferred\w* = ret\[0\];\n +deferred\w* = ret\[1\];\n +return getStringFromWasm0\(ret\[0\], ret\[1\]\);\n +\} finally \{\n.*?\n +\}\n/gs,
    made: "$1            return takeStringFromWasm0(ret);\n",
  },
  {
    // The same, where there may be none.
    found:
      / +let (v\d+);\n +if \(ret\[0\] !== 0\) \{\n +\1 = getStringFromWasm0.*\n.*\n +\}\n +return \1;\n/g,
    made: "        return takeStringFromWasm0(ret);\n",
  },
];

/** What the module imports, all but the function that the facade calls. */
const IMPORTED = /^__wb(?!g_set_wasm$)/;
const SETTER = "function __wbg_set_wasm";

const TAKING = `
function takeStringFromWasm0([ptr, len]) {
    if (ptr === 0) return;
    try {
        return getStringFromWasm0(ptr, len);
    } finally {
        wasm.__wbindgen_free(ptr, len, 1);
    }
}
`;

/**
 * The glue, smaller, with what the module imports as an object and the classes by name: who asked the glue itself
 * for them would keep every class of it in every bundle. Throws where it is not the glue that this was written for.
 */
export function slim(glue) {
  let text = glue;
  for (const { found, made, optional = false } of changes) {
    const next = text.replaceAll(found, made);
    if (next === text && !optional)
      throw new Trouble(`the glue has no ${found} any more; look at scripts/glue.mjs`);
    text = next;
  }
  const names = [...text.matchAll(/^export (class|function) (\w+)/gm)];
  const classes = names.filter(([, kind]) => kind === "class").map(([, , name]) => name);
  const imported = names.map(([, , name]) => name).filter((name) => IMPORTED.test(name));
  text = text.replace(/^export (?=function __wb)/gm, "").replace(SETTER, `export ${SETTER}`);
  const ends = classes.map((name) => `"__wbg_${name.toLowerCase()}_free"`);
  return `${text}${TAKING}
export const imports = { ${imported.join(", ")} };
export const ends = [${ends.join(", ")}];
`;
}
