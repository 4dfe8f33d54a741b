import { fileURLToPath } from "node:url";

// Without this, Next uses the lock file of the repository.
export default { turbopack: { root: fileURLToPath(new URL("../..", import.meta.url)) } };
