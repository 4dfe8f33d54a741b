// Errors of drivers: their kind, and one line for records without secrets.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, init } from "byname";
import { boltGraph, cypherAdapter, DatabaseError } from "byname/databases";

await init();

const { signal } = new AbortController();

/** Returns the error of a statement for which the driver throws one. */
async function errorOf(message, code) {
  async function* run() {
    yield* [];
    throw Object.assign(new Error(message), { code });
  }
  const session = () => ({ run, close: async () => {} });
  return boltGraph({ session }, { retries: 0 })
    .schema(signal)
    .catch((reason) => reason);
}

test("a record has no address, path or secret of a driver's message", async () => {
  for (const [message, line] of [
    ["Login failed for neo4j:s3cretPW@10.0.0.1:7687", "Login failed for …"],
    ["no config password=s3cretPW;host=db.internal", "no config password=…"],
    ["at 10.0.0.1:7687: bad query; token: s3cretPW", "at …: bad query; token: …"],
    ["at db.internal:7687 and localhost:7687", "at … and …"],
    ["at [::1]:7687 and 2001:db8::1:2", "at … and …"],
    ["failed to open '/home/ada/secret.db'", "failed to open '…'"],
    ["failed to open '/home/my data/secret.db' now", "failed to open '…' now"],
    ["failed to open C:\\Users\\ada\\secret.db", "failed to open …"],
    ["failed (file:/home/ada/x)", "failed (file:…"],
    ['{"user":"a","password":"s3cretPW"} invalid', '{"user":"a","password":…"} invalid'],
    ['{\\"password\\":\\"s3cretPW\\"} invalid', '{\\"password\\":…'],
    ['password = "a s3cretPW" given', 'password = …" given'],
    ["user neo4j with password s3cretPW", "user neo4j with password …"],
    ["Authorization: Bearer s3cretPW", "Authorization: Bearer …"],
    ["credentials s3cretPW of secret 's3cret PW'", "credentials … of secret …"],
    ["SET PASSWORD FROM 's3cretPW' TO 'n3w PW'", "SET PASSWORD FROM … TO …"],
    ["bad option password is s3cretPW", "bad option password is …"],
    ["login failed (password was s3cretPW)", "login failed (password was …"],
    ["value of `password`: expected hash, got s3cretPW", "value of `password`: expected … got …"],
    ["parameter `token` has the value s3cretPW", "parameter `token` has the value …"],
    ["access_key=s3cretPW", "access_key=…"],
    ["private_key: s3cretPW", "private_key: …"],
    ["passcode=s3cretPW", "passcode=…"],
    ["user neo4j with pin 4711", "user neo4j with pin …"],
    ["auth: basic bmVvNGo6czNjcmV0UFc=", "auth: basic …"],
    ["header Authorization: Basic czNjcmV0 invalid", "header Authorization: Basic … invalid"],
    ["Authorization header Basic czNjcmV0 invalid", "Authorization header Basic … invalid"],
    ["X-Api-Key s3cretPW", "X-Api-Key …"],
    ["credentials (neo4j, s3cretPW) invalid", "credentials … invalid"],
    ["token 'abc' and 's3cretPW' differ", "token … and …"],
    ["bad login password=password", "bad login password=…"],
    ["password: secret", "password: …"],
    ["bad user, token=given, `pin` = string", "bad user, token=… `pin` = …"],
    ["PASSWORD = new", "PASSWORD = …"],
    ["no password, token => value", "no password, token => …"],
    ["token: basic", "token: …"],
    ["auth=basic wrong", "auth=basic …"],
    ["Invalid API key sk-s3cretPW", "Invalid API key …"],
    ["Rejected api key: s3cretPW", "Rejected api key: …"],
    ["the access key 's3cretPW' is unknown", "the access key … is unknown"],
    ["private key s3cretPW rejected", "private key … rejected"],
    ["user=ada pass=s3cretPW", "user=ada pass=…"],
    ["bad userPin: 1234", "bad userPin: …"],
    ["dbPw=s3cretPW", "dbPw=…"],
    ["bad db_pass=s3cretPW", "bad db_pass=…"],
    ["bad dbPass: new", "bad dbPass: …"],
    ["bad pinCode=4711", "bad pinCode=…"],
    ['{"password":{"value":"s3cretPW"}}', '{"password":…'],
  ]) {
    const error = await errorOf(message, "Neo.ClientError.General.UnknownError");
    assert.equal(error.message, `the database rejected the statement: ${line}`);
    assert.equal(error.serverMessage, message);
  }
});

test("a record has an ordinary message completely", async () => {
  for (const message of [
    "Unknown function 'elementId' (line 1, column 12 (offset: 11))",
    "mismatched input 'X' expecting {'*', '/', '%'} at line 1:12",
    "Cannot cast @rid of n.id to INTEGER, label A:B, #12:0",
    "Time 12:34:56 of and/or 1/2",
    "the property `password` is not indexed",
    "Property `token` of label `token` is missing (line 1, column 12 (offset: 11))",
    "the password is required and must be a string",
    "unknown tokenizer 'standard' of the author 'Ada', n.pinned, secretary",
    "pass a map to the function; access keywords: isPinned: true, opinions: 2, mapIn: 3",
    "node 4:0f2a8c1e-1111-2222-3333-444455556666:12 is missing",
    // Words in quotes are names of the statement.
    "Variable `connection` is unknown",
    "Function `closedAt` does not exist",
    'Property "timeout" is not indexed',
    "Unknown label 'Security'",
  ]) {
    const error = await errorOf(message, "Neo.ClientError.General.UnknownError");
    assert.deepEqual([error.reason, error.isTransient], ["statement", false], message);
    assert.equal(error.message, `the database rejected the statement: ${message}`);
  }
});

test("a long line ends before the word that is cut off", async () => {
  const error = await errorOf(`${"x".repeat(1_990)} neo4j:s3cretPW@host`, undefined);
  assert.ok(!error.message.includes("neo4j"), error.message);
});

test("the code of a rejected statement comes before the words of its message", async () => {
  for (const [message, code, reason] of [
    ["Variable connection not defined", "Neo.ClientError.Statement.SyntaxError", "statement"],
    ["no index of timeout", "Neo.ClientError.Statement.ArgumentError", "statement"],
    ["it isn't up: the connection can't be used", undefined, "connection"],
    ['graph "people" does not exist', "3F000", "database"],
  ])
    assert.equal((await errorOf(message, code)).reason, reason, message);
});

test("a `run` that throws is classified like one that rejects", async () => {
  const failed = () => {
    throw new Error("connection to neo4j:s3cretPW@db closed");
  };
  const throwing = () => ({ [Symbol.asyncIterator]: () => ({ next: failed }) });
  for (const run of [failed, async () => failed(), throwing]) {
    const session = new GaslSession({ graph: cypherAdapter({ run }) });
    const { status, errors } = await session.execute("FIND nodes AS x");
    assert.equal(status, "error");
    assert.match(errors[0].message, /: the connection to the database failed$/);
    const error = await session.graph.schema(signal).catch((reason) => reason);
    assert.deepEqual([error.reason, error.isTransient], ["connection", true]);
  }
});

test("rows that `run` must not return are a typed error", async () => {
  const graph = cypherAdapter({ run: async () => [{ x: 1 }] });
  const error = await graph.schema(signal).catch((reason) => reason);
  assert.ok(error instanceof DatabaseError);
  assert.equal(error.reason, "statement");
  assert.match(error.help, /records\.map/);
});
