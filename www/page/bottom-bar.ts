/** Tells the styles how high the bar at the bottom of the page is: what lies over the page leaves it free. */
export function measureBottomBar(): void {
  const bars = [...document.querySelectorAll<HTMLElement>(".bench > .bar")];
  const observer = new ResizeObserver(() => {
    // Of all benches one is seen, and the bars of the others have no height.
    const height = Math.max(...bars.map(({ offsetHeight }) => offsetHeight));
    document.documentElement.style.setProperty("--bar", `${height}px`);
  });
  for (const bar of bars) observer.observe(bar);
}
