import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import type { Operation } from '../model/operation.ts';
import type { Claim, Claimant } from './claim.ts';
import { ClaimedError, type TakeOverOptions } from './claimedError.ts';
import type { CommandLineHistory, InstanceJournals } from './commandLineJournal.ts';
import {
  beginMembers,
  type Actor,
  type ChangedEnvironment,
  type HistoryEntry,
  type JournalLine,
  type JournalDocument,
  toRecordedProcess,
} from './entry.ts';
import type { RestoredId } from '../model/undoWrites.ts';
import type { SentRequest } from '../model/sentRequest.ts';
import { JournalError } from './journalError.ts';
import { JournalFile } from './journalFile.ts';
import { type RunningEntry, createRunningEntry } from './runningEntry.ts';
import { JournalFolder, journalSuffix } from './journalFolder.ts';
import {
  type ProcessState,
  type RecordedProcess,
  getProcessState,
  identifyProcess,
  isSameProcess,
} from './processIdentity.ts';
import { addMissingEnds, getUndoneIds } from './undoneEntries.ts';
import { isStoppedWithDenyRules } from './stoppedOperation.ts';
import { toStoredOperation } from './storedOperation.ts';

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
  /** The user and the computer to record; absent in the editor, whose history is read only by the user who made it. */
  readonly actor?: Actor;
  /** The environment to record; absent in the editor, where each connection has its own role. */
  readonly environment?: ChangedEnvironment;
  /** The changes that the command line has made on the instance of a connection. */
  readonly commandLine?: CommandLineHistory;
}

/** The name of the file that reserves a connection. */
const reservationFileName = 'reserved.claim';

const idPattern = /^[0-9a-z]{9}-[0-9a-f-]{36}$/;

/**
 * The history of the changes made through the product, per connection, in local files: one journal for each operation,
 * which contains the documents from before and every write with its result (decisions.md, "Documents"). It survives a
 * killed process and is shared by all windows; only one process at a time writes a journal.
 */
