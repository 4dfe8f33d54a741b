// Server-sent events, as the HTML standard parses and interprets an event stream, split anywhere.
import assert from "node:assert/strict";
import test from "node:test";
import { EventStreamParser, EventStreamTokenizer } from "../../pkg/event-stream.js";
import { filterEventStream } from "../../pkg/messages/event-filter.js";
import { cut } from "../messages.mjs";

/** Streams, each with its events by the standard. */
const streams = {
  "one event per data line": ["data: a\n\ndata: b\n\n", ["a", "b"]],
  "data over several lines": ["data: YHOO\ndata: +2\ndata: 10\n\n", ["YHOO\n+2\n10"]],
  "comments and other fields": [": test\n\ndata: first\nid: 1\nretry: 9\n\n", ["first"]],
  "only one space after the colon is removed": ["data:  a\n\ndata:b\n\n", [" a", "b"]],
  "a field without a colon has an empty value": ["data\n\ndata\ndata\n\n", ["", "\n"]],
  "empty data": ["data:\n\n", [""]],
  "no data, no event": ["event: ping\n\n\n\n", []],
  "unknown fields are ignored": ["datum: a\ndata : b\n{}\ndata: c\n\n", ["c"]],
  "a byte order mark at the start": ["\ufeffdata: a\n\ndata: \ufeffb\n\n", ["a", "\ufeffb"]],
  "a byte order mark before an empty line": ["\ufeff\ndata: a\n\n", ["a"]],
  "colons in data": ['data: {"a": 1}\n\n', ['{"a": 1}']],
};

for (const [name, [stream, expected]] of Object.entries(streams)) {
  for (const newline of ["\n", "\r\n", "\r"]) {
    test(`${name}, with ${JSON.stringify(newline)}`, () => {
      const text = stream.replaceAll("\n", newline);
      for (const size of [1, 2, 3, 5, text.length]) {
        const parser = new EventStreamParser();
        const events = cut(text, size).flatMap((chunk) => parser.push(chunk));
        assert.deepEqual(
          events.map(({ data }) => data),
          expected,
          `${size}`,
        );
        assert.equal(parser.end(), undefined);
        const tokenizer = new EventStreamTokenizer();
        const tokens = [...cut(text, size).flatMap((chunk) => tokenizer.push(chunk))];
        const texts = [...tokens, ...tokenizer.end()].map((token) => token.text);
        assert.equal(texts.join(""), text);
      }
    });
  }
}

test("an event has the type that the server sends, or `message`", () => {
  const parser = new EventStreamParser();
  const events = parser.push("event: add\ndata: 1\n\ndata: 2\n\nevent: a\nevent: b\ndata: 3\n\n");
  assert.deepEqual(
    events.map(({ type }) => type),
    ["add", "message", "b"],
  );
});

test("the end of the stream returns the unfinished event", () => {
  for (const text of ["data: a\ndata: b", "data: a\ndata: b\n"]) {
    const parser = new EventStreamParser();
    assert.deepEqual(parser.push(text), []);
    assert.deepEqual(parser.end(), { type: "message", data: "a\nb" });
    assert.equal(parser.end(), undefined);
  }
});

test("filtering keeps data at its offsets", () => {
  const filtered = {
    'data: {"a":\ndata: 1}\n\n': '      {"a":      \n1}\n\n',
    "data: a\ndata\n": "      a    \n\n",
    "data:x\nid: 7\n: note\n": "     x    \n       \n\n",
    "data: [DONE]\n\n": "            \n\n",
    "data: [DONE]s\n\n": "      [DONE]s\n\n",
    "data: a\nno field\n": "      a\nno field\n",
    "\ufeffdata: a\n": "\ufeff      a\n",
    "no: event stream": "no: event stream",
    "event: {}": "event: {}",
  };
  for (const [text, expected] of Object.entries(filtered)) {
    assert.equal(filterEventStream(text), expected);
    assert.equal(expected.length, text.length);
  }
});
