import { StorageError } from "./storage-error.js";

/** Handle of an open file. */
export interface FileHandle {
  stat(): Promise<{ size: number; ino: number }>;
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }>;
  write(
    data: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesWritten: number }>;
  truncate(length: number): Promise<void>;
  datasync(): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Functions of `node:fs/promises` that a file storage needs. */
export interface FileSystem {
  open(path: string, flags: string): Promise<FileHandle>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  stat(path: string): Promise<{ mtimeMs: number; mode: number }>;
  realpath(path: string): Promise<string>;
  chmod(path: string, mode: number): Promise<void>;
}

/** Parts of Node, Bun and Deno that a file storage needs. */
export interface NodeHost {
  files: FileSystem;
  folderOf(path: string): string;
  hash(text: string): string;
  pid: number;
  /** Start of this process, in milliseconds since 1970. */
  startTime: number;
  /** Returns whether a process runs. */
  isRunning(pid: number): boolean;
}

interface Process {
  pid: number;
  getBuiltinModule?: (name: string) => unknown;
  uptime(): number;
  kill(pid: number, signal: 0): void;
}

/** Returns the host, or throws in a browser. */
export function nodeHost(): NodeHost {
  const { process } = globalThis as { process?: Process };
  const load = process?.getBuiltinModule;
  if (!process || !load)
    throw new StorageError(
      "forbidden",
      "`fileStorage` needs Node 20.16, Bun or Deno; use `indexedDbStorage` in a page",
    );
  const files = load("node:fs/promises") as FileSystem;
  const { dirname } = load("node:path") as { dirname(path: string): string };
  const { createHash } = load("node:crypto") as {
    createHash(name: string): { update(text: string): { digest(form: "hex"): string } };
  };
  return {
    files,
    folderOf: dirname,
    hash: (text) => createHash("sha256").update(text).digest("hex"),
    pid: process.pid,
    startTime: Date.now() - process.uptime() * 1000,
    isRunning: (pid) => {
      try {
        process.kill(pid, 0);
        return true;
      } catch (error) {
        // The process of another user exists too.
        return errorCode(error) === "EPERM";
      }
    },
  };
}

/** Returns the code of an error of the host, such as `ENOENT`. */
export function errorCode(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === "string" ? code : "";
}

/** Returns the error of a storage for an error of the host. */
export function toStorageError(error: unknown, path: string, folder: string): StorageError {
  if (error instanceof StorageError) return error;
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === "ENOSPC" || code === "EDQUOT")
    return new StorageError("quota", `no space for \`${path}\``, error);
  const forbidden = (what: string, help: string) =>
    new StorageError("forbidden", what, error, help);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return forbidden(
      `no permission to write \`${path}\``,
      "permit this process to write in its folder, or choose another path",
    );
  if (code === "EISDIR")
    return forbidden(`expected \`${path}\` to be a file`, "choose another path");
  if (code === "ENOTDIR")
    return forbidden(`a part of \`${path}\` is a file`, "choose another path");
  if (code === "ENOENT")
    return forbidden(`the folder of \`${path}\` does not exist`, `create the folder \`${folder}\``);
  return new StorageError("failed", `\`${path}\` could not be used (${message})`, error);
}
