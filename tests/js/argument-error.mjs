// Assertion on calls with an invalid argument.
import assert from "node:assert/strict";
import { BynameError } from "byname";

/** Asserts that a call throws `argument` with a message of one line that contains these words. */
export function expectArgumentError(call, expectedText) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof BynameError, String(error));
    assert.equal(error.code, "argument");
    assert.ok(error.message.includes(expectedText), `${error.message} lacks ${expectedText}`);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  });
}
