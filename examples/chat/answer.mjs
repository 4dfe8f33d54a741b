// One answer of the model: streams its text and its surface messages, and asks it once to correct errors.
import { checkMessages } from "byname/catalog";
import { basicCatalog } from "byname/dom";
import { messageStream } from "byname/messages";

const system = `${basicCatalog.prompt()}

## Chat
You answer in a chat. You may write text for the user before the messages, and only text if no user interface is needed. Each user interface is a surface with an id of its own. An action of the user arrives as JSON with its name, its surface and its context.`;

/** Adds the answer to a conversation, and sends its parts as they arrive. */
export async function answer(model, conversation, { sendText, sendMessage, signal }) {
  for (let attempt = 1; ; attempt++) {
    const stream = messageStream(targetOf(sendMessage), { onText: sendText });
    const messages = [{ role: "system", content: system }, ...conversation];
    const reply = await model(messages, { signal, onToken: (chunk) => stream.push(chunk) });
    stream.end();
    conversation.push({ role: "assistant", content: reply });

    // Text without messages is a valid answer here.
    const problems = reply.includes("{") ? checkMessages(basicCatalog, reply) : [];
    if (problems.length === 0 || attempt === 2) return;
    const fixes = problems.map(({ message, help }) => `- ${message}: ${help}`).join("\n");
    conversation.push({ role: "user", content: `Send these messages again, corrected:\n${fixes}` });
  }
}

/** Returns a target of a message stream that passes each message on. */
function targetOf(sendMessage) {
  return {
    receive(message) {
      sendMessage(message);
      return { ok: true, diagnostics: [] };
    },
  };
}
