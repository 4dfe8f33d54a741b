/**
 * Stylesheet of surfaces. Each colour, size and font is a custom property `--byname-…` that a page
 * may set on the surface or an ancestor. Light and dark follow `color-scheme`.
 *
 * In a row with several buttons, contents that do not fit wrap to the next line before a word is
 * broken. So do rows of images and, on narrow screens, rows of fields or cards. Other rows stay on
 * one line and shrink.
 */
export const css = `
.bn-surface {
  --_ink: var(--byname-ink, light-dark(#1a1d23, #e8eaee));
  --_soft: var(--byname-ink-soft, light-dark(#5c6370, #9aa1ad));
  --_paper: var(--byname-paper, light-dark(#ffffff, #16181d));
  --_raised: var(--byname-raised, light-dark(#ffffff, #1d2026));
  --_line: var(--byname-line, light-dark(#dfe2e8, #333842));
  --_edge: var(--byname-edge, light-dark(#8b919d, #6d7480));
  --_accent: var(--byname-accent, light-dark(#2f5bd8, #8aaaff));
  --_on-accent: var(--byname-on-accent, light-dark(#ffffff, #0d1530));
  --_wash: var(--byname-wash, color-mix(in oklab, var(--_accent) 10%, transparent));
  --_bad: var(--byname-bad, light-dark(#b3261e, #ff9c92));
  --_radius: var(--byname-radius, 8px);
  --_gap: var(--byname-gap, 12px);
  color: var(--_ink);
  font: 400 15px/1.5 var(--byname-font, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif);
  overflow-wrap: break-word;
}
:where(.bn-surface) *, :where(.bn-surface) *::before { box-sizing: border-box; }
.bn-surface [hidden] { display: none !important; }
.bn { min-width: 0; }
.bn-status { position: fixed; inset: 0 auto auto 0; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.bn-surface :focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }

.bn-column, .bn-list, .bn-row { display: flex; gap: var(--_gap); }
.bn-column, .bn-list { flex-direction: column; }
:where(.bn-row) > :is(.bn-text, .bn-button) { min-width: auto; max-width: 100%; }
.bn-row > .bn-long { min-width: 0; overflow-wrap: anywhere; }
:where(.bn-row:has(> .bn-button ~ .bn-button, > .bn-row > .bn-button)) { flex-wrap: wrap;
  > :is(.bn-text, .bn-column, .bn-row) { flex: 1 1 min-content; min-width: 0; max-width: max-content; }
}
.bn-row > .bn-check { min-width: auto; grid-template-columns: auto 1fr; }
.bn-row > .bn-weighted { min-width: 0; max-width: none; }
.bn-row:not(:has(> :not(.bn-image, .bn-icon))) { flex-wrap: wrap; }
@media (max-width: 480px) {
  .bn-row:has(> :is(.bn-field, .bn-card)) { flex-wrap: wrap; }
  .bn-row > :is(.bn-field, .bn-card):not(.bn-check) { flex: 1 1 120px; min-width: min(100%, 120px); }
  .bn-row > .bn-field.bn-date { min-width: min(100%, 160px); }
}
.bn-stretch > * { flex: 1 1 0; }
.bn-list { gap: 8px; }
.bn-list.bn-across { flex-direction: row; overflow-x: auto; padding-block: 4px; }
.bn-across > .bn-item { flex: 0 0 auto; }
.bn-item { min-width: 0; }
.bn-windowed { display: block; overflow-anchor: auto; }
.bn-windowed > .bn-item { padding-block-end: 8px; }
.bn-column.bn-windowed > .bn-item { padding-block-end: var(--_gap); }
:is(.bn-column, [data-align]).bn-windowed > .bn-item { display: flex; flex-direction: column; align-items: inherit; }
.bn-spacer { overflow-anchor: none; }
.bn-card { background: var(--_raised); border: 1px solid var(--_line); border-radius: calc(var(--_radius) * 1.5); padding: 16px; }
.bn-divider { align-self: stretch; border: 0 solid var(--_line); border-block-start-width: 1px; }
.bn-divider.bn-vertical { border-width: 0; border-inline-start-width: 1px; }

.bn-text > :first-child { margin-block-start: 0; }
.bn-text > :last-child { margin-block-end: 0; }
.bn-text { white-space: pre-line; }
.bn-text p, .bn-text ul, .bn-text ol, .bn-text pre { margin-block: 8px; }
.bn-text ul, .bn-text ol { padding-inline-start: 24px; white-space: normal; }
.bn-level-1 { margin-inline-start: 24px; } .bn-level-2 { margin-inline-start: 48px; } .bn-level-3 { margin-inline-start: 72px; }
.bn-text a { color: var(--_accent); text-underline-offset: 2px; }
.bn-text code, .bn-text pre { font: 0.9em/1.5 var(--byname-mono, ui-monospace, "SF Mono", Menlo, Consolas, monospace); background: var(--_wash); border-radius: 4px; }
.bn-text pre { direction: ltr; text-align: left; }
.bn-text code { padding: 1px 4px; }
.bn-text pre { padding: 8px 12px; overflow: auto; white-space: pre; }
.bn-h1, .bn-h2, .bn-h3, .bn-h4, .bn-h5 { font-weight: 650; line-height: 1.25; letter-spacing: -0.01em; margin-block: 12px 4px; text-wrap: balance; }
.bn-text:is(.bn-h1, .bn-h2, .bn-h3, .bn-h4, .bn-h5) { margin-block: 0; }
.bn-h1 { font-size: 28px; } .bn-h2 { font-size: 22px; } .bn-h3 { font-size: 18px; } .bn-h4 { font-size: 16px; } .bn-h5 { font-size: 14px; }
.bn-caption { font-size: 13px; color: var(--_soft); }

.bn-image { display: block; max-width: 100%; border-radius: var(--_radius); object-fit: fill; background: var(--_wash); }
.bn-image[data-variant="icon"] { width: 24px; height: 24px; border-radius: 4px; }
.bn-image[data-variant="avatar"] { width: 40px; height: 40px; border-radius: 50%; object-fit: cover; flex: none; }
.bn-image[data-variant="smallFeature"] { width: 96px; height: 96px; }
.bn-image[data-variant="mediumFeature"] { width: 100%; max-height: 240px; }
.bn-row > .bn-image[data-variant="mediumFeature"] { width: 96px; height: 96px; flex: none; }
.bn-image[data-variant="largeFeature"] { width: 100%; max-height: 400px; }
.bn-image[data-variant="header"] { width: 100%; height: 160px; object-fit: cover; }
.bn-image:not([src]), .bn-image.bn-broken { min-height: 40px; border: 1px dashed var(--_line); }
.bn-video { display: block; width: 100%; border-radius: var(--_radius); background: #000; }
.bn-audio { margin: 0; display: grid; gap: 4px; }
.bn-audio figcaption { font-size: 13px; color: var(--_soft); }
.bn-audio audio { width: 100%; }
.bn-icon { display: inline-flex; flex: none; width: 24px; height: 24px; }
.bn-icon svg { width: 100%; height: 100%; }
.bn-icon .bn-stroked { fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.bn-icon .bn-filled { fill: currentColor; }
.bn-icon-name { width: auto; padding: 0 6px; border: 1px solid var(--_line); border-radius: 4px; font-size: 11px; line-height: 22px; color: var(--_soft); }

.bn-button { font: inherit; font-weight: 550; color: var(--_ink); background: var(--_raised); border: 1px solid var(--_edge); border-radius: var(--_radius); padding: 7px 16px; min-height: 40px; cursor: pointer; display: inline-flex; align-items: center; justify-content: center; gap: 8px; }
/* A button fits its text; in a row it aligns with the box of a field. */
.bn-column:not([data-align]) > .bn-button, .bn-column:not([data-align]) > .bn-item > .bn-button { align-self: flex-start; }
.bn-row:not([data-align]) > .bn-button { align-self: flex-end; }
.bn-button:hover { background: var(--_wash); }
.bn-button[data-variant="primary"] { background: var(--_accent); border-color: var(--_accent); color: var(--_on-accent); }
.bn-button[data-variant="primary"]:hover { background: color-mix(in oklab, var(--_accent) 88%, var(--_ink)); }
.bn-button[data-variant="borderless"] { border-color: transparent; background: transparent; color: var(--_accent); }
.bn-button[data-variant="borderless"]:hover { background: var(--_wash); }
.bn-button[aria-disabled="true"] { opacity: 0.55; cursor: not-allowed; }
.bn-button .bn-text { color: inherit; }

.bn-field { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; border: 0; margin: 0; padding: 0; min-width: 0; }
.bn-label { font-size: 13px; font-weight: 550; color: var(--_soft); padding: 0; }
.bn-input { font: inherit; color: inherit; background: var(--_paper); border: 1px solid var(--_edge); border-radius: var(--_radius); padding: 7px 12px; min-height: 40px; width: 100%; }
.bn-input::placeholder { color: var(--_soft); opacity: 1; }
textarea.bn-input { resize: vertical; }
.bn-input[aria-invalid="true"] { border-color: var(--_bad); }
.bn-message { font-size: 13px; color: var(--_bad); }
.bn-surface input[type="checkbox"], .bn-surface input[type="radio"] { width: 18px; height: 18px; margin: 0; accent-color: var(--_accent); flex: none; }
.bn-surface input[type="range"] { width: 100%; margin: 0; height: 24px; accent-color: var(--_accent); }
.bn-check { grid-template-columns: auto minmax(0, 1fr); align-items: center; column-gap: 8px; min-height: 24px; }
.bn-check .bn-label { color: inherit; font-size: inherit; font-weight: 400; }
.bn-check .bn-message { grid-column: 1 / -1; }
.bn-slider { grid-template-columns: minmax(0, 1fr) auto; }
.bn-value { font-size: 13px; color: var(--_soft); font-variant-numeric: tabular-nums; grid-column: 2; }
.bn-slider input, .bn-slider .bn-message { grid-column: 1 / -1; }
fieldset.bn-field > legend { margin-block-end: 4px; }
.bn-field > legend, .bn-option { overflow-wrap: anywhere; }
.bn-options { display: flex; flex-direction: column; gap: 8px; }
.bn-option { display: flex; align-items: center; gap: 8px; cursor: pointer; min-height: 24px; max-width: 100%; > span { min-width: 0; } }
.bn-chips .bn-options { flex-direction: row; flex-wrap: wrap; }
.bn-chips .bn-option { position: relative; border: 1px solid var(--_edge); border-radius: 999px; padding: 5px 14px; }
.bn-chips .bn-option:has(:checked) { background: var(--_wash); border-color: var(--_accent); color: var(--_accent); }
.bn-chips .bn-option input { position: absolute; opacity: 0; }
.bn-chips .bn-option:has(:focus-visible) { outline: 2px solid var(--_accent); outline-offset: 2px; }

.bn-tabs { display: grid; gap: var(--_gap); }
.bn-tablist { display: flex; gap: 4px; border-block-end: 1px solid var(--_line); overflow-x: auto; }
.bn-tab { font: inherit; font-weight: 550; color: var(--_soft); background: none; border: 0; border-block-end: 2px solid transparent; border-radius: 0; padding: 8px 12px; cursor: pointer; white-space: nowrap; }
.bn-tab[aria-selected="true"] { color: var(--_accent); border-block-end-color: var(--_accent); }
.bn-tab:focus-visible { outline-offset: -2px; }
.bn-trigger { display: inline-flex; cursor: pointer; }
.bn-dialog { color: var(--_ink); background: var(--_paper); border: 1px solid var(--_line); border-radius: calc(var(--_radius) * 1.5); padding: 0; width: min(560px, calc(100vw - 32px)); max-height: calc(100dvh - 64px); overflow: auto; }
.bn-dialog::backdrop { background: rgb(0 0 0 / 45%); }
.bn-dialog-body { padding: 20px; }
.bn-close { min-height: 0; padding: 0; position: sticky; inset-block-start: 8px; float: inline-end; margin: 8px; width: 32px; height: 32px; font: 20px/1 system-ui, sans-serif; color: var(--_soft); background: var(--_paper); border: 0; border-radius: 50%; cursor: pointer; }
.bn-close:hover { background: var(--_wash); }

.bn-skeleton { min-height: 20px; min-width: 64px; border-radius: 4px; background: var(--_wash); }
.bn-unknown { border: 1px dashed var(--_edge); border-radius: var(--_radius); padding: 12px; display: grid; gap: 8px; }
.bn-slot { display: contents; }
.bn-waiting { min-height: 36px; }
.bn-unknown-name { font-size: 13px; color: var(--_soft); }

@media (prefers-reduced-motion: no-preference) {
  .bn-skeleton { animation: bn-wait 1.6s ease-in-out infinite alternate; }
  .bn-button, .bn-tab { transition: background-color 120ms, color 120ms; }
}
@media (forced-colors: active) {
  .bn-tab { border-block-end-color: Canvas; }
  .bn-tab[aria-selected="true"] { border-block-end-color: Highlight; }
  .bn-chips .bn-option:has(:checked) { border-color: Highlight; outline: 2px solid Highlight; }
}
@media print {
  .bn-spacer { height: auto !important; }
  .bn-spacer::after { content: "…"; }
}
@keyframes bn-wait { from { opacity: 0.5; } to { opacity: 1; } }
`;
