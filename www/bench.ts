/** A workbench of the page. */
export interface Bench {
  /** What the menu offers. */
  readonly examples: readonly { id: string; title: string }[];
  /** Comes into sight, with an example; without one what was there stays. Answers the example's id. */
  enter(id: string): string;
  /** Goes out of sight: nothing moves any more. */
  leave(): void;
}
