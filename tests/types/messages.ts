// Type test of byname/messages: compiled, never run.
import { type Diagnostic, HamStore, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { Surface as HamSurface } from "byname/ham";
import { type MessageStream, messageStream, receiveAll } from "byname/messages";

const stream: MessageStream = messageStream(new Surface());
export const ok: boolean =
  stream.push(new Uint8Array()).ok && messageStream(new HamSurface()).end().ok;
export const told: Promise<{ diagnostics: Diagnostic[] }> = receiveAll(
  new Surface(),
  await fetch("/agent"),
);
// @ts-expect-error A chunk is text or bytes.
stream.push({ updateDataModel: { nodes: {} } });
// @ts-expect-error Messages go to a surface.
messageStream(new HamStore());
export const stopped = receiveAll(new Surface(), fetch("/agent"), {
  signal: AbortSignal.timeout(9),
});
// @ts-expect-error A number is not a source of messages.
receiveAll(new Surface(), 5);
export const translated = receiveAll(a2uiTarget(new HamSurface()), "{}");
// @ts-expect-error A substitute for a surface needs a store.
a2uiTarget({ receive: () => ({ ok: true, diagnostics: [] }) });
