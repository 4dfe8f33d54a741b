/** Sets the CSS variable `--bar` to the height of the bottom bar, which overlays must not cover. */
export function measureBottomBar(): void {
  const bars = [...document.querySelectorAll<HTMLElement>(".bench > .bar")];
  const observer = new ResizeObserver(() => {
    // Bars of hidden workbenches have no height.
    const height = Math.max(...bars.map(({ offsetHeight }) => offsetHeight));
    document.documentElement.style.setProperty("--bar", `${height}px`);
  });
  for (const bar of bars) observer.observe(bar);
}
