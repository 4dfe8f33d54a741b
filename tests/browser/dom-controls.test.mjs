// User input in fields, buttons, tabs and dialogs.
import assert from "node:assert/strict";
import { testInPage } from "./dom-page.mjs";

testInPage("a slider between integers has integer steps", async (page) => {
  const steps = await page.evaluate(() => {
    const stepOf = (props) => {
      show(make("root", "Slider", { label: "Seats", ...props }));
      const { step } = document.querySelector("input[type=range]");
      stop();
      return step;
    };
    return [
      stepOf({ min: 1, max: 8, value: 2 }),
      stepOf({ min: 1, max: 8, value: 2.5 }),
      stepOf({ min: 0, max: 1, value: 0 }),
      stepOf({ min: 0, max: 9, steps: 3, value: 0 }),
      stepOf({ max: 1000, value: 0.5 }),
    ];
  });
  assert.deepEqual(steps, ["1", "0.07", "0.01", "3", "1"]);
});

testInPage(
  "the echo of typed text does not move the caret, and neither does another value",
  async (page) => {
    await page.evaluate(() => {
      show(make("root", "TextField", { label: "Name", value: "abcdef" }));
      surface.input = (key, prop, value) => surface.emit({ kind: "set", key, prop, value });
      document.querySelector("input").focus();
      document.querySelector("input").setSelectionRange(3, 3);
    });
    await page.keyboard.type("XY");
    assert.equal(await page.getByLabel("Name").inputValue(), "abcXYdef");
    const caret = () => page.evaluate(() => document.querySelector("input").selectionStart);
    assert.equal(await caret(), 5);
    await page.evaluate(() =>
      surface.emit({ kind: "set", key: "root", prop: "value", value: "ABCXYDEF" }),
    );
    assert.equal(await caret(), 5);
  },
);

testInPage("nothing is written into a field while an input method composes", async (page) => {
  const seen = await page.evaluate(() => {
    show(make("root", "TextField", { label: "Name", value: "" }));
    const field = document.querySelector("input");
    field.dispatchEvent(new CompositionEvent("compositionstart"));
    field.value = "に";
    field.dispatchEvent(new InputEvent("input"));
    surface.emit({ kind: "set", key: "root", prop: "value", value: "other" });
    const during = [field.value, surface.calls.length];
    field.dispatchEvent(new CompositionEvent("compositionend"));
    return [...during, JSON.stringify(surface.calls)];
  });
  assert.deepEqual(seen, ["に", 0, '[["input","root","value","に"]]']);
});

testInPage("a number field accepts a decimal", async (page) => {
  await page.evaluate(() => {
    show(make("root", "TextField", { label: "Price", variant: "number", value: 1 }));
    surface.input = (key, prop, value) => {
      surface.calls.push(value);
      surface.emit({ kind: "set", key, prop, value });
    };
  });
  await page.getByLabel("Price").press("End");
  await page.keyboard.type(".50");
  assert.equal(await page.getByLabel("Price").inputValue(), "1.50");
  await page.getByLabel("Price").fill("");
  await page.keyboard.type("7");
  // An incomplete number is written as text, and a complete one as a number.
  await page.keyboard.type("x");
  await page.keyboard.press("Backspace");
  assert.deepEqual(await page.evaluate(() => surface.calls), [1, 1.5, 1.5, "", 7, "7x", 7]);
});

