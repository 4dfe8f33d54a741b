// Locks between processes, so that one at a time writes a folder. A lock is a file with the id of its process. It lasts
// no longer than the process.
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { printStatus, root } from "./run.mjs";

const folder = join(root, "target/locks");

/** Milliseconds between two attempts to get a lock. */
const pollInterval = 200;

/**
 * Calls `body` with the lock of that name, and returns its result. Waits for another call that has the lock, in this
 * process or in another one that is running.
 */
export async function withLock(name, body) {
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  let isReported = false;
  while (!tryLock(path)) {
    const owner = readOwner(path);
    if (owner === undefined) continue;
    if (!isAlive(owner)) {
      removeStale(path, owner);
      continue;
    }
    if (!isReported && owner !== process.pid)
      printStatus(`waiting for process ${owner}, which has the lock ${path}`);
    isReported = true;
    await sleep(pollInterval);
  }
  try {
    return await body();
  } finally {
    rmSync(path, { force: true });
  }
}

/** Creates the lock together with its contents. Returns false if it exists. */
function tryLock(path) {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  } finally {
    unlinkSync(own);
  }
}

/** Returns the process id in the lock, or undefined if the lock has been removed. */
function readOwner(path) {
  try {
    return Number(readFileSync(path, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

function isAlive(id) {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // A process of another user exists too.
    return error.code === "EPERM";
  }
}

/** Removes the lock of an ended process. Restores the lock if another process has taken it meanwhile. */
function removeStale(path, owner) {
  const moved = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, moved);
    if (readOwner(moved) !== owner) linkSync(moved, path);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  } finally {
    rmSync(moved, { force: true });
  }
}
