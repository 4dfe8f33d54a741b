// Dates: an instant is shown and edited in the zone of the reader; other values are wall-clock
// times in every zone.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { init, Surface } from "byname";
import { toA2uiAction } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { renderToString } from "byname/dom/server";
import { editedDate, shownDate } from "../../pkg/dom/components/date-value.js";
import { instantOf, parseTime, wallOf } from "../../pkg/functions/zoned-time.js";

await init();

const NEW_YORK = "America/New_York";
const both = "datetime-local";

const surfaceOf = (value) => {
  const surface = new Surface({ catalog: basicCatalog });
  const date = {
    component: "DateTimeInput",
    label: "D",
    enableDate: true,
    enableTime: true,
    value,
  };
  const components = [
    { id: "root", component: "Column", children: ["d", "t"] },
    { id: "d", ...date },
    {
      id: "t",
      component: "Text",
      text: { call: "formatDate", args: { value, format: "yyyy-MM-dd'T'HH:mm" } },
    },
  ];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  return surface;
};

/** Returns the value of the control and the text in the rendered HTML. */
const shown = (value, options) => {
  const html = renderToString(surfaceOf(value), { style: false, ...options });
  return [/ value="([^"]*)"/.exec(html)[1], />(\d{4}-[^<]*)</.exec(html)[1]];
};

/** Values, and what a reader in each zone sees. */
const views = [
  ["2026-06-17T14:30:00Z", NEW_YORK, "2026-06-17T10:30"],
  ["2026-06-17T14:30:00Z", "Asia/Tokyo", "2026-06-17T23:30"],
  ["2026-06-17T14:30:00Z", "Asia/Kathmandu", "2026-06-17T20:15"],
  ["2026-01-01T02:00:00+02:00", NEW_YORK, "2025-12-31T19:00"],
  ["2026-06-17 14:30Z", "UTC", "2026-06-17T14:30"],
  ["2026-06-17T14:30", NEW_YORK, "2026-06-17T14:30"],
  ["2026-06-17", "Pacific/Auckland", "2026-06-17T00:00"],
  // This hour does not exist in New York, but a wall-clock time has no zone.
  ["2026-03-08T02:30:00", NEW_YORK, "2026-03-08T02:30"],
];

for (const [value, timeZone, expected] of views) {
  test(`input and text agree: ${value} in ${timeZone}`, () => {
    assert.deepEqual(shown(value, { timeZone }), [expected, expected]);
  });
}

test("without an option, the zone is that of the system", () => {
  const script = `
    import { evaluate } from "./pkg/functions/evaluate.js";
    import { shownDate, editedDate } from "./pkg/dom/components/date-value.js";
    const args = { value: "2026-06-17T14:30:00Z", format: "HH:mm" };
    const wall = { value: "2026-03-08T02:30", format: "HH:mm" };
    console.log(JSON.stringify([
      evaluate({ call: "formatDate", args }),
      shownDate(args.value, "time"),
      editedDate(args.value, "09:00", "time"),
      evaluate({ call: "formatDate", args: wall }),
    ]));`;
  for (const [TZ, text, edited] of [
    ["UTC", "14:30", "2026-06-17T09:00:00Z"],
    [NEW_YORK, "10:30", "2026-06-17T13:00:00Z"],
    ["Asia/Tokyo", "23:30", "2026-06-17T00:00:00Z"],
  ]) {
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: new URL("../..", import.meta.url),
      env: { ...process.env, TZ },
    });
    assert.deepEqual(JSON.parse(output), [text, text, edited, "02:30"], TZ);
  }
});

/** Edits: old value, typed value, type, zone and the new value. */
const edits = [
  ["2026-06-17T14:30:00Z", "2026-06-18T08:33", both, NEW_YORK, "2026-06-18T12:33:00Z"],
  ["2026-06-17T14:30:15.250Z", "2026-06-18T08:33", both, NEW_YORK, "2026-06-18T12:33:15.250Z"],
  ["2026-06-17T14:30+02:00", "2026-06-17T09:00", both, NEW_YORK, "2026-06-17T15:00+02:00"],
  ["2026-06-17T14:30:00-0330", "2026-06-17T13:00", both, "UTC", "2026-06-17T09:30:00-0330"],
  // Only the day or the time changes; the other part is that of the reader.
  ["2026-06-18T02:30:00Z", "2026-07-01", "date", NEW_YORK, "2026-07-02T02:30:00Z"],
  ["2026-06-18T02:30:00Z", "23:15", "time", NEW_YORK, "2026-06-18T03:15:00Z"],
  // A day in winter keeps the time of the clock.
  ["2026-06-17T14:30:00Z", "2026-12-17", "date", NEW_YORK, "2026-12-17T15:30:00Z"],
  // 02:30 is skipped on this day, and 01:30 occurs twice on the other.
  ["2026-03-07T12:00:00Z", "2026-03-08T02:30", both, NEW_YORK, "2026-03-08T07:30:00Z"],
  ["2026-10-31T12:00:00Z", "2026-11-01T01:30", both, NEW_YORK, "2026-11-01T05:30:00Z"],
  ["2026-11-01T06:30:00Z", "2026-11-01T01:45", both, NEW_YORK, "2026-11-01T06:45:00Z"],
  [Date.UTC(2026, 5, 17, 14, 30), "2026-06-17T11:00", both, NEW_YORK, Date.UTC(2026, 5, 17, 15)],
  ["2026-06-17T14:30:15", "2026-06-18T08:33", both, NEW_YORK, "2026-06-18T08:33:15"],
  ["", "2026-06-18T08:33", both, NEW_YORK, "2026-06-18T08:33"],
  ["2026-06-17T14:30:00Z", "", both, NEW_YORK, ""],
];

