/** Styles of the panel, for its shadow root. */
export const css = `
:host {
  --ink: light-dark(#1c1c1e, #ececf0);
  --muted: light-dark(#5b5b63, #a9a9b4);
  --paper: light-dark(#fff, #1c1c20);
  --raised: light-dark(#f2f2f5, #2a2a30);
  --line: light-dark(#cfcfd6, #45454e);
  --accent: light-dark(#1a55c4, #8ab4ff);
  --bad: light-dark(#b3161b, #ff8f87);
  --warn: light-dark(#7a5200, #f0c060);
  --mark: light-dark(#fff1c2, #4a3d10);
  color-scheme: light dark;
  display: block;
  container-type: inline-size;
  box-sizing: border-box;
  color: var(--ink);
  background: var(--paper);
  font: 13px/1.45 system-ui, sans-serif;
  text-align: start;
}
:host([docked]) {
  position: fixed;
  inset: auto 0 0;
  z-index: 2147483000;
  border-top: 1px solid var(--line);
  box-shadow: 0 -4px 16px #0003;
}
:host([hidden]) { display: none; }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
button, select, input { font: inherit; color: inherit; }
button, select {
  min-height: 26px;
  padding: 1px 9px;
  border: 1px solid var(--line);
  border-radius: 5px;
  background: var(--raised);
  cursor: pointer;
}
button:disabled { color: var(--muted); cursor: default; }
button[aria-pressed="true"] { border-color: var(--accent); color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.bar { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 6px 8px; }
.bar strong { margin-inline-end: 4px; }
.bar .end { margin-inline-start: auto; }
.bar label { display: inline-flex; gap: 4px; align-items: center; }
:host([fill]) { height: 100%; }
:host([fill]) .panel, :host([fill]) .body { display: flex; flex-direction: column; height: 100%; min-height: 0; }
:host([fill]) .body { flex: 1; }
:host([fill]) .panes { flex: 1; height: auto; min-height: 0; }
.head { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 8px; padding: 0 8px; border-bottom: 1px solid var(--line); }
.head input { flex: 1 1 90px; min-width: 0; max-width: 240px; min-height: 26px; margin-inline-start: auto; padding: 1px 8px; border: 1px solid var(--line); border-radius: 5px; background: var(--paper); }
.tabs { display: contents; }
.added { flex: 1; min-height: 0; max-height: 340px; overflow: auto; padding: 8px; }
:host([fill]) .added { max-height: none; }
.tabs button { border: 0; border-radius: 5px 5px 0 0; background: none; }
.tabs [aria-selected="true"] { background: var(--raised); box-shadow: inset 0 -2px var(--accent); }
.notice { margin: 0; padding: 6px 10px; background: var(--mark); }
.panes { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); height: 300px; }
:host([docked]) .panes { height: min(38vh, 340px); }
.list, .detail { margin: 0; overflow: auto; padding: 4px; }
.list { list-style: none; border-inline-end: 1px solid var(--line); }
.list > li { display: flex; gap: 8px; padding: 2px 6px; border-radius: 4px; white-space: nowrap; cursor: default; }
.list > li > .grow { flex: 1; overflow: hidden; text-overflow: ellipsis; }
.list > [aria-selected="true"] { background: var(--raised); box-shadow: inset 3px 0 var(--accent); }
.list > li.new { animation: fresh 1.2s ease-out; }
.detail button { min-height: 24px; padding: 0 6px; font-family: ui-monospace, monospace; font-size: 12px; overflow-wrap: anywhere; text-align: start; }
.readers { margin: 4px; padding: 0; list-style: none; }
.readers li { padding: 2px 0; }
.detail h2 { margin: 6px 4px; font-size: 13px; }
.detail p { margin: 4px; overflow-wrap: anywhere; }
.time, .muted { color: var(--muted); }
.time, code, .json { font-family: ui-monospace, monospace; font-size: 12px; }
.error { color: var(--bad); }
.warning { color: var(--warn); }
.kind { min-width: 62px; font-weight: 600; }
.json { margin: 0; padding: 4px; list-style: none; white-space: pre-wrap; overflow-wrap: anywhere; }
.json .place { background: var(--mark); }
.json .note { font-family: system-ui, sans-serif; white-space: normal; padding-inline-start: 16px; }
table { border-collapse: collapse; margin: 4px; font-size: 12px; }
th, td { padding: 2px 6px; border: 1px solid var(--line); text-align: start; vertical-align: top; max-width: 260px; overflow-wrap: anywhere; }
th { background: var(--raised); }
.empty { padding: 8px; color: var(--muted); }
@keyframes fresh { from { background: var(--mark); } }
@container (max-width: 640px) {
  .panes { grid-template-columns: 1fr; grid-template-rows: 1fr 1fr; }
  .list { border-inline-end: 0; border-bottom: 1px solid var(--line); }
}
@media (prefers-reduced-motion: reduce) { .list > li.new { animation: none; } }
@media (forced-colors: active) {
  .list > [aria-selected="true"], .json .place { outline: 1px solid Highlight; outline-offset: -1px; }
}
`;
