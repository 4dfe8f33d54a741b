// Properties with names of secrets in the log of byname/devtools.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { attach, Recorder } from "byname/devtools";
import { basicCatalog } from "byname/dom";

await init();

const dataOf = (nodes) => ({ updateDataModel: { surfaceId: "s", nodes } });

/** Returns a recorder that is attached to a surface. */
function record(surface) {
  const recorder = new Recorder();
  attach({ surfaces: surface }, { recorder });
  return recorder;
}

test("values of properties with names of secrets are redacted in every form of a message", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const recorder = record(surface);
  const names = ["password", "newPassword", "user_password", "pwd", "pin", "token", "apiKey"];
  for (const name of [...names, "clientSecret", "OPENAI_API_KEY", "access_token"])
    for (const value of ["hidden-1", 4711471147])
      surface.receive(dataOf({ form: { [name]: value } }));
  surface.receive({
    updateDataModel: { surfaceId: "s", path: "/form/password", value: "hidden-2" },
  });
  const contents = [{ key: "password", valueString: "hidden-3" }];
  surface.receive({ dataModelUpdate: { surfaceId: "s", contents } });
  surface.receive('{"updateDataModel": {"nodes": {"form": {"password": "hidden-4');
  const all = JSON.stringify(recorder.entries) + recorder.export();
  for (const secret of ["hidden", "4711471147"]) assert.ok(!all.includes(secret), secret);
  for (const name of names) assert.ok(all.includes(name), `${name} is in the log`);
});

test("keeps pointers under names of secrets, so that the export can be replayed", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const recorder = record(surface);
  surface.receive(dataOf({ pw: { hint: "none" }, form: { password: "*pw" } }));
  assert.equal(recorder.entries[0].message.updateDataModel.nodes.form.password, "*pw");
});

/** Returns the names of properties whose texts are in the log. */
function visibleNames(names) {
  const surface = new Surface({ catalog: basicCatalog });
  const recorder = record(surface);
  return names.filter((name) => {
    surface.receive(dataOf({ form: { [name]: "hidden-text" } }));
    return JSON.stringify(recorder.entries.at(-1)).includes("hidden-text");
  });
}

test("names with several words, plurals, numbers and confirmations are names of secrets", () => {
  const names = [
    ...["password2", "passwordConfirm", "passwordConfirmation", "confirm_password", "pass"],
    ...["userPin", "userPIN", "pinCode", "otp", "otpCode", "cvv", "dbPass", "passcodes"],
    ...["sessionToken", "csrfToken", "tokens", "accessTokens", "GITHUB_TOKEN", "refresh-token"],
    ...["apiKeys", "x-api-key", "secrets", "mySecret", "secretValue", "aws_secret_key"],
    ...["cookies", "Set-Cookie", "Proxy-Authorization", "userpassword", "jwt", "credentials"],
  ];
  assert.deepEqual(visibleNames(names), []);
});

test("names that only resemble names of secrets are not redacted", () => {
  const names = [
    ...["pinned", "pinColor", "mapPinned", "spin", "passenger", "compass", "bypass", "passed"],
    ...["secretary", "secretariat", "tokenCount", "maxTokens", "inputTokens", "tokenizer"],
    ...["nextPageToken", "passwordLabel", "passwordHint", "monkeys", "author", "confirm"],
  ];
  assert.deepEqual(visibleNames(names), names);
  const surface = new Surface({ catalog: basicCatalog });
  const recorder = record(surface);
  surface.receive(dataOf({ usage: { tokens: 4711 } }));
  assert.ok(recorder.export().includes("4711"), "a number of tokens is a count");
});

test("tokens are redacted inside of texts, after words with hyphens too", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const recorder = record(surface);
  const jwt = "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl";
  const texts = [
    `Bearer  hidden-token`,
    `see ${jwt}.`,
    `jwt-${jwt}`,
    `a.${jwt}`,
    "Bearer\nhidden/x+y==",
  ];
  surface.receive(dataOf({ form: { texts } }));
  const shown = JSON.stringify(recorder.entries);
  assert.equal(shown.match(/\[secret\]/g).length, texts.length);
  assert.doesNotMatch(shown, /hidden|eyJ/);
});