for (const [old, typed, type, timeZone, expected] of edits) {
  test(`edits ${JSON.stringify(old)} to ${typed || "nothing"} in ${timeZone}`, () => {
    assert.equal(editedDate(old, typed, type, timeZone), expected);
  });
}

test("an edit without a change keeps the value, in every zone and hour", () => {
  const zones = ["UTC", NEW_YORK, "Europe/Zurich", "Australia/Lord_Howe", "Asia/Kathmandu"];
  for (const timeZone of zones) {
    // Around both changes of the clock, every half hour.
    for (const start of [Date.UTC(2026, 2, 7), Date.UTC(2026, 9, 24), Date.UTC(2026, 9, 31)]) {
      for (let at = start; at < start + 3 * 86_400_000; at += 1_800_000) {
        const value = new Date(at).toISOString();
        const typed = shownDate(value, both, timeZone);
        assert.equal(editedDate(value, typed, both, timeZone), value, `${value} in ${timeZone}`);
        assert.equal(
          wallOf({ kind: "instant", at: instantOf(at, timeZone) }, timeZone) >= at,
          true,
        );
      }
    }
  }
});

test("impossible dates are empty, also with a zone", () => {
  for (const value of ["2026-02-30", "2026-02-30T10:00Z", "2026-13-01", "25:99", "soon", "", null])
    assert.equal(parseTime(value), undefined, String(value));
});

test("reads other forms of dates, with and without a zone", () => {
  const at = Date.UTC(2026, 5, 17, 14, 30);
  const mail = "Wed, 17 Jun 2026 14:30:00 GMT";
  assert.deepEqual(parseTime(mail), { kind: "instant", at });
  assert.deepEqual(parseTime("June 17, 2026 14:30"), { kind: "wall", at });
});

test("actions and options use the zone, and an invalid zone is rejected", () => {
  const args = { value: "2026-06-17T14:30:00Z", format: "H:mm" };
  const action = { name: "go", context: { at: { call: "formatDate", args } } };
  const sent = toA2uiAction(action, { timeZone: "Asia/Tokyo" });
  assert.equal(sent.action.context.at, "23:30");
  const invalid = { code: "argument", message: /time zone such as "Europe\/Zurich", found "Mars"/ };
  assert.throws(() => toA2uiAction(action, { timeZone: "Mars" }), invalid);
  assert.throws(() => renderToString(null, { timeZone: "Mars" }), invalid);
});

test("names of months and days are those of the Gregorian calendar in every locale", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const args = { value: "2026-01-05", format: "yyyy MMMM" };
  const text = { call: "formatDate", args };
  const components = [{ id: "root", component: "Text", text }];
  surface.receive({ updateComponents: { surfaceId: "s", components } });
  const month = new Intl.DateTimeFormat("fa-IR", { month: "long", calendar: "gregory" });
  const html = renderToString(surface, { locale: "fa-IR" });
  assert.ok(html.includes(`2026 ${month.format(new Date("2026-01-05T12:00:00Z"))}`), html);
});

test("a text that is not in ISO 8601 is shown as formatDate shows it, or not at all", () => {
  for (const [value, expected] of [
    ["2026-02-03 10:30 PM", "2026-02-03T22:30"],
    ["2026-02-03 10:30 pm", "2026-02-03T22:30"],
    ["02/03/2026", "2026-02-03T00:00"],
    ["Feb 3, 2026", "2026-02-03T00:00"],
    ["2026-2-3", "2026-02-03T00:00"],
    ["10:30 PM", ""],
    ["tomorrow", ""],
  ]) {
    assert.equal(shownDate(value, both, "UTC"), expected, value);
    if (expected !== "") assert.deepEqual(shown(value), [expected, expected], value);
  }
  assert.equal(shownDate("2026-02-03 10:30 PM", "time", "UTC"), "22:30");
  assert.equal(shownDate("10:30 PM", "time", "UTC"), "");
  assert.equal(shownDate("Feb 3, 2026 10:30 GMT", both, NEW_YORK), "2026-02-03T05:30");
  assert.equal(editedDate("Feb 3, 2026", "2026-02-04", "date", "UTC"), "2026-02-04");
  const edited = editedDate("2026-02-03 10:30 PM", "23:15", "time", "UTC");
  assert.equal(edited, "2026-02-03T23:15");
  assert.equal(editedDate("tomorrow", "2026-02-04", "date", "UTC"), "2026-02-04");
});
