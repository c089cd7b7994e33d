import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { Disposable } from '../base/disposable.ts';
import { stringify } from '../base/json.ts';
import { restrictFileSync, privateFileMode, ensurePrivateFolderSync } from '../base/storage/privateFiles.ts';
import { createTokens, type Tokens } from './auth.ts';

const tokensSchema = z.object({ adminToken: z.string().min(16), userToken: z.string().min(16) });
const announcementSchema = z.object({ pid: z.number(), url: z.string() });

/** The process and address of a running sandbox. */
export type SandboxAnnouncement = z.infer<typeof announcementSchema>;

/**
 * A file of the data folder cannot be parsed. The error contains nothing of the file, which may have tokens. So it has
 * no cause either: the message of a syntax error quotes the text.
 */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';

  constructor(file: string) {
    super(`${file} is damaged. Delete it. The sandbox creates a new one when it starts.`);
  }
}

/** SQLite's result code `SQLITE_BUSY`: another process has locked the database. */
const sqliteBusyCode = 5;

/**
 * The folder of a sandbox's files: `sandbox.sqlite` (state), `tokens.json`, `sandbox.json` (address of the running
 * sandbox), `lock.sqlite`, `files/` (CSV), `cubes/` (built data).
 */
export class DataFolder {
  readonly path: string;

  /** Creates the folder if it is missing, and restricts access to its owner even if it already exists. */
  constructor(path: string) {
    this.path = ensurePrivateFolderSync(path);
  }

  get stateFile(): string {
    return join(this.path, 'sandbox.sqlite');
  }

  /**
   * Locks the folder for this process: one sandbox per data folder (decisions.md, "Sandbox"). SQLite holds a file lock
   * of the operating system, which is released however the process ends.
   * @returns the lock, released when disposed; `undefined` while another process has it.
   */
  lock(): Disposable | undefined {
    const database = new DatabaseSync(join(this.path, 'lock.sqlite'));
    try {
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;');
    } catch (error) {
      database.close();
      if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusyCode) {
        return undefined;
      }
      throw error;
    }
    return { dispose: () => database.close() };
  }

  /** Returns the tokens of this folder; creates them on first use. */
  getOrCreateTokens(): Tokens {
    const storedTokens = this.#read('tokens.json', tokensSchema);
    if (storedTokens !== undefined) {
      restrictFileSync(join(this.path, 'tokens.json'));
      return storedTokens;
    }
    const tokens = createTokens();
    this.#write('tokens.json', tokens);
    return tokens;
  }

  /** Returns the tokens; `undefined` if they were not created yet. */
  readTokens(): Tokens | undefined {
    return this.#read('tokens.json', tokensSchema);
  }

  /**
   * Returns the last announced address of this folder's sandbox, which may have ended since; `undefined` if none was
   * announced.
   */
  readAnnouncement(): SandboxAnnouncement | undefined {
    return this.#read('sandbox.json', announcementSchema);
  }

  writeAnnouncement(announcement: SandboxAnnouncement): void {
    this.#write('sandbox.json', announcement);
  }

  removeAnnouncement(): void {
    rmSync(join(this.path, 'sandbox.json'), { force: true });
  }

  /** @throws DamagedFileError */
  #read<T>(name: string, schema: z.ZodType<T>): T | undefined {
    let text: string;
    try {
      text = readFileSync(join(this.path, name), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
        return undefined;
      }
      throw error;
    }
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      throw new DamagedFileError(join(this.path, name));
    }
  }

  /** Writes a file atomically, readable only by its owner. */
  #write(name: string, value: unknown): void {
    const path = join(this.path, name);
    const temporaryPath = `${path}.new`;
    rmSync(temporaryPath, { force: true });
    const descriptor = openSync(temporaryPath, 'wx', privateFileMode);
    try {
      writeSync(descriptor, stringify(value));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporaryPath, path);
  }
}
