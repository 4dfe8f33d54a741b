import { fileURLToPath } from "node:url";

// Without this, Next takes the lock file of the checkout for that of the project.
export default { turbopack: { root: fileURLToPath(new URL("../..", import.meta.url)) } };
