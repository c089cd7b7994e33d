import { randomUUID } from 'node:crypto';
import { appendFile, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFileMode, ensurePrivateFolder } from '../base/storage/privateFiles.ts';

/** A part of a history. Builds are added to the latest part. */
export interface HistoryPart {
  readonly name: string;
  readonly text: string;
}

/** A text of lines that several windows append to. It's stored in parts, so that old lines can be removed. */
export interface HistoryFile {
  /** Returns the parts in any order; none if nothing was appended yet. */
  read(): Promise<readonly HistoryPart[]>;
  append(lines: string): Promise<void>;
  /** Starts a new part for later lines, including those of other windows. No line is lost. */
  rotate(): Promise<void>;
  /** Removes a part to which nothing is appended anymore. */
  remove(name: string): Promise<void>;
}

/** The part that lines are appended to. */
export const latestPartName = 'history.jsonl';

/** The name of an earlier part of the history; unique, since two windows may start a part at the same time. */
const createPartName = (): string => `history-${randomUUID()}.jsonl`;

const isPartName = (name: string): boolean => name.startsWith('history') && name.endsWith('.jsonl');

/** Opens the history in a folder. */
export const openHistoryFile = (folder: string): HistoryFile => ({
  async read() {
    const names = (await readOptional(readdir(folder))) ?? [];
    const parts = names.filter(isPartName).map(async (name) => {
      // Another window may have renamed or removed it since.
      const text = await readOptional(readFile(join(folder, name), 'utf8'));
      return text === undefined ? [] : [{ name, text }];
    });
    return (await Promise.all(parts)).flat();
  },
  async append(lines) {
    await ensurePrivateFolder(folder);
    await appendFile(join(folder, latestPartName), lines, { mode: privateFileMode });
  },
  async rotate() {
    // Lines that another window is just appending end up in the renamed part, or in a new one.
    await readOptional(rename(join(folder, latestPartName), join(folder, createPartName())));
  },
  remove: (name) => rm(join(folder, name), { force: true }),
});

/** Returns `undefined` if a file or folder does not exist. */
async function readOptional<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
