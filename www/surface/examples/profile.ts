import { bind, component, components, type Example, list, update } from "./example.js";

/** Profile of the source text, its "Option B", and the scenarios that follow. */
export const profile: Example = {
  id: "profile",
  title: "A profile: example of the source text",
  steps: [
    {
      title: "Components",
      note: "Bindings name a node and a property of it. There are no paths and no indices.",
      text: components(
        component("root", "Card", { child: "body" }),
        component("body", "Column", {
          children: ["name", "tags", "line", "roles_title", "roles", "settings", "note"],
        }),
        component("name", "Text", { variant: "h2", text: bind("name", "user_data") }),
        component("tags", "Row", { children: list("tag", "tags", "user_data") }),
        component("tag", "Text", { variant: "caption", text: { binding: {} } }),
        component("line", "Divider"),
        component("roles_title", "Text", { variant: "h4", text: "Roles" }),
        component("roles", "List", { children: list("role", "roles", "user_data") }),
        component("role", "Row", {
          align: "center",
          children: ["role_icon", "role_title", "role_access"],
        }),
        component("role_icon", "Icon", { name: "accountCircle" }),
        component("role_title", "Text", { text: bind("title") }),
        component("role_access", "Row", { children: list("tag", "access") }),
        component("settings", "TextField", {
          label: "Settings (null until edited)",
          value: { binding: { node: "user_settings" } },
        }),
        component("note", "TextField", {
          label: "Note, a literal that begins with *",
          value: { binding: { node: "note_ref" } },
        }),
      ),
    },
    {
      title: "Option B",
      note: "The source's example, streamed. `user_name` arrives after the node that references it.",
      stream: true,
      text: update({
        root: { user: "*user_data" },
        user_data: {
          name: "*user_name",
          roles: "*user_roles",
          tags: ["Active", "Premium"],
          settings: "*user_settings",
        },
        user_roles: ["*role_admin", "*role_editor"],
        user_name: "Jane Doe",
        role_admin: { title: "Admin", access: ["all"] },
        role_editor: { title: "Editor", access: ["read", "write"] },
        user_settings: null,
        note_ref: "* This is a literal string starting with an asterisk",
      }),
    },
    {
      title: "Reorder roles",
      note: "The list node in a new order: one move.",
      stream: true,
      text: update({ user_roles: ["*role_editor", "*role_admin"] }),
    },
    {
      title: "Delete a role",
      note: "One unmount.",
      stream: true,
      text: update({ "!role_editor": null, user_roles: ["*role_admin"] }),
    },
    {
      title: "Literal null",
      note: "An explicit null. It equals the old value, so no change is reported: see Why, Log.",
      stream: true,
      text: update({ user_settings: null }),
    },
  ],
};

export const users: Example = {
  id: "users",
  title: "A templated list: example of the source text",
  steps: [
    {
      title: "Components",
      note: "The template names no node, so it binds to the current item.",
      text: components(
        component("root", "List", { children: list("user_card", "users", "root") }),
        component("user_card", "Card", { child: "user_line" }),
        component("user_line", "Row", { children: ["user_place", "user_name"] }),
        component("user_place", "Text", {
          variant: "caption",
          text: { call: "@index", args: { offset: 1 } },
        }),
        component("user_name", "Text", { text: bind("name") }),
      ),
    },
    {
      title: "Data",
      note: "Pointers make rows with stable ids.",
      stream: true,
      text: update({ root: { users: ["*u1", "*u2"] }, u1: { name: "Alice" }, u2: { name: "Bob" } }),
    },
    {
      title: "A literal item",
      note: "Models may write literals instead of ids. They are rows too.",
      stream: true,
      text: update({ root: { users: ["*u1", { name: "Carol, a literal" }, "*u2"] } }),
    },
    {
      title: "Move the last row first",
      note: "Two rows keep their order; one moves.",
      stream: true,
      text: update({ root: { users: ["*u2", "*u1", { name: "Carol, a literal" }] } }),
    },
  ],
};
