import type { Json } from "../types.js";

/** Number of rows of a page. */
export const PAGE_SIZE = 1_000;

/** Rows of a client: all at once, or pages. */
export type RowStream = Promise<Json[]> | AsyncIterable<Json[]>;

/** Returns whether rows arrive in pages. */
export function isPaged(rows: unknown): rows is AsyncIterable<Json[]> {
  return typeof Object(rows)[Symbol.asyncIterator] === "function";
}

/** Returns all rows of a stream. */
export async function collectRows(rows: RowStream): Promise<Json[]> {
  if (!isPaged(rows)) return rows;
  const all: Json[] = [];
  for await (const page of rows) for (const row of page) all.push(row);
  return all;
}

/** Groups items into pages. Leaving the loop ends the source, so that it closes its cursor. */
export async function* pagesOf<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let page: T[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < PAGE_SIZE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
