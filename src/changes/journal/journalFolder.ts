import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../base/log.ts';
import { getBaseConnectionId } from '../../catalog/tenantConnection.ts';
import { type HistoryEntry, parseJournal } from './entry.ts';

/** The end of the file name of a journal; the rest is the ID of its entry. */
export const journalSuffix = '.jsonl';

/** The maximum total size of the journals whose parsed entries are cached. Any others are parsed at each reading. */
const maxCachedBytes = 16 * 1024 * 1024;

/** A parsed journal, and the state of its file at that time, which shows whether it has changed since. */
interface ParsedJournal {
  readonly size: number;
  readonly mtimeMs: number;
  readonly entry: HistoryEntry | undefined;
}

/** Reads the journals in a folder on the local disk: one folder for each connection, one file for each entry. */
export class JournalFolder {
  readonly #folder: string;
  readonly #log: Log;
  readonly #parsedJournals = new Map<string, ParsedJournal>();
  #cachedBytes = 0;

  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * Returns the folder of a connection, for all of its tenants. Its name is a hash, since a connection ID may contain
   * any character.
   */
  getPath(connectionId: string): string {
    const name = createHash('sha256').update(getBaseConnectionId(connectionId)).digest('hex').slice(0, 32);
    return join(this.#folder, name);
  }

  /** Lists the file names of a connection's journals, oldest first. */
  async listNames(connectionId: string): Promise<readonly string[]> {
    try {
      const names = await readdir(this.getPath(connectionId));
      return names.filter((name) => name.endsWith(journalSuffix)).sort();
    } catch (error) {
      if (isFileNotFound(error)) {
        return [];
      }
      throw error;
    }
  }

  /** Reads the entries of a connection, newest first. Unreadable ones are logged and omitted. */
  async readEntries(connectionId: string): Promise<readonly HistoryEntry[]> {
    const entries: HistoryEntry[] = [];
    for (const name of (await this.listNames(connectionId)).toReversed()) {
      const entry = await this.readEntry(connectionId, name);
      if (entry !== undefined) {
        entries.push(entry);
      }
    }
    return entries;
  }

  /** Reads the entry in a file; `undefined` if it is unreadable or does not match its folder and file name. */
  async readEntry(connectionId: string, name: string): Promise<HistoryEntry | undefined> {
    const path = join(this.getPath(connectionId), name);
    try {
      const entry = await this.#parse(path);
      const isMatch =
        entry !== undefined &&
        getBaseConnectionId(entry.operation.connectionId) === getBaseConnectionId(connectionId) &&
        `${entry.id}${journalSuffix}` === name;
      if (!isMatch) {
        this.#log.warn('writes', 'A history entry cannot be read', { name });
        return undefined;
      }
      return entry;
    } catch (error) {
      if (isFileNotFound(error)) {
        this.#forget(path);
        return undefined;
      }
      throw error;
    }
  }

  /** Parses a journal, unless it has not changed since it was parsed. */
  async #parse(path: string): Promise<HistoryEntry | undefined> {
    const stats = await stat(path);
    if (!stats.isFile()) {
      return undefined;
    }
    const { size, mtimeMs } = stats;
    const parsed = this.#parsedJournals.get(path);
    if (parsed !== undefined && parsed.size === size && parsed.mtimeMs === mtimeMs) {
      return parsed.entry;
    }
    this.#forget(path);
    const entry = parseJournal(await readFile(path, 'utf8'));
    // Nothing is evicted for a later entry: the newest entries are read first, and are the ones that are needed most.
    if (this.#cachedBytes + size <= maxCachedBytes && !this.#parsedJournals.has(path)) {
      this.#cachedBytes += size;
      this.#parsedJournals.set(path, { size, mtimeMs, entry });
    }
    return entry;
  }

  #forget(path: string): void {
    this.#cachedBytes -= this.#parsedJournals.get(path)?.size ?? 0;
    this.#parsedJournals.delete(path);
  }
}

const isFileNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
