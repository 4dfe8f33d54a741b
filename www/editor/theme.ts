import { EditorView } from "@codemirror/view";
import tokens from "../css/tokens.css?inline";

let cachedSheet: CSSStyleSheet | undefined;

/** Returns the token colours of the page as a style sheet for the shadow root. */
export function tokenStyles(): CSSStyleSheet {
  if (cachedSheet) return cachedSheet;
  cachedSheet = new CSSStyleSheet();
  cachedSheet.replaceSync(tokens);
  return cachedSheet;
}

const fieldStyle = {
  font: "inherit",
  color: "inherit",
  background: "var(--paper)",
  border: "1px solid var(--line)",
  borderRadius: "8px",
  padding: "2px 8px",
};

/** Editor theme; its CSS variables cover the light and the dark scheme. */
export const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--code-ink)", background: "none" },
  "&.cm-focused": {
    outline: "2px solid var(--accent)",
    outlineOffset: "-2px",
    borderRadius: "4px",
  },
  ".cm-scroller": {
    font: "var(--code-size) / 18px var(--mono)",
    overflow: "auto",
    scrollbarGutter: "stable",
  },
  ".cm-content": { padding: "12px 16px", caretColor: "var(--ink)", overflowWrap: "anywhere" },
  ".cm-line": { padding: "0" },
  ".cm-placeholder": { color: "var(--muted)", whiteSpace: "pre-wrap" },
  ".cm-content ::selection, .cm-content::selection": { background: "var(--flash)" },
  "&.cm-focused .cm-matchingBracket": {
    background: "var(--flash)",
    outline: "1px solid var(--line)",
  },
  "&.cm-focused .cm-nonmatchingBracket": { background: "none" },
  ".cm-lintRange": { backgroundImage: "none", paddingBottom: "0", borderRadius: "2px" },
  ".cm-lintPoint::after": { display: "none" },
  ".cm-tooltip": {
    background: "var(--paper)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    boxShadow: "0 4px 16px rgb(0 0 0 / 0.16)",
    overflow: "hidden",
    maxWidth: "min(420px, calc(100vw - 32px))",
    zIndex: "20",
  },
  ".cm-tooltip-autocomplete > ul": { font: "12px / 18px var(--mono)", maxHeight: "220px" },
  ".cm-tooltip-autocomplete > ul > li": { padding: "3px 8px", display: "flex", gap: "12px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--wash)",
    color: "var(--accent)",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "650" },
  ".cm-completionDetail": {
    color: "var(--muted)",
    fontStyle: "normal",
    marginLeft: "auto",
    overflow: "hidden",
    textOverflow: "ellipsis",
  },
  ".cm-diagnostic": {
    padding: "8px 12px",
    border: "0",
    margin: "0",
    font: "13px / 18px system-ui, sans-serif",
  },
  ".cm-diagnostic + .cm-diagnostic": { borderTop: "1px solid var(--line)" },
  ".words p": { margin: "4px 0 0" },
  ".words code": { font: "12px / 18px var(--mono)" },
  ".words .help": { color: "var(--muted)" },
  ".cm-diagnosticAction": {
    ...fieldStyle,
    margin: "8px 8px 0 0",
    padding: "4px 12px",
    cursor: "pointer",
  },
  ".cm-panels": { background: "var(--paper)", color: "var(--ink)", zIndex: "10" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": {
    padding: "8px 32px 8px 16px",
    font: "13px / 20px system-ui, sans-serif",
  },
  ".cm-panel.cm-search [name=close]": {
    right: "12px",
    top: "8px",
    fontSize: "16px",
    color: "inherit",
    cursor: "pointer",
  },
  ".cm-panel.cm-search label": { fontSize: "13px" },
  ".cm-textfield": { ...fieldStyle, fontSize: "13px" },
  ".cm-button": { ...fieldStyle, backgroundImage: "none", fontSize: "13px", cursor: "pointer" },
  ".cm-searchMatch": { background: "var(--flash)" },
  ".cm-searchMatch-selected": { background: "var(--flash)", outline: "1px solid var(--accent)" },
});
