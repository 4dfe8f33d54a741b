import { withAtKeys } from "../a2ui/spelling.js";
import { assertString } from "../arguments.js";
import type { Diagnostic, Json } from "../types.js";
import { appendAll } from "./append.js";
import { Block, type BlockStep } from "./block.js";
import { type BlockEvent, BlockReader, isBare } from "./blocks.js";
import { expressDiagnostic, hasError } from "./fault.js";
import { MessageBuilder } from "./message-builder.js";
import { type ExpressOptions, type ExpressVersion, readOptions } from "./options.js";
import type { ExpressCatalog } from "./signatures.js";

/** A2UI message. */
export type ExpressMessage = { [key: string]: Json };

export interface CompiledExpress {
  messages: ExpressMessage[];
  diagnostics: Diagnostic[];
}

/**
 * Compiles Express to messages of A2UI. The text is the statements of one block, or the reply of a
 * model with `<a2ui>` blocks. A block with an error gives no messages.
 */
export function compileExpress(text: string, options: ExpressOptions): CompiledExpress {
  assertString(text, "the text");
  const { signatures, version } = readOptions(options, "compileExpress");
  const messages: ExpressMessage[] = [];
  const diagnostics: Diagnostic[] = [];
  let block = new Block(signatures);
  const reader = new BlockReader((event: BlockEvent) => {
    if (event.kind === "begin") {
      block = new Block(signatures);
    } else if (event.kind === "statement") block.read(event.statement);
    else if (event.kind === "end") {
      const compiled = compileBlock(block, event, version);
      appendAll(messages, compiled.messages);
      appendAll(diagnostics, compiled.diagnostics);
    }
  }, isBare(text));
  reader.push(text);
  reader.end();
  return { messages, diagnostics };
}

/** Returns the error for a text without statements. */
export function noBlock(length: number): Diagnostic {
  const message = length === 0 ? "the text is empty" : "the text contains no statements";
  const help = 'write statements such as `root = Text("Hello")` between `<a2ui>` and `</a2ui>`';
  return expressDiagnostic("EXP002", { start: 0, end: length }, message, help);
}

/** Returns the error for a block without statements. */
export function emptyBlock(end: number): Diagnostic {
  const help = 'write statements such as `root = Text("Hello")`';
  return expressDiagnostic("EXP002", { start: end, end }, "the block is empty", help);
}

/** Returns the warning about a block that was cut. */
export function openBlock(end: number): Diagnostic {
  const help = "write `</a2ui>` after the last statement";
  return expressDiagnostic("EXP013", { start: end, end }, "the block has no end", help, "warning");
}

function compileBlock(
  block: Block,
  { end, isClosed }: { end: number; isClosed: boolean },
  version: ExpressVersion,
): CompiledExpress {
  const diagnostics = [...block.diagnostics];
  if (!isClosed) diagnostics.push(openBlock(end));
  if (block.isEmpty) diagnostics.push(emptyBlock(end));
  const builder = new MessageBuilder(version);
  for (const step of block.steps) appendAll(diagnostics, addStep(builder, step));
  const messages = hasError(diagnostics) ? [] : builder.messages;
  const spelled = version === "1.0" ? messages.map(inAtSpelling) : messages;
  return { messages: spelled, diagnostics };
}

function addStep(builder: MessageBuilder, step: BlockStep): Diagnostic[] {
  if (step.kind === "scope") return builder.addScope(step.scope);
  if (step.kind === "delete") builder.addDeletion(step.surfaceId);
  else builder.addCall(step.call, step.id);
  return [];
}

/** Returns a message with the bindings and calls of version 1.0: `@path` and `@call`. */
function inAtSpelling(message: ExpressMessage): ExpressMessage {
  const spelled = Object.entries(message).map(([key, body]): [string, Json] => {
    const { components } = body as { components?: Json[] };
    if (!Array.isArray(components)) return [key, body];
    const all = components.map((one) => withAtKeys(one, true));
    return [key, { ...(body as object), components: all }];
  });
  return Object.fromEntries(spelled);
}

export type { ExpressCatalog };
