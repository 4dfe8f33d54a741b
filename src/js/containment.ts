import { BynameError } from "./errors.js";

/** Reason of a call that ended inside the WebAssembly. */
type FailureCode = "out-of-memory" | "stack";

/** Exports whose first argument is a number and not the address of an object. */
const WITHOUT_OBJECT = ["store_input", "set_hash_key"];

/** Export that works for a failed store. */
const EXPORT = "store_export";

/** Value of a `RefCell` that is borrowed for a change. */
const BORROWED_MUTABLY = -1;

/** Export with numbers and references as arguments. */
type Call = (...values: unknown[]) => unknown;

/**
 * Turns a trap and an overflow of the stack into one typed error, and keeps them away from other
 * objects.
 *
 * Such a call does not return, so wasm-bindgen leaves its object borrowed: a `RefCell`, whose first
 * word counts readers or is -1, in an `Rc`, whose first word counts owners. A reader changes
 * nothing, so its borrow is ended here. An object that was being changed has failed; it can only be
 * freed.
 */
export class Containment {
  readonly #memory: WebAssembly.Memory;
  readonly #takeAllocationFailure: () => unknown;
  readonly #stackPointer: WebAssembly.Global<"i32">;
  readonly #stackStart: number;
  /** Failed objects by address. */
  readonly #failed = new Map<unknown, { code: FailureCode; kind: string }>();
  /** Nesting of calls. */
  #depth = 0;

  constructor(exports: WebAssembly.Exports) {
    this.#memory = exports["memory"] as WebAssembly.Memory;
    this.#takeAllocationFailure = exports["take_allocation_failure"] as () => unknown;
    this.#stackPointer = exports["__stack_pointer"] as WebAssembly.Global<"i32">;
    this.#stackStart = this.#stackPointer.value;
  }

  /** Returns an export, with its failures contained if it is a function for callers. */
  wrap(name: string, value: WebAssembly.ExportValue): WebAssembly.ExportValue {
    if (typeof value !== "function") return value;
    const call = value as Call;
    if (/^__wbg_\w+_free$/.test(name)) return this.#wrapFree(call);
    return name.startsWith("__") ? value : this.#wrapCall(name, call);
  }

  /** Returns whether a call has left an object unusable. */
  isFailed(handle: unknown): boolean {
    return this.#failed.has((handle as { __wbg_ptr?: number }).__wbg_ptr);
  }

  // Arguments are passed one by one, because a rest parameter takes longer.
  #wrapCall(name: string, call: Call): Call {
    return (a, b, c, d, e, f, g, h) => {
      this.#depth += 1;
      try {
        return call(a, b, c, d, e, f, g, h);
      } catch (error) {
        if (name === EXPORT && this.#failed.has(a)) return this.#callFailed(() => call(a), a);
        throw this.#contain(error, name, a);
      } finally {
        this.#depth -= 1;
      }
    };
  }

  #wrapFree(free: Call): Call {
    return (address, allowDelayed) => {
      const failure = this.#failed.get(address);
      if (failure === undefined) return free(address, allowDelayed);
      this.#failed.delete(address);
      // The stack may end between any two steps of a change, so this object cannot be freed.
      if (failure.code === "stack") return;
      this.#setBorrow(address as number, 0, 1);
      try {
        free(address, allowDelayed);
      } catch {
        // Its memory is lost.
      }
    };
  }

  /** Calls a reader of a failed object. */
  #callFailed(call: () => unknown, address: unknown): unknown {
    this.#restoreStack();
    const owners = this.#words(address as number).owners;
    this.#setBorrow(address as number, 0, 1);
    try {
      return call();
    } catch (error) {
      throw this.#describe(this.#codeOf(error) ?? "out-of-memory", address);
    } finally {
      this.#setBorrow(address as number, BORROWED_MUTABLY, owners);
    }
  }

  /** Ends the borrow of a reader, or marks an object as failed. Returns the error to throw. */
  #contain(error: unknown, name: string, address: unknown): unknown {
    this.#restoreStack();
    const code = this.#codeOf(error);
    if (code === undefined) {
      // A borrowed object throws an error of wasm-bindgen.
      const failure = this.#failed.get(address);
      return failure ? this.#describe(failure.code, address) : error;
    }
    if (typeof address === "number" && !WITHOUT_OBJECT.includes(name)) {
      const { borrow, owners } = this.#words(address);
      if (borrow > 0 && owners > 1) this.#setBorrow(address, borrow - 1, owners - 1);
      else if (borrow === BORROWED_MUTABLY && !this.#failed.has(address)) {
        this.#failed.set(address, { code, kind: name.slice(0, name.indexOf("_")) });
      } else if (code === "stack") return error;
    }
    return this.#describe(code, address);
  }

  #describe(code: FailureCode, address: unknown): BynameError {
    const cause = code === "stack" ? "the call stack ended" : "the memory ended";
    const failure = this.#failed.get(address);
    let result = "the call had no effect";
    if (failure?.kind === "store") {
      result = "this store can only be exported, to the last complete update, and disposed of";
    } else if (failure) result = "this object can only be disposed of";
    return new BynameError(code, `${cause} inside the WebAssembly: ${result}`);
  }

  #codeOf(error: unknown): FailureCode | undefined {
    if (error instanceof WebAssembly.RuntimeError) {
      return this.#takeAllocationFailure() ? "out-of-memory" : undefined;
    }
    const { name, message } = Object(error) as { name?: unknown; message?: unknown };
    // Firefox has an `InternalError`. Other range errors are of strings that are too long.
    if (name === "InternalError" || /stack/i.test(String(message))) {
      return name === "RangeError" || name === "InternalError" ? "stack" : undefined;
    }
    return name === "RangeError" ? "out-of-memory" : undefined;
  }

  /** Frees the stack of a call that has not returned. */
  #restoreStack(): void {
    if (this.#depth === 1) this.#stackPointer.value = this.#stackStart;
  }

  #words(address: number): { borrow: number; owners: number } {
    const view = new DataView(this.#memory.buffer);
    return { borrow: view.getInt32(address, true), owners: view.getInt32(address - 8, true) };
  }

  #setBorrow(address: number, borrow: number, owners: number): void {
    const view = new DataView(this.#memory.buffer);
    view.setInt32(address, borrow, true);
    view.setInt32(address - 8, owners, true);
  }
}
