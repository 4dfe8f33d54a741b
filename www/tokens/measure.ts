import { type Format, listEdits } from "./formats.js";

export interface EditMeasurement {
  edit: string;
  counts: { format: Format; tokens: number; bytes: number; text: string }[];
}

/** Counts tokens and bytes of each edit; messages are separated by line breaks. */
export function measureEdits(rows: number, tokens: (text: string) => number): EditMeasurement[] {
  const bytes = new TextEncoder();
  return listEdits(rows).map(({ name, written }) => ({
    edit: name,
    counts: written.map(({ format, text }) => ({
      format,
      tokens: tokens(text),
      bytes: bytes.encode(text).length,
      text,
    })),
  }));
}
