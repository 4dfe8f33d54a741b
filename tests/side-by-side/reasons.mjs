// Kinds of differences between the accessible trees of @a2ui/lit and of byname, each with its reason.

/**
 * Each kind returns how many lines at the start of the two lists it explains, or null. `messages` is the text of
 * the messages.
 */
const kinds = {
  icon: {
    reason: "lit exposes the ligature of the icon font as a text; an image with a name in byname",
    match: ([first = ""], [second = ""]) =>
      /^text "[a-z_]+"$/.test(first) && second.startsWith("image ") ? [1, 1] : null,
  },
  "icon button": {
    reason: "the ligature is the name of the button in lit, the name of the icon in byname",
    match: ([first = ""], [second = ""]) =>
      first.includes("_") && first.replaceAll("_", " ") === second && first.startsWith("button ")
        ? [1, 1]
        : null,
  },
  "field name": {
    reason: "the label is not connected with its field in lit, so the field has no name",
    match: ([label = "", field = ""], [second = ""]) => {
      const name = /^text (".*")$/.exec(label)?.[1];
      return name &&
        field.startsWith("textbox") &&
        field.replace("textbox", `textbox ${name}`) === second
        ? [2, 1]
        : null;
    },
  },
  "date and time": {
    reason: "two fields without a name in lit, one field with the name of the label in byname",
    match: ([label = "", date = "", time = ""], [second = ""]) => {
      const name = /^text (".*")$/.exec(label)?.[1];
      const value = `value="${attributeOf(date)}T${attributeOf(time)}"`;
      return second === `DateTime ${name} ${value}` ? [3, 1] : null;
    },
  },
  "fallback name": {
    reason: "a control without a label has no name in lit, and that of its id in byname",
    match: ([first = ""], [second = ""]) =>
      /^checkbox(?! ")/.test(first) && first === second.replace(/ "[^"]*"/, "") ? [1, 1] : null,
  },
  "early check": {
    reason: "lit shows failed checks before the user has edited the field",
    match: ([first = ""], _second, messages) =>
      first.startsWith("text ") && messages.includes(`"message":${first.slice(5)}`) ? [1, 0] : null,
  },
  "reason of a disabled button": {
    reason: "byname describes a disabled button by the message of its failed check",
    match: ([first = ""], [second = ""]) =>
      /^button .*disabled=true$/.test(first) && second.replace(/ description="[^"]*"/, "") === first
        ? [1, 1]
        : null,
  },
  chips: {
    reason: "buttons without a group in lit, radio buttons in a named group in byname",
    match: (first, [group = "", ...radios]) => {
      if (!group.startsWith("group ")) return null;
      const label = first[0] === group.replace("group", "text") ? 1 : 0;
      const chips = first.slice(label).map((one) => /^button (".*?")( pressed=true)?$/.exec(one));
      const count = chips.indexOf(null);
      const all = count === -1 ? chips : chips.slice(0, count);
      const expected = all.map(([, name, on]) => `radio ${name}${on ? " checked=true" : ""}`);
      return all.length > 0 && expected.every((one, at) => one === radios[at])
        ? [label + all.length, 1 + all.length]
        : null;
    },
  },
  tabs: {
    reason: "buttons in lit; a list of tabs with a panel in byname",
    match: (first, [list = "", ...rest]) => {
      if (!list.startsWith("tablist")) return null;
      const count = rest.findIndex((one) => !one.startsWith("tab "));
      const tabs = rest.slice(0, count).map((one) => /^tab (".*?")/.exec(one)?.[1]);
      const areButtons = tabs.every((name, at) => first[at] === `button ${name}`);
      return areButtons && rest[count]?.startsWith("tabpanel") ? [count, count + 2] : null;
    },
  },
  list: {
    reason: "a List component is not a list in lit",
    match: (_first, [second = ""]) => (["list", "listitem"].includes(second) ? [0, 1] : null),
  },
  "audio player": {
    reason: "the player has no name in lit; its description is its name and its caption in byname",
    match: ([first], [second = "", caption]) => {
      if (second === "figure" && caption === "Figcaption") return [0, 2];
      return first === "Audio" && second.startsWith('Audio "') ? [1, 1] : null;
    },
  },
  dialog: {
    reason:
      "in lit a dialog has no name, and the contents outside of a modal one are still exposed",
    match: (first, [second = ""]) => {
      const at = first.indexOf("dialog modal=true");
      return at >= 0 && /^dialog ".+" modal=true$/.test(second) ? [at + 1, 1] : null;
    },
  },
  slider: {
    reason: "the slider has no name in lit, and whole steps, so that 0.45 of 1 is 0",
    match: ([first = ""], [second = ""]) =>
      first.startsWith('slider value="0"') && /^slider "[^"]+" value="0\.4/.test(second)
        ? [1, 1]
        : null,
  },
  announcement: {
    reason: "byname announces that components are missing, and after 0.9 s that they are present",
    match: (_first, [status = "", text]) =>
      status === "status live=polite" && text === 'text "Loading"' ? [0, 2] : null,
  },
  "Markdown in a heading": {
    reason: "lit shows the marks of a Markdown heading in a text with a heading variant",
    match: ([first = ""], [second = ""]) =>
      first.startsWith('heading "# ') && first.replace('"# ', '"') === second ? [1, 1] : null,
  },
  "empty heading": {
    reason: "a heading without text is a heading in lit",
    match: ([first = ""]) => (/^heading level=\d$/.test(first) ? [1, 0] : null),
  },
};

