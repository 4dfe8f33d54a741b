// Type test of byname/messages: compiled, never run.
import { type Component, type Diagnostic, HamStore, type Message, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { Surface as HamSurface } from "byname/ham";
import { type MessageStream, messageStream, receiveAll } from "byname/messages";

const stream: MessageStream = messageStream(new Surface());
export const ok: boolean =
  stream.push(new Uint8Array()).ok && messageStream(new HamSurface()).end().ok;
export const received: Promise<{ diagnostics: Diagnostic[] }> = receiveAll(
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

const title: Component = { id: "root", component: "Text", text: { binding: { key: "title" } } };
const first: Message = { createSurface: { surfaceId: "s", components: [title] } };
export const applied: boolean[] = [
  new Surface().receive(first).ok,
  new HamSurface().receive({ updateDataModel: { nodes: { root: { title: "Hi" } } } }).ok,
  new Surface().receive(JSON.parse("{}")).ok,
];
// @ts-expect-error A component has an id.
export const anonymous: Component = { component: "Text" };
// @ts-expect-error No such message.
new Surface().receive({ updateDatamodel: { nodes: {} } });
// @ts-expect-error Components are a list.
new Surface().receive({ updateComponents: { surfaceId: "s", components: title } });
// @ts-expect-error A date is not JSON.
new Surface().receive({ updateDataModel: { nodes: { root: new Date() } } });
