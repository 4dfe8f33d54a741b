import { errorCode, type FileHandle, type NodeHost } from "./node-host.js";
import { checkVersion, FORMAT_VERSION, RecordedValues, type SaveRecord } from "./records.js";
import { StorageError } from "./storage-error.js";

/** Number of hexadecimal digits of a checksum. */
const CHECKSUM_LENGTH = 16;
const NEWLINE = 10;
/** Length in bytes up to which a journal is not rewritten. */
const MIN_REWRITTEN_BYTES = 64 * 1024;

/** Growth after which a journal is compared with its values, and of a journal that is rewritten. */
const REWRITE_GROWTH = 2;

/**
 * File with one save per line: a checksum and the JSON text of a record. The first line states the
 * version, and an id of the file: a system reuses the inode of a file that was replaced. A line
 * without its end was not acknowledged, so it is ignored.
 */
export class Journal {
  readonly values = new RecordedValues();
  readonly #host: NodeHost;
  readonly #path: string;
  /** Identity of the file that was read. */
  #inode: number | undefined;
  /** First line of the file that was read. */
  #header: Uint8Array = new Uint8Array();
  /** Length of the lines that were read. */
  #length = 0;
  /** Length when the journal was compared with its values last. */
  #comparedLength = 0;

  constructor(host: NodeHost, path: string) {
    this.#host = host;
    this.#path = path;
  }

  /** Reads what other writers have added. Returns the keys of their records. */
  async read(): Promise<Set<string>> {
    const file = await this.#open("r");
    if (file === undefined) return this.#reset();
    try {
      return await this.#readFrom(file);
    } finally {
      await file.close();
    }
  }

  /** Adds a record durably. The caller holds the lock and has read all records. */
  async append(record: SaveRecord): Promise<void> {
    try {
      // Rejects changes that do not fit before they are written.
      this.values.apply(record);
      await this.#write(record);
    } catch (error) {
      // The next call reads what is in the file.
      this.#reset();
      throw error;
    }
  }

  async #write(record: SaveRecord): Promise<void> {
    const lines = encode(this.#formatLine(record));
    const file = await this.#open("r+");
    const length = this.#length + lines.length;
    if (
      file === undefined ||
      length > Math.max(MIN_REWRITTEN_BYTES, this.#comparedLength * REWRITE_GROWTH)
    ) {
      const values = this.#valueLines();
      // A journal that mostly adds is hardly longer than its values.
      if (file === undefined || length > values.length * REWRITE_GROWTH) {
        await file?.close();
        await this.#rewriteFile(values);
        return;
      }
      this.#comparedLength = length;
    }
    try {
      // Removes the rest of a save that was interrupted.
      await file.truncate(this.#length);
      await writeAll(file, lines, this.#length);
      await file.datasync();
    } finally {
      await file.close();
    }
    this.#length += lines.length;
  }

  #reset(): Set<string> {
    const keys = new Set(this.values.keys);
    this.values.clear();
    this.#inode = undefined;
    this.#length = 0;
    return keys;
  }

  async #open(flags: string): Promise<FileHandle | undefined> {
    try {
      return await this.#host.files.open(this.#path, flags);
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  async #readFrom(file: FileHandle): Promise<Set<string>> {
    const { ino, size } = await file.stat();
    const changed = new Set<string>();
    const isSame = ino === this.#inode && size >= this.#length && (await this.#hasHeader(file));
    if (!isSame) for (const key of this.#reset()) changed.add(key);
    const bytes = await readAll(file, this.#length, size);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const line = bytes.subarray(start, end);
      if (this.#length === 0) this.#header = line.slice();
      const record = this.#parse(line, this.#length === 0);
      if (record) {
        this.#applyRecord(record);
        changed.add(record.key);
      }
      this.#length += end + 1 - start;
      start = end + 1;
    }
    if (this.#length === 0)
      throw new StorageError("corrupt", `expected a header in \`${this.#path}\``);
    if (this.#inode === undefined) this.#comparedLength = this.#length;
    this.#inode = ino;
    return changed;
  }

  /** Returns whether a file begins with the header of the file that was read. */
  async #hasHeader(file: FileHandle): Promise<boolean> {
    const found = await readAll(file, 0, this.#header.length);
    return found.every((byte, at) => byte === this.#header[at]);
  }

  #applyRecord(record: SaveRecord): void {
    try {
      this.values.apply(record);
    } catch (error) {
      throw this.#corruptError((error as Error).message);
    }
  }

  /** Parses a line. Returns undefined for the header. */
  #parse(line: Uint8Array, isFirst: boolean): SaveRecord | undefined {
    const text = new TextDecoder().decode(line);
    const json = text.slice(CHECKSUM_LENGTH + 1);
    if (text.slice(0, CHECKSUM_LENGTH) !== this.#checksum(json))
      throw this.#corruptError(isFirst ? "it is not a file of this storage" : "a checksum differs");
    const record = JSON.parse(json) as SaveRecord & { version?: unknown };
    if (!isFirst) return record;
    checkVersion(record.version, `\`${this.#path}\``);
    return undefined;
  }

  #corruptError(detail: string): StorageError {
    return new StorageError(
      "corrupt",
      `\`${this.#path}\` is damaged at byte ${this.#length} (${detail})`,
    );
  }

  #checksum(json: string): string {
    return this.#host.hash(json).slice(0, CHECKSUM_LENGTH);
  }

  #formatLine(value: object): string {
    const json = JSON.stringify(value);
    return `${this.#checksum(json)} ${json}\n`;
  }

  /** Returns the lines of a journal with the current values only. */
  #valueLines(): Uint8Array {
    const header = { version: FORMAT_VERSION, id: crypto.randomUUID() };
    const lines = [header, ...this.values.snapshot()];
    return encode(lines.map((line) => this.#formatLine(line)).join(""));
  }

  /** Replaces the file by one with these lines. */
  async #rewriteFile(bytes: Uint8Array): Promise<void> {
    const { files, folderOf, pid } = this.#host;
    // A symbolic link to a file stays, and so do its permissions.
    const path = await files.realpath(this.#path).catch(() => this.#path);
    const replaced = await files.stat(path).catch(() => undefined);
    const temporary = `${path}.${pid}.tmp`;
    const file = await files.open(temporary, "w");
    try {
      // Some file systems have no permissions.
      if (replaced) await files.chmod(temporary, replaced.mode).catch(() => {});
      await writeAll(file, bytes, 0);
      await file.sync();
      this.#inode = (await file.stat()).ino;
    } finally {
      await file.close();
    }
    await files.rename(temporary, path);
    await syncFolder(files, folderOf(path));
    this.#header = bytes.slice(0, bytes.indexOf(NEWLINE));
    this.#length = bytes.length;
    this.#comparedLength = bytes.length;
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function readAll(file: FileHandle, from: number, to: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.max(0, to - from));
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const rest = bytes.length - written;
    const { bytesWritten } = await file.write(bytes, written, rest, position + written);
    written += bytesWritten;
  }
}

/** Makes a renaming durable. Some systems cannot open a folder; their renaming is durable. */
async function syncFolder(files: NodeHost["files"], folder: string): Promise<void> {
  const handle = await files.open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
