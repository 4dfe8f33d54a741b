// Matcher for grammars in GBNF, the format of llama.cpp: literals, classes, rules, groups,
// alternatives, and `?`, `*`, `+`, `{n}`, `{n,}`, `{n,m}`.

/** Returns a predicate of texts; throws if the grammar is invalid or a rule is missing. */
export function matcher(grammar) {
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
  return (text) => new Match(rules, text).ends(rules.get("root"), 0).has(text.length);
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
