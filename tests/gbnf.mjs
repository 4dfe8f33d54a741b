// Matcher and sampler for grammars in GBNF, the format of llama.cpp: literals, classes, rules, groups,
// alternatives, and `?`, `*`, `+`, `{n}`, `{n,}`, `{n,m}`.

/** Returns a predicate of texts; throws if the grammar is invalid or a rule is missing. */
export function matcher(grammar) {
  const rules = parse(grammar);
  return (text) => new Match(rules, text).ends(rules.get("root"), 0).has(text.length);
}

/**
 * Returns a function that derives a text from the grammar. `random` returns numbers from 0 to 1. Nested rules end
 * soon, and repetitions are short.
 */
export function sampler(grammar, random) {
  const rules = parse(grammar);
  return () => new Sample(rules, random).textOf(rules.get("root"), 0);
}

/** Returns the rules of a grammar by name; throws if it is invalid. */
function parse(grammar) {
  const rules = new Map();
  for (const line of grammar.split("\n").filter((one) => one.trim() !== "")) {
    const [, name, body] = /^([a-zA-Z][a-zA-Z0-9-]*) ::= (.+)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`no rule: ${line}`);
    if (rules.has(name)) throw new Error(`twice: ${name}`);
    rules.set(name, new Parser(body).whole());
  }
  const used = new Set(["root"]);
  for (const name of used) {
    if (!rules.has(name)) throw new Error(`no rule ${name}`);
    for (const one of namesIn(rules.get(name))) used.add(one);
  }
  return rules;
}

function* namesIn(node) {
  if (node.rule) yield node.rule;
  for (const part of node.any ?? node.all ?? (node.repeat ? [node.repeat] : []))
    yield* namesIn(part);
}

class Parser {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  whole() {
    const made = this.alternatives();
    if (this.at < this.text.length) throw new Error(`cannot read ${this.text.slice(this.at)}`);
    return made;
  }

  alternatives() {
    const any = [this.sequence()];
    while (this.take(/\s*\|/y)) any.push(this.sequence());
    return any.length === 1 ? any[0] : { any };
  }

  sequence() {
    const all = [];
    for (let one = this.item(); one; one = this.item()) all.push(one);
    return { all };
  }

  item() {
    this.take(/\s+/y);
    let made = null;
    const literal = this.take(/"(?:[^"\\]|\\.)*"/y);
    const set = literal ? null : this.take(/\[(?:[^\]\\]|\\.)*\]/y);
    if (literal) made = { literal: unescaped(literal.slice(1, -1)) };
    else if (set) made = { set: new RegExp(set.replace(/^\[-\+\]$/, "[+-]"), "u") };
    else if (this.take(/\(/y)) {
      made = this.alternatives();
      if (!this.take(/\s*\)/y)) throw new Error("a group is not closed");
    } else {
      const rule = this.take(/[a-zA-Z][a-zA-Z0-9-]*/y);
      if (rule) made = { rule };
    }
    const count = made && this.take(/[?*+]|\{\d+(?:,\d*)?\}/y);
    return count ? { repeat: made, ...limits(count) } : made;
  }

  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }
}

function limits(count) {
  if (count === "?") return { least: 0, most: 1 };
  if (count === "*") return { least: 0, most: Number.POSITIVE_INFINITY };
  if (count === "+") return { least: 1, most: Number.POSITIVE_INFINITY };
  const [least, most] = count.slice(1, -1).split(",");
  return {
    least: Number(least),
    most: most === undefined ? Number(least) : Number(most || "Infinity"),
  };
}

function unescaped(text) {
  return text.replace(/\\(n|t|r|x[0-9A-Fa-f]{2}|.)/g, (_, one) => {
    if (one.startsWith("x") && one.length === 3)
      return String.fromCharCode(Number.parseInt(one.slice(1), 16));
    return { n: "\n", t: "\t", r: "\r" }[one] ?? one;
  });
}

/** Returns the possible end offsets of a match. */
class Match {
  constructor(rules, text) {
    this.rules = rules;
    this.text = text;
    this.known = new Map();
  }

  ends(node, at) {
    if (node.literal !== undefined) {
      return new Set(this.text.startsWith(node.literal, at) ? [at + node.literal.length] : []);
    }
    if (node.set) {
      const next = this.text.codePointAt(at);
      const char = next === undefined ? "" : String.fromCodePoint(next);
      return new Set(char !== "" && node.set.test(char) ? [at + char.length] : []);
    }
    if (node.rule) {
      const key = `${node.rule} ${at}`;
      if (!this.known.has(key)) this.known.set(key, this.ends(this.rules.get(node.rule), at));
      return this.known.get(key);
    }
    if (node.any) return new Set(node.any.flatMap((one) => [...this.ends(one, at)]));
    if (node.all) {
      let from = new Set([at]);
      for (const one of node.all) {
        from = new Set([...from].flatMap((start) => [...this.ends(one, start)]));
      }
      return from;
    }
    const found = new Set(node.least === 0 ? [at] : []);
    let edge = new Set([at]);
    for (let n = 1; n <= node.most && edge.size > 0; n += 1) {
      edge = new Set([...edge].flatMap((start) => [...this.ends(node.repeat, start)]));
      for (const end of edge) {
        if (n < node.least) continue;
        if (found.has(end)) edge.delete(end);
        else found.add(end);
      }
    }
    return found;
  }
}

/** Characters that samples contain, if a class has them. */
const CHARS = [
  ..."abcdefghijklmnopqrstuvwxyzABCXYZ0123456789",
  ..." _-.,:;/\\'\"`$*!{}[]()<>=+?#@%&|~\té–😀",
];

/** Depth at which a sample chooses the shortest alternative. */
const MAX_DEPTH = 14;

/** Random derivation of a text. */
class Sample {
  constructor(rules, random) {
    this.rules = rules;
    this.random = random;
    this.heights = new Map();
  }

  textOf(node, depth) {
    if (node.literal !== undefined) return node.literal;
    if (node.set) return this.pick(CHARS.filter((char) => node.set.test(char)));
    if (node.rule) return this.textOf(this.rules.get(node.rule), depth + 1);
    if (node.any) {
      if (depth < MAX_DEPTH) return this.textOf(this.pick(node.any), depth);
      const byHeight = node.any.toSorted((a, b) => this.heightOf(a) - this.heightOf(b));
      return this.textOf(byHeight[0], depth);
    }
    if (node.all) return node.all.map((one) => this.textOf(one, depth)).join("");
    const more = depth < MAX_DEPTH ? Math.floor(this.random() * 4) : 0;
    const count = Math.min(node.most, node.least + more);
    return Array.from({ length: count }, () => this.textOf(node.repeat, depth)).join("");
  }

  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  /** Returns the number of nested rules of the shortest derivation. */
  heightOf(node, seen = new Set()) {
    if (node.rule) {
      if (this.heights.has(node.rule)) return this.heights.get(node.rule);
      if (seen.has(node.rule)) return Number.POSITIVE_INFINITY;
      const height = 1 + this.heightOf(this.rules.get(node.rule), new Set([...seen, node.rule]));
      if (seen.size === 0) this.heights.set(node.rule, height);
      return height;
    }
    if (node.any) return Math.min(...node.any.map((one) => this.heightOf(one, seen)));
    if (node.all) return Math.max(0, ...node.all.map((one) => this.heightOf(one, seen)));
    return node.repeat && node.least > 0 ? this.heightOf(node.repeat, seen) : 0;
  }
}
