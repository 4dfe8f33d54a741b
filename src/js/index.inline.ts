import { initSync } from "./api.js";
import { bytes } from "./byname_bg.inline.js";

export * from "./api.js";

initSync({ module: bytes });

export async function init(): Promise<void> {}