testInPage(
  "containers with a name are groups, and a dialog has the name of its trigger",
  async (page) => {
    await page.evaluate(() => {
      const accessibility = { label: "Order", description: "of today" };
      const words = (id, text, slot) => make(id, "Text", { text }, [], slot ? { slot } : {});
      show(
        make("root", "Column", { accessibility: { label: "All" } }, [
          make("card", "Card", { accessibility }, [words("a", "one")]),
          make("row", "Row", {}, [words("b", "two")]),
          make("plain", "Text", { accessibility, text: "three" }),
          make("head", "Text", { accessibility, text: "four", variant: "h2" }),
          make("modal", "Modal", {}, [
            make("open", "Button", {}, [words("word", "Show it", "child")], { slot: "trigger" }),
            words("inside", "all of it", "content"),
          ]),
          make("named", "Modal", { accessibility: { label: "Mine" } }, [
            words("more", "More", "trigger"),
            words("inside2", "all of it", "content"),
          ]),
        ]),
      );
    });
    const roleOf = (key) => page.evaluate((key) => at(key).getAttribute("role"), key);
    assert.deepEqual(await Promise.all(["root", "card", "row", "plain", "head"].map(roleOf)), [
      "group",
      "group",
      null,
      "group",
      "heading",
    ]);
    await page.getByRole("group", { name: "Order" }).first().waitFor();
    await page.getByText("Show it").click();
    await page.getByRole("dialog", { name: "Show it" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("More").click();
    await page.getByRole("dialog", { name: "Mine" }).waitFor();
    await page.evaluate(() => {
      surface.emit({ kind: "set", key: "card", prop: "accessibility", value: null });
      surface.emit({ kind: "set", key: "plain", prop: "accessibility", value: null });
    });
    assert.deepEqual(await Promise.all(["card", "plain"].map(roleOf)), [null, null]);
  },
);

testInPage(
  "arrow keys select tabs; the dialog opens, closes and restores the focus",
  async (page) => {
    await page.evaluate(() => {
      show(
        make("root", "Column", {}, [
          make(
            "tabs",
            "Tabs",
            {
              tabs: [
                { title: "One", child: "a" },
                { title: "Two", child: "b" },
              ],
            },
            [
              make("t1", "Text", { text: "first" }, [], { slot: "tabs.child" }),
              make("t2", "Text", { text: "second" }, [], { slot: "tabs.child" }),
            ],
          ),
          make("modal", "Modal", {}, [
            make("open", "Text", { text: "Details" }, [], { slot: "trigger" }),
            make("content", "Text", { text: "inside" }, [], { slot: "content" }),
          ]),
        ]),
      );
    });
    await page.getByRole("tab", { name: "One" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByText("second").waitFor();
    assert.ok(
      await page
        .getByRole("tab", { name: "Two", selected: true })
        .evaluate((one) => one === document.activeElement),
    );
    // With a modifier key, arrow keys have their default action.
    await page.keyboard.press("Alt+ArrowLeft");
    await page.getByText("second").waitFor();
    const trigger = page.getByRole("button", { name: "Details" });
    await trigger.press("Enter");
    await page.getByText("inside").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("inside").waitFor({ state: "hidden" });
    assert.ok(await trigger.evaluate((one) => one === document.activeElement));
  },
);

testInPage("a button that its checks disable opens no dialog", async (page) => {
  await page.evaluate(() => {
    const checks = [{ condition: false, message: "no" }];
    const open = make("open", "Button", { checks }, [words("word", "Show", "child")], {
      slot: "trigger",
    });
    show(make("root", "Modal", {}, [open, words("inside", "all of it", "content")]));
    function words(id, text, slot) {
      return make(id, "Text", { text }, [], { slot });
    }
  });
  await page.getByText("Show").click({ force: true });
  await page.getByText("all of it").waitFor({ state: "hidden" });
});

testInPage("a slider reaches its maximum with any step", async (page) => {
  const ends = [];
  for (const [min, max, steps] of [
    [0, 10, 3],
    [0, 7, 6],
    [-5, 5, 7],
    [0, 1, 10],
  ]) {
    await page.evaluate(
      ([min, max, steps]) =>
        show(make("root", "Slider", { label: "S", min, max, steps, value: min })),
      [min, max, steps],
    );
    const control = page.getByRole("slider");
    await control.press("End");
    await control.press("ArrowLeft");
    const sent = await page.evaluate(() => {
      const values = surface.calls.map((call) => call.at(-1));
      stop();
      return values;
    });
    ends.push(sent[0] === max && Math.abs(sent[1] - (max - (max - min) / steps)) < 1e-9);
  }
  assert.deepEqual(ends, [true, true, true, true]);
});

testInPage("arrow keys move in the visual direction, also from right to left", async (page) => {
  await page.evaluate(() => {
    document.documentElement.dir = "rtl";
    const tabs = ["One", "Two", "Three"].map((title) => ({ title, child: title }));
    const panels = tabs.map(({ title }) =>
      make(title, "Text", { text: title }, [], { slot: "tabs.child" }),
    );
    show(make("root", "Tabs", { tabs }, panels));
  });
  await page.getByRole("tab", { name: "One" }).press("ArrowLeft");
  assert.equal(await page.getByRole("tab", { selected: true }).textContent(), "Two");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getByRole("tab", { selected: true }).textContent(), "One");
});

testInPage("a field that becomes multi-line keeps the focus and the caret", async (page) => {
  await page.evaluate(() =>
    show(make("root", "TextField", { label: "Note", variant: "number", value: "1234" })),
  );
  await page.getByLabel("Note").focus();
  const seen = await page.evaluate(() => {
    document.activeElement.setSelectionRange(2, 2);
    surface.emit({ kind: "set", key: "root", prop: "variant", value: "longText" });
    const { localName, selectionStart, inputMode } = document.activeElement;
    return [localName, selectionStart, inputMode];
  });
  assert.deepEqual(seen, ["textarea", 2, ""]);
});

testInPage("inputs write only the selected value", async (page) => {
  await page.evaluate(() => {
    show(
      make("root", "Column", {}, [
        make("check", "CheckBox", { label: "Agree", value: false }),
        make("pick", "ChoicePicker", {
          label: "Plan",
          options: [
            { label: "A", value: "a" },
            { label: "B", value: "b" },
          ],
          value: ["a"],
          displayStyle: "chips",
        }),
        make("many", "ChoicePicker", {
          label: "Tags",
          variant: "multipleSelection",
          options: [
            { label: "X", value: "x" },
            { label: "Y", value: "y" },
          ],
          value: ["x", "not there yet"],
        }),
        make("date", "DateTimeInput", {
          label: "When",
          enableDate: true,
          enableTime: true,
          value: "2026-11-21T10:00:00Z",
        }),
        make("slide", "Slider", { label: "Level", min: 0, max: 10, value: 3 }),
        make("go", "Button", { action: { event: { name: "go" } } }, [
          make("word", "Text", { text: "Go" }),
        ]),
      ]),
    );
  });
  await page.getByLabel("Agree").click();
  await page.getByLabel("B", { exact: true }).click({ force: true });
  await page.getByLabel("Y", { exact: true }).click();
  await page.getByLabel("When").fill("2026-12-01T08:30");
  await page.getByLabel("Level").press("ArrowRight");
  await page.getByRole("button", { name: "Go" }).click();
  assert.deepEqual(await page.evaluate(() => surface.calls), [
    ["input", "check", "value", true],
    ["input", "pick", "value", ["b"]],
    ["input", "many", "value", ["x", "y", "not there yet"]],
    ["input", "date", "value", "2026-12-01T08:30:00Z"],
    ["input", "slide", "value", 4],
    ["trigger", "go", "action"],
  ]);
});

testInPage("a failed check is displayed at its field after the user has left it", async (page) => {
  await page.evaluate(() => {
    const condition = {
      call: "email",
      args: { value: { binding: { node: "form", key: "email" } } },
    };
    show(
      make("root", "TextField", {
        label: "Email",
        value: "",
        checks: [{ condition, message: "not an address" }],
      }),
    );
  });
  await page.getByLabel("Email").fill("jane");
  assert.equal(await page.getByText("not an address").count(), 0);
  await page.getByLabel("Email").blur();
  await page.getByText("not an address").waitFor();
  assert.equal(await page.getByLabel("Email").getAttribute("aria-invalid"), "true");
  await page.getByLabel("Email").fill("jane@example.org");
  await page
    .getByText("not an address")
    .waitFor({ state: "detached" })
    .catch(() => {});
  assert.equal(await page.getByLabel("Email").getAttribute("aria-invalid"), null);
});

testInPage(
  "a message that appears on blur does not prevent the click on a button",
  async (page) => {
    await page.evaluate(() => {
      const condition = { call: "required", args: { value: "" } };
      show(
        make("root", "Column", {}, [
          make("name", "TextField", {
            label: "Name",
            value: "",
            checks: [{ condition, message: "a name is needed" }],
          }),
          make("go", "Button", { action: { event: { name: "go" } } }, [
            make("word", "Text", { text: "Go" }),
          ]),
        ]),
      );
    });
    await page.getByLabel("Name").focus();
    const box = await page.getByRole("button", { name: "Go" }).boundingBox();
    await page.mouse.move(box.x + 5, box.y + 2);
    await page.mouse.down();
    await page.evaluate(() => settled());
    await page.mouse.up();
    await page.getByText("a name is needed").waitFor();
    assert.deepEqual(await page.evaluate(() => surface.calls), [["trigger", "go", "action"]]);
  },
);

testInPage(
  "checks of a slider and of choices are displayed after a change or a blur",
  async (page) => {
    await page.evaluate(() => {
      const fails = (message) => [{ condition: false, message }];
      const options = ["a", "b"].map((value) => ({ label: value.toUpperCase(), value }));
      show(
        make("root", "Column", {}, [
          make("level", "Slider", { label: "Level", value: 3, checks: fails("too low") }),
          make("one", "ChoicePicker", {
            label: "One",
            options,
            value: [],
            checks: fails("not that"),
          }),
          make("many", "ChoicePicker", {
            label: "Many",
            variant: "multipleSelection",
            options,
            value: [],
            checks: fails("more of them"),
          }),
        ]),
      );
    });
    const shown = (message) => page.getByText(message).isVisible();
    const group = (name) => page.getByRole("group", { name });
    assert.deepEqual(await Promise.all(["too low", "not that", "more of them"].map(shown)), [
      false,
      false,
      false,
    ]);
    await page.getByLabel("Level").press("ArrowRight");
    assert.ok(await shown("too low"));
    await group("One").getByLabel("A").click();
    assert.ok(await shown("not that"));
    await group("Many").getByLabel("A").click();
    await group("Many").getByText("B").click();
    await page.waitForTimeout(50);
    assert.equal(await shown("more of them"), false);
    await page.getByLabel("Level").focus();
    assert.ok(await shown("more of them"));
    const said = await group("Many").getAttribute("aria-describedby");
    assert.equal(await page.locator(`[id="${said}"]`).textContent(), "more of them");
    await page.evaluate(() =>
      surface.emit({ kind: "set", key: "many", prop: "checks", value: [] }),
    );
    assert.equal(await shown("more of them"), false);
    assert.equal(await group("Many").getAttribute("aria-describedby"), null);
  },
);

testInPage("a choice keeps its boxes and the focus while its options change", async (page) => {
  const seen = await page.evaluate(async () => {
    const options = (...values) => values.map((value) => ({ label: value, value }));
    const change = (...values) =>
      surface.emit({ kind: "set", key: "root", prop: "options", value: options(...values) });
    show(make("root", "ChoicePicker", { options: options("a", "b", "c"), value: ["b"] }));
    const box = [...document.querySelectorAll(".bn-option input")][1];
    box.focus();
    const moved = [];
    const observer = new MutationObserver((records) => moved.push(...records));
    observer.observe(at("root"), { childList: true, subtree: true });
    const states = [];
    const look = () =>
      states.push([
        [...document.querySelectorAll(".bn-option")].map((one) => one.textContent).join(""),
        document.activeElement === box && box.checked,
        observer.takeRecords().flatMap((one) => [...one.addedNodes, ...one.removedNodes]).length,
      ]);
    change("a", "b", "c", "d");
    look();
    change("d", "b", "a", "b");
    look();
    return states;
  });
  assert.deepEqual(seen[0], ["abcd", true, 1]);
  assert.deepEqual(seen[1].slice(0, 2), ["dba", true]);
});
