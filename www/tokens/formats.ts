import type { Json } from "byname";
import { ToA2ui } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { messagesToExpress } from "byname/express";

/** Edit in one format: messages, and the text that a model writes. */
export interface FormatMessages {
  format: Format;
  messages: object[];
  text: string;
}

export const formatNames = ["A2UI", "Express", "JSON Patch", "HAM", "HAM, list edits"] as const;
export type Format = (typeof formatNames)[number];

export interface Edit {
  name: string;
  written: FormatMessages[];
  /** Expected rows after the edit. */
  users: ListUser[];
}

export type ListUser = { id: string; name: string; role: string };

const surfaceId = "team";
const names = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gita", "Hugo", "Ines", "Jon"];
const roles = ["Admin", "Editor", "Reader"];

/** Returns five edits of a list of people in every format. */
export function listEdits(count: number): Edit[] {
  const users = Array.from({ length: count }, (_, at) => userAt(at));
  const middle = Math.floor(count / 2);
  const changed = users.map((one, at) => (at === middle ? { ...one, role: "Owner" } : one));
  const added = userAt(count);
  const inserted = [added, ...users];
  const last = users[count - 1] as ListUser;
  const moved = [last, ...users.slice(0, -1)];
  const without = users.filter((_, at) => at !== middle);
  const gone = users[middle] as ListUser;
  const first = users[0] as ListUser;
  const list = (rows: readonly ListUser[]): Json => rows.map(({ id }) => `*${id}`);
  const rows = users.map(fieldsOf);
  const addFirst = { items: [`*${added.id}`], before: `*${first.id}` };
  const moveFirst = { items: [`*${last.id}`], before: `*${first.id}` };
  return [
    createEdit(
      "first load",
      users,
      [componentsMessage("A2UI"), pathUpdate("/", { users: rows })],
      [componentsMessage("A2UI"), patchMessage({ op: "add", path: "", value: { users: rows } })],
      [componentsMessage("HAM"), nodesMessage(firstNodes(users))],
    ),
    createEdit(
      "change one field",
      changed,
      [pathUpdate(`/users/${middle}/role`, "Owner")],
      [patchMessage({ op: "replace", path: `/users/${middle}/role`, value: "Owner" })],
      [nodesMessage({ [gone.id]: fieldsOf(changed[middle] as ListUser) })],
    ),
    createEdit(
      "insert a row at the front",
      inserted,
      [pathUpdate("/users", inserted.map(fieldsOf))],
      [patchMessage({ op: "add", path: "/users/0", value: fieldsOf(added) })],
      [nodesMessage({ [added.id]: fieldsOf(added), users: list(inserted) })],
      [nodesMessage({ [added.id]: fieldsOf(added), "+users": addFirst })],
    ),
    createEdit(
      "move the last row to the front",
      moved,
      [pathUpdate("/users", moved.map(fieldsOf))],
      [patchMessage({ op: "move", from: `/users/${count - 1}`, path: "/users/0" })],
      [nodesMessage({ users: list(moved) })],
      [nodesMessage({ "+users": moveFirst })],
    ),
    createEdit(
      "delete a row in the middle",
      without,
      [pathUpdate("/users", without.map(fieldsOf))],
      [patchMessage({ op: "remove", path: `/users/${middle}` })],
      [nodesMessage({ [`!${gone.id}`]: null })],
    ),
  ];
}

/** Returns the nodes of the first load. */
export function firstNodes(users: readonly ListUser[]): { [id: string]: Json } {
  return {
    root: { users: "*users" },
    users: users.map(({ id }) => `*${id}`),
    ...Object.fromEntries(users.map((one) => [one.id, fieldsOf(one)])),
  };
}

/** Returns the fields of a row. The id is the node name in HAM, and unused in the other formats. */
export function fieldsOf({ name, role }: ListUser): { [key: string]: Json } {
  return { name, role };
}

function userAt(at: number): ListUser {
  const round = Math.floor(at / names.length);
  const name = `${names[at % names.length]}${round === 0 ? "" : ` ${round + 1}`}`;
  return { id: `u${at + 1}`, name, role: roles[at % roles.length] as string };
}

/** Returns an edit; without list edits the messages of both HAM variants are equal. */
function createEdit(
  name: string,
  users: ListUser[],
  a2ui: object[],
  jsonPatch: object[],
  ham: object[],
  listEdits = ham,
): Edit {
  const all = [a2ui, a2ui, jsonPatch, ham, listEdits];
  const written = formatNames.map((format, index) => {
    const messages = all[index] ?? [];
    return { format, messages, text: textOf(format, messages) };
  });
  return { name, users, written };
}

/** Returns what a model writes: messages of one line each, or statements. */
function textOf(format: Format, messages: readonly object[]): string {
  if (format !== "Express") return messages.map((one) => JSON.stringify(one)).join("\n");
  const [first, ...rest] = messages as { [key: string]: Json }[];
  const surface = first?.["updateComponents"];
  // Express creates the surface and its data in one block.
  const created = surface === undefined ? [first] : [{ createSurface: surface }];
  const list = [...created, ...rest].filter((one) => one !== undefined);
  return messagesToExpress(list, { catalog: basicCatalog });
}

function componentsMessage(format: "A2UI" | "HAM"): object {
  const message = {
    updateComponents: {
      surfaceId,
      components: [
        {
          id: "root",
          component: "List",
          children: { binding: { node: "root", key: "users" }, template: "card" },
        },
        { id: "card", component: "Row", children: ["name", "role"] },
        { id: "name", component: "Text", text: { binding: { key: "name" } } },
        { id: "role", component: "Text", text: { binding: { key: "role" } } },
      ],
    },
  };
  if (format === "HAM") return message;
  return new ToA2ui().translate(message as unknown as { [key: string]: Json })
    .messages[0] as object;
}

function nodesMessage(byId: { [id: string]: Json }): object {
  return { updateDataModel: { surfaceId, nodes: byId } };
}

function pathUpdate(path: string, value: Json): object {
  return { updateDataModel: { surfaceId, path, value } };
}

/** Returns an RFC 6902 patch in an envelope. */
function patchMessage(operation: object): object {
  return { patchDataModel: { surfaceId, patch: [operation] } };
}
