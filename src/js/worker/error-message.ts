import { GaslError } from "../diagnostic-error.js";
import { BynameError, errorMessage } from "../errors.js";
import { isConflict } from "../key-writer.js";
import { StorageError, type StorageErrorReason } from "../storage/storage-error.js";
import type { Diagnostic } from "../wire.js";
import type { ErrorMessage } from "./protocol.js";

/** Errors of JavaScript whose class is restored. */
const BUILT_IN: { readonly [type: string]: new (message: string) => Error } = {
  TypeError,
  RangeError,
  SyntaxError,
};

/** Describes a thrown value for the other side. */
export function describeError(reason: unknown): ErrorMessage {
  try {
    return describe(reason);
  } catch {
    // Its getters throw, and without a description the other side would wait forever.
    return { kind: "error", type: "Error", message: errorMessage(reason), stack: undefined };
  }
}

function describe(reason: unknown): ErrorMessage {
  if (typeof reason !== "object" && typeof reason !== "function" && typeof reason !== "symbol")
    return { kind: "value", value: reason };
  if (reason === null) return { kind: "value", value: null };
  const message = errorMessage(reason);
  const { stack, code, diagnostics } = Object(reason) as Partial<BynameError>;
  const { isTransient } = Object(reason) as { isTransient?: unknown };
  const common = {
    ...({ kind: "error", message, stack: textOf(stack) } as const),
    ...(isTransient === true && { isTransient }),
    ...(isConflict(reason) && { reason: "conflict" }),
  };
  if (reason instanceof StorageError)
    return { ...common, type: "StorageError", reason: reason.reason };
  if (reason instanceof BynameError) return { ...common, type: "BynameError", code, diagnostics };
  if (reason instanceof GaslError) return { ...common, type: "GaslError", diagnostics };
  if (typeof DOMException === "function" && reason instanceof DOMException)
    return { ...common, type: "DOMException", code: reason.name };
  const { name } = Object(reason) as { name?: unknown };
  return { ...common, type: textOf(name) ?? "Error" };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns the thrown value of a description, with its class if that is known. */
export function restoreError(description: ErrorMessage): unknown {
  if (description.kind === "value") return description.value;
  if (description.kind === "own") return new Error("the original of this error is not stored");
  const error = createError(description);
  error.message = description.message;
  if (description.stack !== undefined) error.stack = description.stack;
  const { isTransient, reason } = description;
  return Object.assign(error, isTransient && { isTransient }, reason && { reason });
}

function createError(description: ErrorMessage & { kind: "error" }): Error {
  const { type, message, code, reason, diagnostics = [] } = description;
  if (type === "StorageError") return new StorageError(reason as StorageErrorReason, message);
  if (type === "BynameError")
    return new BynameError(code as BynameError["code"], message, diagnostics);
  if (type === "GaslError") return new GaslError(diagnostics as Diagnostic[]);
  if (type === "DOMException") return domException(message, code);
  const builtIn = Object.hasOwn(BUILT_IN, type) ? BUILT_IN[type] : undefined;
  const error = new (builtIn ?? Error)(message);
  if (error.name !== type) error.name = type;
  return error;
}

/** Returns a `DOMException` as an error whose message and stack can be set. */
function domException(message: string, name: string | undefined): Error {
  const error = new DOMException(message, name);
  Object.defineProperty(error, "message", { value: message, writable: true, configurable: true });
  return error;
}