export class History implements Disposable {
  readonly #deps: HistoryDeps;
  readonly #journals: JournalFolder;
  readonly #runningIds = new Set<string>();
  readonly #process = identifyProcess();
  #claimant: Claimant | undefined;
  #lastStartTime = 0;
  readonly #onDidChange = new Emitter<string>();
  /** Fires with the ID of a connection whose entries have changed. Changes by other windows don't fire it. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidWrite = new Emitter<string>();
  /** Fires with the ID of a connection once this process no longer works on an operation, however it has ended. */
  readonly onDidEndOperation = this.#onDidWrite.event;

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
    this.#journals = new JournalFolder(deps.folder, deps.log);
  }

  /**
   * Records an operation before anything is sent. The caller must mask the secrets.
   * @throws JournalError if it can't be recorded; then nothing must be sent
   */
  async begin(details: {
    readonly operation: Operation;
    readonly before: readonly JournalDocument[];
    readonly undoneEntryId?: string | undefined;
    readonly keptNames?: readonly string[] | undefined;
    readonly restoredIds?: readonly RestoredId[] | undefined;
  }): Promise<RunningEntry> {
    const { operation, before, undoneEntryId, keptNames = [], restoredIds = [] } = details;
    const startedAt = this.#createStartTime();
    const id = `${toTimeKey(startedAt)}-${randomUUID()}`;
    const { path: folder, connectionId } = await this.#locate(operation.connectionId, undoneEntryId);
    // Loaded on the first write, since it is not needed at startup.
    const { ensurePrivateFolder } = await import('../../base/storage/privateFiles.ts');
    await ensurePrivateFolder(folder);
    const file = new JournalFile(join(folder, `${id}${journalSuffix}`));
    const begin: JournalLine = {
      ...beginMembers,
      id,
      at: startedAt,
      ...this.#processMembers,
      operation: toStoredOperation({ ...operation, connectionId }),
      before: [...before],
      ...(this.#deps.actor === undefined ? {} : { actor: this.#deps.actor }),
      ...(this.#deps.environment === undefined ? {} : { environment: this.#deps.environment }),
      ...(undoneEntryId === undefined ? {} : { undoes: undoneEntryId }),
      ...(keptNames.length === 0 ? {} : { kept: [...keptNames] }),
      ...(restoredIds.length === 0
        ? {}
        : { comesBack: restoredIds.map(({ old, write, from }) => ({ old, write, from: [...from] })) }),
    };
    await file.append(begin);
    return this.#track(operation.connectionId, id, { file });
  }

  /**
   * Claims an unfinished operation, to continue its journal in this process.
   * @throws ClaimedError if another process is working on it, or may be
   */
  async claim(entry: HistoryEntry, options: TakeOverOptions = {}): Promise<RunningEntry> {
    if (entry.source !== undefined) {
      throw new Error('The journal of another program must not be continued');
    }
    const { connectionId } = entry.operation;
    if (this.#runningIds.has(entry.id)) {
      throw new ClaimedError();
    }
    this.requireEnded(entry, options);
    const { path: folder } = await this.#locate(connectionId, entry.id);
    const endedProcesses =
      options.takesOver === true && entry.end === undefined ? [toRecordedProcess(entry)] : [];
    const claim = await this.#claimPath(join(folder, `${entry.id}.claim`), endedProcesses);
    const file = new JournalFile(join(folder, `${entry.id}${journalSuffix}`));
    try {
      await file.append({ line: 'claim', ...this.#processMembers });
    } catch (error) {
      // Otherwise, no attempt of this process could claim it again.
      await claim.release();
      throw error;
    }
    return this.#track(connectionId, entry.id, { file, claim, requests: entry.requests });
  }

  /**
   * Requires that no process may still be working on an operation.
   * @throws ClaimedError
   */
  requireEnded(entry: HistoryEntry, { takesOver = false }: TakeOverOptions = {}): void {
    const state = entry.end === undefined ? this.getProcessState(entry) : 'ended';
    if (state !== 'ended' && (state === 'running' || !takesOver)) {
      throw new ClaimedError({ state, owner: toRecordedProcess(entry) });
    }
  }

  /**
   * Reserves a connection, so that no other process runs an operation on it at the same time: both might change the
   * same documents.
   * @param endedProcesses processes that the user knows to have ended
   * @returns the claim, whose release ends the reservation
   * @throws ClaimedError if it is reserved already, JournalError
   */
  async reserve(connectionId: string, endedProcesses: readonly RecordedProcess[] = []): Promise<Claim> {
    return this.#claimPath(join(this.#journals.getPath(connectionId), reservationFileName), endedProcesses);
  }

  /**
   * Requires that no process has reserved a connection, in this history or in that of the command line: a change that
   * has ended may not have been recorded in its project yet.
   * @param options.except `own` if reservations of this process don't count
   * @throws ClaimedError
   */
  async requireUnreserved(connectionId: string, { except }: { readonly except?: 'own' } = {}): Promise<void> {
    const commandLineFolder = this.#deps.commandLine?.locate(connectionId)?.path;
    const { createClaimant, requireUnclaimed } = await import('./claim.ts');
    this.#claimant ??= createClaimant();
    const ignoredProcess = except === 'own' ? this.#process : undefined;
    for (const folder of [this.#journals.getPath(connectionId), commandLineFolder ?? []].flat()) {
      await requireUnclaimed(join(folder, reservationFileName), this.#claimant, ignoredProcess);
    }
  }

  /**
   * Returns the folder of an entry, where what undoes it is recorded, too: either that of the connection, or that of
   * the command line for the instance.
   */
  async #locate(connectionId: string, id: string | undefined): Promise<InstanceJournals> {
    const commandLine = id === undefined ? undefined : this.#deps.commandLine?.locate(connectionId);
    const isInCommandLine =
      commandLine !== undefined && (await isFile(join(commandLine.path, `${id ?? ''}${journalSuffix}`)));
    return isInCommandLine ? commandLine : { connectionId, path: this.#journals.getPath(connectionId) };
  }

  /** @throws ClaimedError if there is another claim, JournalError */
  async #claimPath(path: string, endedProcesses: readonly RecordedProcess[]): Promise<Claim> {
    const { createClaimant, readClaimOwner, tryClaim } = await import('./claim.ts');
    const { ensurePrivateFolder } = await import('../../base/storage/privateFiles.ts');
    const claimant = (this.#claimant ??= createClaimant());
    const folder = dirname(path);
    const claim = await ensurePrivateFolder(folder)
      .then(() => tryClaim(path, claimant, endedProcesses))
      .catch((error: unknown) => {
        throw new JournalError(folder, error);
      });
    if (claim === undefined) {
      const holder = await readClaimOwner(path, claimant);
      throw new ClaimedError(holder?.state === 'running' ? holder : { state: 'unknown', ...holder, path });
    }
    return claim;
  }

  /**
   * Reads the entries of a connection, and what the command line has changed on its instance with the same tenant;
   * newest first. Unreadable ones are logged and omitted.
   */
  async readEntries(connectionId: string): Promise<readonly HistoryEntry[]> {
    const entries = await this.readEntriesOfAllTenants(connectionId);
    return entries.filter(({ hasOtherTenant }) => hasOtherTenant !== true);
  }

  /**
   * Reads the same entries as {@link readEntries}, and those that the command line has made with other tenants. These
   * can be neither undone nor ended with the connection, but what they have left affects it.
   */
  async readEntriesOfAllTenants(connectionId: string): Promise<readonly HistoryEntry[]> {
    const [own, others] = await Promise.all([
      this.#journals.readEntries(connectionId),
      this.#readCommandLineEntries(connectionId),
    ]);
    return addMissingEnds(
      others.length === 0 ? own : [...own, ...others].sort((a, b) => b.startedAt - a.startedAt),
    );
  }

  /** Reads one entry; `undefined` if it no longer exists. */
  async readEntry(connectionId: string, id: string): Promise<HistoryEntry | undefined> {
    if (!idPattern.test(id)) {
      return undefined;
    }
    const entry = await this.#journals.readEntry(connectionId, `${id}${journalSuffix}`);
    // Another journal shows whether one without an end was rolled back.
    return entry?.end === undefined
      ? (await this.readEntries(connectionId)).find((other) => other.id === id)
      : entry;
  }

  /**
   * Reads the operations that have no recorded end although no process is known to work on them: a window was closed or
   * killed, or the process is on another computer. Includes operations that stopped with temporary deny rules in force:
   * the parties of the rules see nothing until the operation is finished or undone. Those of the command line can be
   * finished or undone only there; those with other tenants are included, too.
   */
  async readUnfinishedEntries(connectionId: string): Promise<readonly HistoryEntry[]> {
    const entries = await this.readEntriesOfAllTenants(connectionId);
    const undoneIds = getUndoneIds(entries);
    return entries.filter((entry) =>
      entry.end === undefined
        ? !this.#isRunning(entry)
        : isStoppedWithDenyRules(entry) && !undoneIds.has(entry.id),
    );
  }

  /** Reads the operations that another process on this computer is still working on, newest first. */
  async readRunningEntries(connectionId: string): Promise<readonly HistoryEntry[]> {
    const entries = await this.readEntriesOfAllTenants(connectionId);
    return entries.filter(
      (entry) => entry.end === undefined && !this.#runningIds.has(entry.id) && this.#isRunning(entry),
    );
  }

  /** Deletes all entries of a connection, for example when it is removed. */
  async deleteEntries(connectionId: string): Promise<void> {
    await rm(this.#journals.getPath(connectionId), { recursive: true, force: true });
    this.#onDidChange.fire(connectionId);
  }

  dispose(): void {
    this.#onDidChange.dispose();
    this.#onDidWrite.dispose();
  }

  /** Returns the current time, but always later than the previous entry's, since entries are sorted by it. */
  #createStartTime(): number {
    this.#lastStartTime = Math.max(this.#deps.clock.now(), this.#lastStartTime + 1);
    return this.#lastStartTime;
  }

  #track(
    connectionId: string,
    id: string,
    {
      file,
      claim,
      requests: earlierRequests = [],
    }: {
      readonly file: JournalFile;
      readonly claim?: Claim;
      readonly requests?: readonly SentRequest[] | undefined;
    },
  ): RunningEntry {
    this.#runningIds.add(id);
    this.#onDidChange.fire(connectionId);
    return createRunningEntry(id, file, {
      earlierRequests,
      prune: () => this.#prune(connectionId),
      release: async () => {
        this.#runningIds.delete(id);
        await claim?.release();
        this.#onDidChange.fire(connectionId);
        this.#onDidWrite.fire(connectionId);
      },
    });
  }

  /** Returns what is known of the process that works, or worked, on an operation without a recorded end. */
  getProcessState(entry: HistoryEntry): ProcessState {
    const recorded = toRecordedProcess(entry);
    if (isSameProcess(recorded, this.#process)) {
      return this.#runningIds.has(entry.id) ? 'running' : 'ended';
    }
    return getProcessState(recorded, this.#process);
  }

  #isRunning(entry: HistoryEntry): boolean {
    return ['running', 'id-in-use'].includes(this.getProcessState(entry));
  }

  /** The members of a journal line that identify this process. */
  get #processMembers() {
    const { pid, ...identity } = this.#process;
    return { pid, process: identity };
  }

  /** Reads the changes that the command line has made; omits those that are older than the history keeps. */
  async #readCommandLineEntries(connectionId: string): Promise<readonly HistoryEntry[]> {
    const { commandLine, getLimits, clock } = this.#deps;
    const entries = (await commandLine?.readEntries(connectionId)) ?? [];
    return entries.filter(({ startedAt }) => startedAt >= clock.now() - getLimits().maxAgeMs);
  }

  /** Removes entries that exceed the limits, unless they are still needed. */
  async #prune(connectionId: string): Promise<void> {
    const { maxBytes, maxAgeMs } = this.#deps.getLimits();
    const folder = this.#journals.getPath(connectionId);
    const oldestKeptTimeKey = toTimeKey(Math.max(0, this.#deps.clock.now() - maxAgeMs));
    let bytes = 0;
    const names = (await this.#journals.listNames(connectionId)).toReversed();
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
    const entry = await this.#journals.readEntry(connectionId, name);
    if (entry === undefined || (entry.end !== undefined && !isStoppedWithDenyRules(entry))) {
      return false;
    }
    return !getUndoneIds(await this.#journals.readEntries(connectionId)).has(entry.id);
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))) {
      return false;
    }
    throw error;
  }
}

/** Formats a time as text that sorts chronologically. */
const toTimeKey = (time: number): string => time.toString(36).padStart(9, '0');
