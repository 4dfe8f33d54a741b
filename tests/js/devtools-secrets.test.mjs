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