/** Returns a text as the log shows it after a password was typed letter by letter. */
function shownText(secrets, typed, text) {
  const surface = new Surface({ catalog: basicCatalog });
  const recorder = new Recorder({ secrets });
  attach({ surfaces: surface }, { recorder });
  const value = { binding: { node: "form", key: "field" } };
  const root = { id: "root", component: "TextField", variant: "obscured", label: "P", value };
  surface.receive({ createSurface: { surfaceId: "s", components: [root] } });
  surface.receive(dataOf({ form: { field: "" } }));
  for (let length = 1; length <= typed.length; length++)
    surface.input("root", "value", typed.slice(0, length));
  surface.receive(dataOf({ other: { note: text } }));
  const { id } = recorder.entries.at(-1);
  // A further secret redacts the entries again.
  surface.input("root", "value", "another");
  return recorder.entries.find((entry) => entry.id === id).message.updateDataModel.nodes.other.note;
}

test("a secret is redacted completely, whatever parts of it are secrets too", () => {
  const key = "sk-0123456789abcdefghij";
  for (const [secrets, typed, text, shown] of [
    [[], "qwerTyS3cret", "it is qwerTyS3cret now", "it is [secret] now"],
    [[], 'qwer"TyS3cret', 'it is qwer\\"TyS3cret now', "it is [secret] now"],
    [["abcd", "abcd-EFGH"], "", "it is abcd-EFGH now", "it is [secret] now"],
    [["abcdef", "cdefgh"], "", "it is abcdefgh now", "it is [secret] now"],
    [["abcab"], "", "it is abcabcab now", "it is [secret] now"],
    [[`${key}==/tail`], "", `it is ${key}==/tail now`, "it is [secret] now"],
    [["Bear"], "", "Bearer hidden-1", "[secret]er [secret]"],
    [["secret"], "", "secret secret[secret]", "[secret] [secret][secret]"],
    [["abcd"], "", "abcdabcd", "[secret][secret]"],
  ])
    assert.equal(shownText(secrets, typed, text), shown);
  const many = shownText(["abcd"], "", "abcd ".repeat(200_000));
  assert.equal(many, "[secret] ".repeat(200_000));
});

test("long texts are redacted in linear time", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const recorder = record(surface);
  const size = 1_000_000;
  for (const unit of [" ", "eyJ-aaaaaaaa-", "eyJ-aaaaaaaa.", '\\"', '"', '" ', '":', "Bearer "]) {
    const text = `a"${unit.repeat(size / unit.length)}`;
    const start = performance.now();
    surface.receive(dataOf({ form: { text } }));
    const spent = performance.now() - start;
    // A search that is quadratic takes minutes.
    assert.ok(spent < 5000, `${JSON.stringify(unit)}: ${Math.round(spent)} ms`);
  }
  assert.equal(recorder.entries.length, 8);
});

test("messages that are nested deep, or end in a long string, have an entry", () => {
  const nested = Array.from({ length: 20_000 }).reduce((inner) => [inner], 1);
  const deep = "[".repeat(20_000) + "]".repeat(20_000);
  const open = '{"updateDataModel": {"nodes": {"form": {"password": "hidden';
  for (const message of [
    `{"updateDataModel": {"nodes": {"a": ${deep}}}}`,
    nested,
    open + "y".repeat(20_000_000),
    open + "\\n".repeat(5_000_000),
    `{"updateDataModel": {"nodes": {"": {"a": "${"\\n".repeat(5_000_000)}"}}}}`,
  ]) {
    const surface = new Surface({ catalog: basicCatalog });
    const recorder = record(surface);
    surface.receive(message);
    assert.deepEqual(
      recorder.entries.map(({ kind }) => kind),
      ["message"],
    );
    assert.ok(!recorder.export().includes("hidden"));
  }
});
