// What table and picture show: for each workload and host our figure, the baselines', and the ratio.

/** The rows of one host, the baseline that the target is set against first. Workloads come in their order. */
export function rowsOf(workloads, results, host) {
  const measured = results[host]?.works ?? {};
  return workloads
    .filter(({ name, section }) => !section && measured[name])
    .map((workload) => {
      const { byname, ...others } = measured[workload.name].sides;
      const baselines = Object.entries(others).map(([name, figure]) => ({
        name,
        figure: figure.median,
        ratio: figure.median / byname.median,
        isNamed: name === workload.against,
        target: name === workload.against ? workload.target?.[host] : workload.others?.[name],
      }));
      baselines.sort((a, b) => b.isNamed - a.isNamed || a.ratio - b.ratio);
      return { workload, ours: byname.median, baselines };
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
