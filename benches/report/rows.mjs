// Rows of table and picture: for each workload and host the time of byname, those of the baselines,
// and the ratios.

/** Returns the rows of one host in the order of the workloads, the target baseline first. */
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

/** Formats a ratio with two significant digits: `3.2×`. */
export function times(ratio) {
  return ratio >= 100 ? `${Math.round(ratio).toLocaleString("en")}×` : `${two(ratio)}×`;
}

/** Formats a value with its unit. */
export function amount(figure, unit = "ms") {
  if (unit === "calls") return Math.round(figure).toLocaleString("en");
  return `${figure >= 100 ? Math.round(figure).toLocaleString("en") : two(figure)} ${unit}`;
}

/** Formats a number with two significant digits. */
export function two(value) {
  return String(Number(value.toPrecision(2)));
}
