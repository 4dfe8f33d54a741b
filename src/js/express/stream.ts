import { assertFunction, assertString, throwMisuse } from "../arguments.js";
import { listNames } from "../catalog/check/suggestions.js";
import { maxTextLengthOf, tooLargeDiagnostic } from "../message-limit.js";
import { FrameLimit } from "../messages/partial-text.js";
import type { Diagnostic, Json } from "../types.js";
import { appendAll } from "./append.js";
import { Block, type StatementEffect } from "./block.js";
import { type BlockEvent, BlockReader, type OpenStatement } from "./blocks.js";
import { emptyBlock, noBlock, openBlock } from "./compile.js";
import {
  catalogIdOf,
  emptySurface,
  isEmptyScope,
  missingRoot,
  otherRoot,
  undefinedHelp,
} from "./message-builder.js";
import { type ExpressOptions, readOptions } from "./options.js";
import { closedStatement } from "./partial-statement.js";
import type { CompiledComponent } from "./program.js";
import type { Scope } from "./scope.js";
import type { Signatures } from "./signatures.js";
import type { Span } from "./syntax.js";
import { type ExpressTarget, type MessageReceiver, receiverOf } from "./target.js";

export interface ExpressStreamOptions extends Omit<ExpressOptions, "version"> {
  /** Called with the text outside of blocks. */
  onText?: (text: string) => void;
  /** Displays long texts while they arrive; true by default. */
  partialText?: boolean;
}

/** Stream of Express for a surface, in chunks of any size. */
export interface ExpressStream {
  /** Reads a chunk: each complete statement is displayed. */
  push(chunk: string): void;
  /** Reads the rest. Returns the diagnostics of the whole text. */
  end(): { ok: boolean; diagnostics: Diagnostic[] };
}

/**
 * Opens a stream of Express for surfaces. A surface is created by the first statement about it; an
 * existing one is updated by name. A faulty statement is left out and reported.
 */
export function expressStream(target: ExpressTarget, options: ExpressStreamOptions): ExpressStream {
  const receiver = receiverOf(target);
  const { onText, partialText = true } = options;
  const { signatures } = readOptions(options, "expressStream", ["onText", "partialText"]);
  if (onText !== undefined) assertFunction(onText, "`onText`");
  const applier = new StatementApplier(receiver, signatures);
  let isReading = false;
  let isEnded = false;
  const maxLength = maxTextLengthOf(target);
  let length = 0;
  let hasBlock = false;
  /** Whether the text was longer than the limit. */
  let isCut = false;
  const reader = new BlockReader((event: BlockEvent) => {
    if (event.kind === "text") onText?.(event.text);
    if (event.kind === "begin") hasBlock = true;
    if (event.kind !== "text") applier.read(event);
  });
  const read = (task: () => void): void => {
    if (isEnded) throwMisuse("the stream has ended: open a new one with `expressStream`");
    if (isReading)
      throwMisuse("a listener called `push` during `push`: push after it has returned");
    isReading = true;
    try {
      task();
    } finally {
      isReading = false;
    }
  };
  return {
    push(chunk) {
      assertString(chunk, "a chunk");
      read(() => {
        const start = length;
        length += chunk.length;
        if (isCut) return;
        isCut = length > maxLength;
        if (isCut) {
          reader.push(chunk.slice(0, maxLength - start));
          const location = { kind: "text", start, end: length } as const;
          applier.report({ ...tooLargeDiagnostic(maxLength), location });
          return;
        }
        reader.push(chunk);
        if (partialText) applier.previewStatement(() => reader.openStatement());
      });
    },
    end() {
      // A text that is cut off here may have an open statement or no block.
      read(() => (isCut ? applier.cutBlock(maxLength) : reader.end()));
      isEnded = true;
      if (!hasBlock && !isCut) applier.report(noBlock(length));
      return applier.result();
    },
  };
}

/** Applies statements to surfaces as they arrive. */
class StatementApplier {
  readonly #receiver: MessageReceiver;
  readonly #signatures: Signatures;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #frames = new FrameLimit();
  #block: Block;
  /** Components that are displayed with a part of their text. */
  readonly #previewed = new Set<string>();
  /** Scopes that update a surface which does not exist. */
  readonly #rejected = new WeakSet<Scope>();
  /** Data of the current block for a surface that it may create, by path. */
  readonly #waitingData = new Map<string, { value: Json; span: Span }>();

  constructor(receiver: MessageReceiver, signatures: Signatures) {
    this.#receiver = receiver;
    this.#signatures = signatures;
    this.#block = new Block(signatures, receiver.defaultId);
  }

  report(diagnostic: Diagnostic): void {
    this.#diagnostics.push(diagnostic);
  }

