import { components, type Example, update } from "./example.js";

/** Profile of the source text, its "Option B", and the scenarios that follow. */
export const profile: Example = {
  id: "profile",
  title: "A profile: example of the source text",
  steps: [
    {
      title: "Components",
      note: "Bindings name a node and a property of it. There are no paths and no indices.",
      text: components(
        { id: "root", component: "Card", child: "body" },
        {
          id: "body",
          component: "Column",
          children: ["name", "tags", "line", "roles_title", "roles", "settings", "note"],
        },
        {
          id: "name",
          component: "Text",
          variant: "h2",
          text: { binding: { node: "user_data", key: "name" } },
        },
        {
          id: "tags",
          component: "Row",
          children: { binding: { node: "user_data", key: "tags" }, template: "tag" },
        },
        { id: "tag", component: "Text", variant: "caption", text: { binding: {} } },
        { id: "line", component: "Divider" },
        { id: "roles_title", component: "Text", variant: "h4", text: "Roles" },
        {
          id: "roles",
          component: "List",
          children: { binding: { node: "user_data", key: "roles" }, template: "role" },
        },
        {
          id: "role",
          component: "Row",
          align: "center",
          children: ["role_icon", "role_title", "role_access"],
        },
        { id: "role_icon", component: "Icon", name: "accountCircle" },
        { id: "role_title", component: "Text", text: { binding: { key: "title" } } },
        {
          id: "role_access",
          component: "Row",
          children: { binding: { key: "access" }, template: "tag" },
        },
        {
          id: "settings",
          component: "TextField",
          label: "Settings (null until edited)",
          value: { binding: { node: "user_settings" } },
        },
        {
          id: "note",
          component: "TextField",
          label: "Note, a literal that begins with *",
          value: { binding: { node: "note_ref" } },
        },
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
      note: "An explicit null. It equals the old value, so no change is reported: see the inspector.",
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
        {
          id: "root",
          component: "List",
          children: { binding: { node: "root", key: "users" }, template: "user_card" },
        },
        { id: "user_card", component: "Card", child: "user_line" },
        { id: "user_line", component: "Row", children: ["user_place", "user_name"] },
        {
          id: "user_place",
          component: "Text",
          variant: "caption",
          text: { call: "@index", args: { offset: 1 } },
        },
        { id: "user_name", component: "Text", text: { binding: { key: "name" } } },
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
