// What table and picture show: for each work and host our figure, the opponents', and the ratio.

/** The rows of one host, the opponent that the target is set against first. Works come in their order. */
export function rowsOf(works, results, host) {
  const measured = results[host]?.works ?? {};
  return works
    .filter(({ name, section }) => !section && measured[name])
    .map((work) => {
      const { byname, ...others } = measured[work.name].sides;
      const opponents = Object.entries(others).map(([name, figure]) => ({
        name,
        figure: figure.median,
        ratio: figure.median / byname.median,
        isNamed: name === work.against,
        target: name === work.against ? work.target?.[host] : work.others?.[name],
      }));
      opponents.sort((a, b) => b.isNamed - a.isNamed || a.ratio - b.ratio);
      return { work, ours: byname.median, opponents };
    });
}

/** `3.2×`, with two digits that count. */
export function times(ratio) {
  return ratio >= 100 ? `${Math.round(ratio).toLocaleString("en")}×` : `${two(ratio)}×`;
}

/** A figure with its unit. */
export function amount(figure, unit = "ms") {
  if (unit === "calls") return Math.round(figure).toLocaleString("en");
  return `${figure >= 100 ? Math.round(figure).toLocaleString("en") : two(figure)} ${unit}`;
}

/** A number with two digits that count. */
export function two(value) {
  return String(Number(value.toPrecision(2)));
}
