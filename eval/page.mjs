export function publish() {}
