import { GaslSession, type Json } from "byname";
import type { Session } from "./graph-source.js";

/** State, shared by frames that did not change it. */
export interface State {
  hash: string;
  variables: { [key: string]: Json };
  /** Findings with their sources, by key. */
  evidence: Map<string, Finding[]>;
}

export interface Finding {
  key: string;
  item: Json;
  sources: { [part: string]: Json }[];
  /** Set if no source is a row. */
  uncited?: boolean;
}

/** Commands that do not change the state, whose reading takes long while a plan runs. */
const readOnly = /^\s*(?:FIND|WALK|COUNT|RANK|SELECT|JOIN|AGGREGATE|MEASURE|SHOW|ASSERT)\b/i;

/** Returns the state after a step, as `readState`; null if the step cannot have changed it. */
export function readStateAfter(
  session: Session,
  previous: State,
  command: string,
  changed: string | null,
): State | null | Promise<State> {
  const isRemote = !(session instanceof GaslSession);
  // The first state has the hash that a fork needs.
  const isKnown = previous.hash !== "";
  const isReadOnly = readOnly.test(command);
  if (isRemote && isKnown && isReadOnly) return null;
  // The name of a command that only reads is a variable, which may have many rows.
  return readState(session, previous, isReadOnly ? null : changed);
}

/** Maximum number of findings of a key that are read. */
const maxFindings = 200;

export const emptyState: State = { hash: "", variables: {}, evidence: new Map() };

/**
 * Returns the state of a session, and the previous one if it has not changed. Returns a promise for
 * a session in a worker; its parts are requested at once, because the session may continue.
 * `changed` is the key that a step has changed.
 */
export function readState(
  session: Session,
  previous = emptyState,
  changed: string | null = null,
): State | Promise<State> {
  if (!(session instanceof GaslSession)) return readRemoteState(session, previous, changed);
  const { hash } = session.snapshot();
  if (hash === previous.hash) return previous;
  const { variables = {} } = session.state as StateJson;
  const evidence = new Map<string, Finding[]>();
  for (const key of collectionKeys(variables)) addFindings(evidence, key, session.evidence(key));
  return { hash, variables, evidence };
}

async function readRemoteState(
  session: Exclude<Session, GaslSession>,
  previous: State,
  changed: string | null,
): Promise<State> {
  const known = collectionKeys(previous.variables);
  const keys = [...new Set(changed === null ? known : [...known, changed])];
  const [{ hash }, state, ...findings] = await Promise.all([
    session.snapshot(),
    session.state,
    ...keys.map((key) => session.evidence(key)),
  ]);
  if (hash === previous.hash) return previous;
  const evidence = new Map<string, Finding[]>();
  for (const [index, key] of keys.entries()) addFindings(evidence, key, findings[index]);
  return { hash, variables: (state as StateJson).variables ?? {}, evidence };
}

type StateJson = { variables?: { [key: string]: Json } };

function addFindings(evidence: Map<string, Finding[]>, key: string, value: Json | undefined): void {
  const found = value as unknown as Finding[];
  if (Array.isArray(found) && found.length > 0) evidence.set(key, found.slice(0, maxFindings));
}

/** Returns the keys of lists and dictionaries, nested ones with dots. */
function collectionKeys(variables: { [key: string]: Json }, before = ""): string[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    const meta = value["_meta"];
    if (typeof meta !== "object" || meta === null || Array.isArray(meta)) return [];
    const key = before + name;
    const inner =
      meta["type"] === "DICT" ? collectionKeys(value as { [key: string]: Json }, `${key}.`) : [];
    return [key, ...inner];
  });
}
