import { createHash, randomUUID } from 'node:crypto';
import { readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import { getBaseConnectionId } from '../../catalog/tenantConnection.ts';
import type { Operation } from '../model/operation.ts';
import type { Claim, Claimant } from './claim.ts';
import {
  type EndState,
  type HistoryEntry,
  type JournalLine,
  type JournalDocument,
  parseJournal,
  type WriteResult,
} from './entry.ts';
import type { RestoredId } from '../model/inverseWrites.ts';
import { JournalFile } from './journalFile.ts';
import { isAlive } from './isAlive.ts';
import { getUndoneIds } from './undoneEntries.ts';
import { leavesDenyRules } from './stoppedOperation.ts';

/** Limits for each connection; the oldest entries are removed first. */
export interface HistoryLimits {
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

export interface HistoryDeps {
  /** Folder on the local disk; created on first write. */
  readonly folder: string;
  readonly getLimits: () => HistoryLimits;
  readonly clock: Clock;
  readonly log: Log;
}

/** An operation in progress, recorded step by step. */
export interface RunningEntry {
  readonly id: string;
  /** Records that the write with this index is about to be sent. */
  recordSending(writeIndex: number): Promise<void>;
  /** Records that temporary deny rules are about to be created for these scopes. */
  recordDenyScopes(scopes: readonly string[]): Promise<void>;
  /** Records the IDs of created rules. */
  recordCreatedRules(ids: readonly string[]): Promise<void>;
  /** Records the result of the write with this index. */
  recordResult(writeIndex: number, result: WriteResult): Promise<void>;
  /** Stops tracking the operation without recording its end, so that it can be claimed again. */
  release(): Promise<void>;
  /** Records the end of the operation. */
  end(state: EndState, details: EndDetails): Promise<void>;
}

/** What is recorded at the end of an operation. */
interface EndDetails extends Pick<HistoryEntry, 'after' | 'changedIds'> {
  readonly isCanceled?: boolean;
}

const suffix = '.jsonl';
const idPattern = /^[0-9a-z]{9}-[0-9a-f-]{36}$/;

/**
 * The history of the changes made through the product, per connection, in local files: one journal for each operation,
 * which contains the documents from before and every write with its result (decisions.md, "Documents"). It survives a
 * killed process and is shared by all windows; only one process at a time writes a journal.
 */
export class History implements Disposable {
  readonly #deps: HistoryDeps;
  readonly #runningIds = new Set<string>();
  #claimant: Claimant | undefined;
  #lastStartTime = 0;
  readonly #onDidChange = new Emitter<string>();
  /** Fires with the ID of a connection whose entries have changed. Changes by other windows don't fire it. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
  }

  /**
   * Records an operation before anything is sent. The caller must mask the secrets.
   * @throws if it can't be recorded; then nothing must be sent
   */
  async begin(details: {
    readonly operation: Operation;
    readonly before: readonly JournalDocument[];
    readonly undoes?: string | undefined;
    readonly restoredIds?: readonly RestoredId[] | undefined;
  }): Promise<RunningEntry> {
    const { operation, before, undoes, restoredIds = [] } = details;
    const startedAt = this.#createStartTime();
    const id = `${toTimeKey(startedAt)}-${randomUUID()}`;
    const folder = this.#getFolder(operation.connectionId);
    // Loaded on the first write, since it is not needed at startup.
    const { ensurePrivateFolder } = await import('../../base/storage/privateFiles.ts');
    await ensurePrivateFolder(folder);
    const file = new JournalFile(join(folder, `${id}${suffix}`));
    const begin: JournalLine = {
      line: 'begin',
      id,
      at: startedAt,
      pid: process.pid,
      operation: toMutableOperation(operation),
      before: [...before],
      ...(undoes === undefined ? {} : { undoes }),
      ...(restoredIds.length === 0
        ? {}
        : { comesBack: restoredIds.map(({ old, write, from }) => ({ old, write, from: [...from] })) }),
    };
    await file.append(begin);
    return this.#track(operation.connectionId, id, { file });
  }

  /**
   * Claims an unfinished operation, to continue its journal in this process.
   * @throws ClaimedError if another window is working on it
   */
  async claim(entry: HistoryEntry): Promise<RunningEntry> {
    const { connectionId } = entry.operation;
    if (this.#runningIds.has(entry.id)) {
      throw new ClaimedError();
    }
    const claim = await this.#claimPath(join(this.#getFolder(connectionId), `${entry.id}.claim`));
    const file = new JournalFile(join(this.#getFolder(connectionId), `${entry.id}${suffix}`));
    await file.append({ line: 'claim', pid: process.pid });
    return this.#track(connectionId, entry.id, { file, claim });
  }

  /**
   * Reserves a connection, so that no other process runs an operation on it at the same time: both might change the
   * same documents.
   * @returns the claim, whose release ends the reservation
   * @throws ClaimedError if it is reserved already
   */
  async reserve(connectionId: string): Promise<Claim> {
    const folder = this.#getFolder(connectionId);
    const { ensurePrivateFolder } = await import('../../base/storage/privateFiles.ts');
    await ensurePrivateFolder(folder);
    return this.#claimPath(join(folder, 'reserved.claim'));
  }

  /** @throws ClaimedError if there is another claim */
  async #claimPath(path: string): Promise<Claim> {
    const { createClaimant, tryClaim } = await import('./claim.ts');
    this.#claimant ??= createClaimant();
    const claim = await tryClaim(path, this.#claimant);
    if (claim === undefined) {
      throw new ClaimedError(path);
    }
    return claim;
  }

  /** Reads the entries of a connection, newest first. Unreadable ones are logged and omitted. */
  async readEntries(connectionId: string): Promise<readonly HistoryEntry[]> {
    const names = await this.#listFileNames(connectionId);
    const entries: HistoryEntry[] = [];
    for (const name of names.toReversed()) {
      const entry = await this.#readEntry(connectionId, name);
      if (entry !== undefined) {
        entries.push(entry);
      }
    }
    return entries;
  }

  /** Reads one entry; `undefined` if it no longer exists. */
  async readEntry(connectionId: string, id: string): Promise<HistoryEntry | undefined> {
    return idPattern.test(id) ? this.#readEntry(connectionId, `${id}${suffix}`) : undefined;
  }

  /**
   * Reads the operations that have no recorded end although no process is working on them: a window was closed or
   * killed. Includes operations that stopped with temporary deny rules in force: the parties of the rules see nothing
   * until the operation is finished or undone.
   */
  async readUnfinished(connectionId: string): Promise<readonly HistoryEntry[]> {
    const entries = await this.readEntries(connectionId);
    const undoneIds = getUndoneIds(entries);
    return entries.filter((entry) =>
      entry.end === undefined
        ? !this.#isRunning(entry)
        : isStoppedWithDenyRules(entry) && !undoneIds.has(entry.id),
    );
  }

  /** Deletes all entries of a connection, for example when it is removed. */
  async deleteEntries(connectionId: string): Promise<void> {
    await rm(this.#getFolder(connectionId), { recursive: true, force: true });
    this.#onDidChange.fire(connectionId);
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  /** Returns the current time, but always later than the previous entry's, since entries are sorted by it. */
  #createStartTime(): number {
    this.#lastStartTime = Math.max(this.#deps.clock.now(), this.#lastStartTime + 1);
    return this.#lastStartTime;
  }

  #track(
    connectionId: string,
    id: string,
    { file, claim }: { readonly file: JournalFile; readonly claim?: Claim },
  ): RunningEntry {
    this.#runningIds.add(id);
    this.#onDidChange.fire(connectionId);
    return {
      id,
      recordSending: (writeIndex) => file.append({ line: 'sending', write: writeIndex }),
      recordCreatedRules: (ids) => file.append({ line: 'made', ids: [...ids] }),
      recordDenyScopes: (scopes) => file.append({ line: 'deny', spots: [...scopes] }),
      recordResult: (writeIndex, result) => file.append({ line: 'result', write: writeIndex, result }),
      release: async () => {
        this.#runningIds.delete(id);
        await claim?.release();
        this.#onDidChange.fire(connectionId);
      },
      end: async (state, { after, changedIds, isCanceled }) => {
        try {
          const pairs = changedIds.map(([oldId, newId]): [string, string] => [oldId, newId]);
          const canceled = isCanceled === true ? ({ canceled: true } as const) : {};
          await file.append({ line: 'end', state, after: [...after], moved: pairs, ...canceled });
          await this.#prune(connectionId);
          await claim?.release();
        } finally {
          this.#runningIds.delete(id);
          this.#onDidChange.fire(connectionId);
        }
      },
    };
  }

  #isRunning({ id, pid }: HistoryEntry): boolean {
    return pid === process.pid ? this.#runningIds.has(id) : isAlive(pid);
  }

  /** Removes entries that exceed the limits, unless they are still needed. */
  async #prune(connectionId: string): Promise<void> {
    const { maxBytes, maxAgeMs } = this.#deps.getLimits();
    const folder = this.#getFolder(connectionId);
    const oldestKeptTimeKey = toTimeKey(Math.max(0, this.#deps.clock.now() - maxAgeMs));
    let bytes = 0;
    const names = (await this.#listFileNames(connectionId)).toReversed();
    const [newest] = names;
    for (const name of names) {
      const path = join(folder, name);
      try {
        bytes += (await stat(path)).size;
        // The last operation can always be undone, regardless of its size.
        const exceedsLimits = name !== newest && (bytes > maxBytes || name < oldestKeptTimeKey);
        if (exceedsLimits && !(await this.#isNeeded(connectionId, name))) {
          await rm(path, { force: true });
        }
      } catch (error) {
        // Another window may have removed it first.
        this.#deps.log.debug('writes', 'A history entry was not pruned', { reason: String(error) });
      }
    }
  }

  /**
   * Returns whether an operation is running in some window, was interrupted, or stopped with temporary deny rules in
   * force.
   */
  async #isNeeded(connectionId: string, name: string): Promise<boolean> {
    const entry = await this.#readEntry(connectionId, name);
    if (entry === undefined || (entry.end !== undefined && !isStoppedWithDenyRules(entry))) {
      return false;
    }
    return entry.end === undefined || !getUndoneIds(await this.readEntries(connectionId)).has(entry.id);
  }

  async #listFileNames(connectionId: string): Promise<readonly string[]> {
    try {
      const names = await readdir(this.#getFolder(connectionId));
      return names.filter((name) => name.endsWith(suffix)).sort();
    } catch (error) {
      if (isFileNotFound(error)) {
        return [];
      }
      throw error;
    }
  }

  /** Reads the entry in a file; `undefined` if it is unreadable or does not match its folder and file name. */
  async #readEntry(connectionId: string, name: string): Promise<HistoryEntry | undefined> {
    const path = join(this.#getFolder(connectionId), name);
    try {
      const entry = (await stat(path)).isFile() ? parseJournal(await readFile(path, 'utf8')) : undefined;
      const isMatch =
        entry !== undefined &&
        getBaseConnectionId(entry.operation.connectionId) === getBaseConnectionId(connectionId) &&
        `${entry.id}${suffix}` === name;
      if (!isMatch) {
        this.#deps.log.warn('writes', 'A history entry cannot be read', { name });
        return undefined;
      }
      return entry;
    } catch (error) {
      if (isFileNotFound(error)) {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * Returns the folder of a connection, for all of its tenants. Its name is a hash, since a connection ID may contain
   * any character.
   */
  #getFolder(connectionId: string): string {
    const name = createHash('sha256').update(getBaseConnectionId(connectionId)).digest('hex').slice(0, 32);
    return join(this.#deps.folder, name);
  }
}

/**
 * Returns whether the operation stopped with temporary deny rules in force: their parties see nothing until it ends.
 */
const isStoppedWithDenyRules = (entry: HistoryEntry): boolean =>
  entry.end === 'stopped' && leavesDenyRules(entry);

/** Thrown if another window is working on the operation. */
export class ClaimedError extends Error {
  override readonly name = 'ClaimedError';

  /** The path of the other window's claim; `undefined` if its journal shows that it is working on the operation. */
  readonly path: string | undefined;

  constructor(path?: string) {
    super('Another window is working on it');
    this.path = path;
  }
}

/** Formats a time as text that sorts chronologically. */
const toTimeKey = (time: number): string => time.toString(36).padStart(9, '0');

const toMutableOperation = ({ connectionId, cause, subject, writes }: Operation) => ({
  connectionId,
  cause,
  subject: { name: subject.name, within: [...subject.within] },
  writes: [...writes],
});

const isFileNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