  read(event: Exclude<BlockEvent, { kind: "text" }>): void {
    if (event.kind === "begin") {
      this.#waitingData.clear();
      this.#block = new Block(this.#signatures, this.#receiver.defaultId);
    } else if (event.kind === "statement") {
      const [first] = event.statement.tokens;
      const span = { start: first?.start ?? event.statement.end, end: event.statement.end };
      this.#applyEffect(this.#block.read(event.statement), span);
    } else this.#endBlock(event);
  }

  /** Ends a block that is cut off. Components that wait for a name use it as a text. */
  cutBlock(end: number): void {
    for (const step of this.#block.steps) {
      if (step.kind !== "scope") continue;
      for (const name of step.scope.pendingNames())
        this.#compileAndSend(step.scope, name, true, { start: end, end });
    }
    this.#reportStatements();
  }

  /** Reports the errors of the statements of a block. */
  #reportStatements(): void {
    appendAll(this.#diagnostics, this.#block.diagnostics.splice(0));
  }

  /** Displays the statement that has not ended, at most once per frame. */
  previewStatement(openStatement: () => OpenStatement | undefined): void {
    this.#frames.run(() => this.#showStatement(openStatement()));
  }

  #showStatement(open: OpenStatement | undefined): void {
    const statement = open && closedStatement(open);
    const target = statement?.target;
    if (statement === undefined || target === undefined) return;
    const { scope } = this.#block;
    const { expression } = statement;
    if (target.kind === "path") {
      const { value, diagnostics } = scope.compileData({
        path: target.path,
        expression,
        span: target,
      });
      if (diagnostics.length === 0) this.#sendData(scope, target.path, value, target);
      return;
    }
    if (expression.kind !== "call" || !scope.isComponent(expression)) return;
    const { components } = scope.previewComponent(target.name, expression);
    const { surfaceId } = scope.options;
    // A component that exists is displayed again when it is complete.
    const shown = components.filter(({ json }) => {
      const key = `${surfaceId} ${String(json["id"])}`;
      return (
        this.#previewed.has(key) || !this.#receiver.hasComponent(String(json["id"]), surfaceId)
      );
    });
    for (const { json } of shown) this.#previewed.add(`${surfaceId} ${String(json["id"])}`);
    this.#sendComponents(scope, shown, target, false);
  }

  result(): { ok: boolean; diagnostics: Diagnostic[] } {
    const found = [...this.#diagnostics];
    const known = new Set(found.map(({ code, message }) => `${code} ${message}`));
    // The components are checked by their statements, but the values of the data are not.
    const isCurrent = ({ code }: Diagnostic): boolean =>
      code === "CAT017" || !code.startsWith("CAT");
    const current = this.#receiver.diagnostics().filter(isCurrent).map(inExpressTerms);
    appendAll(
      found,
      current.filter(({ code, message }) => !known.has(`${code} ${message}`)),
    );
    return { ok: found.every(({ severity }) => severity !== "error"), diagnostics: found };
  }

  #endBlock({ end, isClosed }: { end: number; isClosed: boolean }): void {
    const block = this.#block;
    for (const step of block.steps) {
      if (step.kind !== "scope") continue;
      const { scope } = step;
      for (const name of scope.pendingNames())
        this.#compileAndSend(scope, name, true, { start: end, end });
      const { surfaceId } = scope.options;
      if (this.#rejected.has(scope)) continue;
      const rootError = otherRoot(scope);
      if (rootError !== undefined) {
        this.report(rootError);
        continue;
      }
      if (isEmptyScope(scope) && !this.#receiver.hasComponent("root", surfaceId))
        this.report(emptySurface(scope));
      if (scope.hasComponents && !this.#receiver.hasComponent("root", surfaceId))
        this.report(missingRoot(scope));
    }
    for (const [path, { span }] of this.#waitingData) {
      const text = `missing surface of the path \`$${path}\``;
      const ids = this.#receiver.surfaceIds();
      const help = `write \`surface("${ids[0]}")\` before it; the surfaces are ${listNames(ids)}`;
      this.report(surfaceError(text, help, span));
    }
    this.#reportStatements();
    if (!isClosed) this.report(openBlock(end));
    if (block.isEmpty) this.report(emptyBlock(end));
  }

  #applyEffect(effect: StatementEffect, span: Span): void {
    const { scope } = this.#block;
    switch (effect.kind) {
      case "open":
        if (!this.#rejectsUpdate(scope, span)) this.#ensureSurface(scope, span);
        break;
      case "delete":
        this.#sendMessage(
          effect.surfaceId,
          { deleteSurface: { surfaceId: effect.surfaceId } },
          span,
        );
        break;
      case "call": {
        const callRendererFunction = { functionCallId: effect.id, callFunction: effect.call };
        this.#sendMessage(scope.options.surfaceId, { callRendererFunction }, span);
        break;
      }
      case "data":
        this.#applyData(scope, span);
        break;
      case "variable":
        for (const name of effect.affected) this.#compileAndSend(scope, name, false, span);
    }
  }

  /** Sends the last data assignment. */
  #applyData(scope: Scope, span: Span): void {
    const assignment = scope.data.at(-1);
    if (assignment === undefined) return;
    const { value, diagnostics } = scope.compileData(assignment);
    appendAll(this.#diagnostics, diagnostics);
    if (diagnostics.length === 0) this.#sendData(scope, assignment.path, value, span);
  }

  #compileAndSend(scope: Scope, name: string, isFinal: boolean, span: Span): void {
    const { components, diagnostics } = scope.compileComponentOf(name, isFinal);
    appendAll(this.#diagnostics, diagnostics);
    if (diagnostics.some(({ severity }) => severity === "error")) return;
    this.#sendComponents(scope, components, span, true);
  }

  #sendComponents(
    scope: Scope,
    components: readonly CompiledComponent[],
    span: Span,
    isComplete: boolean,
  ): void {
    if (components.length === 0 || this.#rejectsUpdate(scope, span)) return;
    this.#ensureSurface(scope, span);
    if (scope.declaration === undefined) {
      const waiting = [...this.#waitingData];
      this.#waitingData.clear();
      for (const [path, data] of waiting) this.#sendData(scope, path, data.value, data.span);
    }
    const { surfaceId } = scope.options;
    const list = components.map(({ json }) => json);
    const message = { updateComponents: { surfaceId, components: list } };
    this.#sendMessage(surfaceId, message, span, isComplete);
  }

  #sendData(scope: Scope, path: string, value: Json, span: Span): void {
    if (this.#rejectsUpdate(scope, span)) return;
    const { surfaceId } = scope.options;
    const isNamed = scope.declaration !== undefined || this.#receiver.hasSurface(surfaceId);
    if (!isNamed && this.#receiver.surfaceIds().length > 1) {
      this.#waitingData.set(path, { value, span });
      return;
    }
    this.#ensureSurface(scope, span);
    const at = path === "" ? "/" : path;
    this.#sendMessage(surfaceId, { updateDataModel: { surfaceId, path: at, value } }, span);
  }

  /** Returns whether a scope updates a surface that does not exist, and reports it once. */
  #rejectsUpdate(scope: Scope, span: Span): boolean {
    const { surfaceId, update } = scope.options;
    const ids = this.#receiver.surfaceIds();
    if (update !== true || ids.length === 0 || ids.includes(surfaceId)) return false;
    if (!this.#rejected.has(scope)) {
      this.#rejected.add(scope);
      const help = `leave out \`update=true\` to create it; the surfaces are ${listNames(ids)}`;
      this.report(surfaceError(`unknown surface \`${surfaceId}\``, help, span));
    }
    return true;
  }

  #ensureSurface(scope: Scope, span: Span): void {
    const { surfaceId, sendDataModel } = scope.options;
    if (this.#receiver.hasSurface(surfaceId)) return;
    const catalogId = catalogIdOf(scope);
    const named = catalogId === undefined ? {} : { catalogId };
    const model = sendDataModel === undefined ? {} : { sendDataModel };
    this.#sendMessage(surfaceId, { createSurface: { surfaceId, ...named, ...model } }, span);
  }

  /** Sends a message, and reports its diagnostics at the statement. */
  #sendMessage(surfaceId: string, message: object, { start, end }: Span, isReported = true): void {
    const { diagnostics } = this.#receiver.receive(surfaceId, { version: "v1.0", ...message });
    if (!isReported) return;
    for (const { location: _, ...diagnostic } of diagnostics) {
      // The types were checked against the catalog of the stream.
      if (diagnostic.code.startsWith("CAT")) continue;
      this.report({ ...diagnostic, location: { kind: "text", start, end } });
    }
  }
}

/** Returns the error for statements without a surface that exists. */
function surfaceError(message: string, help: string, { start, end }: Span): Diagnostic {
  return {
    code: "HAM029",
    severity: "error",
    message,
    help,
    location: { kind: "text", start, end },
  };
}

/** Returns a diagnostic whose help names statements in place of messages. */
function inExpressTerms(one: Diagnostic): Diagnostic {
  const id = /^missing component `(.*)`$/s.exec(one.message)?.[1];
  if (one.code !== "HAM028" || id === undefined || one.help === undefined) return one;
  const help = one.help.startsWith("describe")
    ? undefinedHelp(id)
    : one.help.replace("describe it in `updateComponents`", "assign it");
  return { ...one, help };
}
