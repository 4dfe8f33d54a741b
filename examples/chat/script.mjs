// Replaces a model: takes an order for a coffee.

/** Number of the next order. */
let number = 1;

/** Returns the reply to a text of the user, or to an action as JSON. */
export function script(content) {
  if (content.startsWith("{")) return confirm(JSON.parse(content));
  if (/coffee/i.test(content)) return showForm(`order-${number++}`);
  return "I take orders for coffee. Write, for example: A coffee, please.";
}

/** Returns text and the messages of a form. */
function showForm(surfaceId) {
  const sizes = ["small", "large"].map((size) => ({ label: size, value: size }));
  const event = { name: "order", context: { order: { binding: { node: "order" } } } };
  return `Of course. How would you like it?

{"createSurface": {"surfaceId": "${surfaceId}"}}
{"updateComponents": {"surfaceId": "${surfaceId}", "components": [
  {"id": "root", "component": "Card", "child": "form"},
  {"id": "form", "component": "Column", "children": ["title", "name", "size", "cups", "send"]},
  {"id": "title", "component": "Text", "variant": "h3", "text": {"binding": {"key": "title"}}},
  {"id": "name", "component": "TextField", "label": "Name", "value": {"binding": {"node": "order", "key": "name"}}},
  {"id": "size", "component": "ChoicePicker", "label": "Size", "variant": "mutuallyExclusive", "options": ${JSON.stringify(sizes)}, "value": {"binding": {"node": "order", "key": "size"}}},
  {"id": "cups", "component": "Slider", "label": "Cups", "min": 1, "max": 5, "value": {"binding": {"node": "order", "key": "cups"}}},
  {"id": "send", "component": "Button", "child": "word", "action": ${JSON.stringify({ event })}},
  {"id": "word", "component": "Text", "text": "Order"}
]}}
{"updateDataModel": {"surfaceId": "${surfaceId}", "nodes": {
  "root": {"title": "Your coffee"},
  "order": {"name": "", "size": ["small"], "cups": 1}
}}}`;
}

/** Returns text and the messages that replace a form by its result. */
function confirm({ surfaceId, context: { order } }) {
  const title = `${order.cups} × ${order.size} for ${order.name || "you"}`;
  return `Thank you, it is on its way.

{"updateDataModel": {"surfaceId": "${surfaceId}", "nodes": {"root": {"title": ${JSON.stringify(title)}}}}}
{"updateComponents": {"surfaceId": "${surfaceId}", "components": [
  {"id": "form", "component": "Column", "children": ["title"]}
]}}`;
}
