import { BynameError } from "./errors.js";

/** Reason of a call that ended inside the WebAssembly. */
type FailureCode = "out-of-memory" | "stack";

/** Exports whose first argument is a number and not the address of an object. */
const WITHOUT_OBJECT = ["store_input", "set_hash_key"];

/** Export that allocates the input buffer. */
const ALLOCATE_INPUT = "store_input";

/** Message of wasm-bindgen for an object that is borrowed. */
const BORROW_ERROR = "recursive use of an object";

/** Export that works for a failed store. */
const STORE_EXPORT = "store_export";

/** Value of a `RefCell` that is borrowed for a change. */
const BORROWED_MUTABLY = -1;

/** Result of a failure that can be repaired. */
const RETRY = Symbol("retry");

type FreeMemory = (address: number, length: number, alignment: number) => void;

/** Export with numbers and references as arguments. */
type Call = (...values: unknown[]) => unknown;

/** Returns the class of an export: `store_apply` is a method of `store`. */
function kindOf(name: string): string {
  return name.slice(0, name.indexOf("_"));
}

/**
 * Turns a trap and an overflow of the stack into one typed error, and keeps them away from other
 * objects.
 *
 * Such a call does not return, so wasm-bindgen leaves its object borrowed. The object is a
 * `RefCell`, whose first word counts readers or is -1, in an `Rc`, whose first word counts owners.
 * A reader changes nothing, so its borrow is ended here. An object that was being changed has
 * failed; it can only be freed.
 */
export class Containment {
  readonly #memory: WebAssembly.Memory;
  readonly #takeAllocationFailure: () => unknown;
  readonly #stackPointer: WebAssembly.Global<"i32">;
  readonly #stackStart: number;
  /** Failed objects by address. */
  readonly #failed = new Map<unknown, { code: FailureCode; kind: string }>();
  /** Address of the capacity of the input buffer, which is 0 while a call has it. */
  readonly #capacityAddress: number;
  readonly #free: FreeMemory;
  /** Nesting of calls. */
  #depth = 0;
  /** Address and length of the input buffer, which a call has until it returns. */
  #input: { address: number; length: number } | undefined;

  constructor(exports: WebAssembly.Exports) {
    this.#memory = exports["memory"] as WebAssembly.Memory;
    this.#takeAllocationFailure = exports["take_allocation_failure"] as () => unknown;
    this.#stackPointer = exports["__stack_pointer"] as WebAssembly.Global<"i32">;
    this.#stackStart = this.#stackPointer.value;
    this.#free = exports["__wbindgen_free"] as FreeMemory;
    this.#capacityAddress = (exports["store_capacity_ptr"] as () => number)();
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
        if (name === STORE_EXPORT && this.#failed.has(a)) return this.#callFailed(() => call(a), a);
        const result = this.#containFailure(error, name, a);
        if (result !== RETRY) throw result;
        return call(a, b, c, d, e, f, g, h);
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
    const owners = this.#borrowWords(address as number).owners;
    this.#setBorrow(address as number, 0, 1);
    try {
      return call();
    } catch (error) {
      throw this.#describe(this.#codeOf(error) ?? "out-of-memory", address);
    } finally {
      this.#setBorrow(address as number, BORROWED_MUTABLY, owners);
    }
  }

  /**
   * Ends the borrow of a reader, or marks an object as failed. Returns the error to throw, or
   * `RETRY`.
   */
  #containFailure(error: unknown, name: string, address: unknown): unknown {
    this.#restoreStack();
    const code = this.#codeOf(error);
    if (code === undefined) return this.#containBorrow(error, name, address);
    this.#freeInput(name);
    if (typeof address === "number" && !WITHOUT_OBJECT.includes(name)) {
      const { borrow, owners } = this.#borrowWords(address);
      if (borrow > 0 && owners > 1) this.#setBorrow(address, borrow - 1, owners - 1);
      else if (borrow === BORROWED_MUTABLY && !this.#failed.has(address)) {
        this.#failed.set(address, { code, kind: kindOf(name) });
      } else if (code === "stack") return error;
    }
    return this.#describe(code, address);
  }

  /** Handles the error of an object that an earlier call has left borrowed. */
  #containBorrow(error: unknown, name: string, address: unknown): unknown {
    const isBorrowed = error instanceof Error && error.message.startsWith(BORROW_ERROR);
    if (!isBorrowed || typeof address !== "number") return error;
    // An outer call may have the object.
    if (!this.#failed.has(address) && this.#depth > 1) return error;
    if (!this.#failed.has(address)) {
      // The stack overflowed in this module too, before it could record the failure.
      if (this.#borrowWords(address).borrow !== BORROWED_MUTABLY) {
        this.#setBorrow(address, 0, 1);
        return RETRY;
      }
      this.#failed.set(address, { code: "stack", kind: kindOf(name) });
    }
    return this.#describe(this.#failed.get(address)?.code ?? "stack", address);
  }

  /** Notes the input buffer that the module has allocated. */
  setInput(address: number, length: number): void {
    this.#input = { address, length };
  }

  /** Frees the input buffer if the call that has not returned had it. */
  #freeInput(name: string): void {
    const input = this.#input;
    const view = new DataView(this.#memory.buffer);
    if (input === undefined || view.getUint32(this.#capacityAddress, true) !== 0) return;
    this.#input = undefined;
    // The allocation has freed it already.
    if (name !== ALLOCATE_INPUT) this.#free(input.address, input.length, 1);
  }

  #describe(code: FailureCode, address: unknown): BynameError {
    const cause = code === "stack" ? "stack overflow" : "out of memory";
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
    // Firefox throws an `InternalError`. Other range errors are of strings that are too long.
    if (name === "InternalError") return "stack";
    if (name !== "RangeError") return undefined;
    // No regular expression, because its compiler needs stack too.
    return String(message).includes("stack") ? "stack" : "out-of-memory";
  }

  /** Frees the stack of a call that has not returned. */
  #restoreStack(): void {
    if (this.#depth === 1) this.#stackPointer.value = this.#stackStart;
  }

  #borrowWords(address: number): { borrow: number; owners: number } {
    const view = new DataView(this.#memory.buffer);
    return { borrow: view.getInt32(address, true), owners: view.getInt32(address - 8, true) };
  }

  #setBorrow(address: number, borrow: number, owners: number): void {
    const view = new DataView(this.#memory.buffer);
    view.setInt32(address, borrow, true);
    view.setInt32(address - 8, owners, true);
  }
}