const attributeOf = (line) => /value="([^"]*)"/.exec(line)?.[1];

/** Returns the reason of each kind. */
export const reasons = Object.fromEntries(
  Object.entries(kinds).map(([name, { reason }]) => [name, reason]),
);

/**
 * Splits the parts in which two outlines differ by their kinds. Returns `{ kind, lit, byname }`; the kind is
 * undefined if none matches.
 */
export function classify(parts, messages) {
  const text = JSON.stringify(messages);
  return parts.flatMap(({ first, second }) => {
    const result = [];
    let [a, b] = [0, 0];
    while (a < first.length || b < second.length) {
      const [restA, restB] = [first.slice(a), second.slice(b)];
      const found = Object.entries(kinds)
        .map(([name, { match }]) => [name, match(restA, restB, text)])
        .find(([, counts]) => counts !== null);
      const [kind, [countA, countB]] = found ?? [undefined, [restA.length, restB.length]];
      result.push({ kind, lit: restA.slice(0, countA), byname: restB.slice(0, countB) });
      a += countA;
      b += countB;
    }
    return result;
  });
}

/** Returns the table of all differences: one row each. */
export function differenceTable(examples) {
  const rows = examples.flatMap(({ name, found }) =>
    found.map(
      ({ kind, lit, byname }) => `| ${[name, kind, cell(lit), cell(byname)].join(" | ")} |`,
    ),
  );
  return ["| example | kind | `@a2ui/lit` | byname |", "|---|---|---|---|", ...rows].join("\n");
}

const cell = (lines) => lines.map((line) => `\`${line.replaceAll("|", "\\|")}\``).join("<br>");

/** Returns the tables of `docs/a2ui.md`: the number of equal trees by version, and the kinds of differences. */
export function summary(examples) {
  const versions = [...new Set(examples.map(({ version }) => version))];
  const counts = versions.map((version) => {
    const all = examples.filter((one) => one.version === version);
    const equal = all.filter(({ found }) => found.length === 0).length;
    return `| ${version} | ${all.length} | ${equal} | ${all.length - equal} |`;
  });
  const kindRows = Object.entries(reasons).map(([kind, reason]) => {
    const count = examples.filter(({ found }) => found.some((one) => one.kind === kind)).length;
    return [count, `| ${kind} | ${count} | ${reason} |`];
  });
  return [
    "| examples of | surfaces | equal trees | with differences |",
    "|---|--:|--:|--:|",
    ...counts,
    "",
    "| difference | surfaces | reason |",
    "|---|--:|---|",
    ...kindRows.sort(([a], [b]) => b - a).map(([, row]) => row),
  ].join("\n");
}
