import { toCanonicalText } from '../../base/canonicalJson.ts';
import type { JsonValue } from '../../base/json.ts';
import type { OperationCause, Write } from '../model/operation.ts';
import type { HistoryEntry } from './entry.ts';
import type { History } from './history.ts';
import { supersedesRuleChange } from './changedColumns.ts';
import { canResume, mayHaveWritten } from './stoppedOperation.ts';
import { getUndoneIds } from './undoneEntries.ts';

/**
 * The causes of changes that have a command to continue them after they have stopped. Any other change that has
 * stopped, such as a save, is simply made again.
 */
const resumableCauses: ReadonlySet<OperationCause> = new Set(['apply', 'bulk']);

/** An interrupted change, and what else ends with it. */
export interface InterruptedChange {
  readonly entry: HistoryEntry;
  /** Its interrupted undos, and those of these undos. */
  readonly undos: readonly HistoryEntry[];
}

type InterruptedHistory = Pick<History, 'readEntriesOfAllTenants' | 'readUnfinishedEntries'>;

/** Reads the interrupted changes like {@link readInterruptedChangesWithUndos}, without their undos. */
export const readInterruptedChanges = async (
  history: InterruptedHistory,
  connectionId: string,
): Promise<readonly HistoryEntry[]> =>
  (await readInterruptedChangesWithUndos(history, connectionId)).map(({ entry }) => entry);

/**
 * Reads the interrupted changes that have written something, or may have. These are the changes that have no recorded
 * end or left temporary deny rules, and stopped applies, stopped changes of many rules, and stopped undos of these. If
 * a change and its undo were both interrupted, they are one change. Excludes changes that were undone or abandoned.
 * Also excludes a stopped apply if a later one of the same project has made its remaining writes, and a stopped change
 * of many rules if a later one of the same datamodel has replaced the rules of its columns. A later change that was
 * undone doesn't count.
 * @param history the journals of this machine; changes from other machines are unknown
 * @returns newest first
 */
export async function readInterruptedChangesWithUndos(
  history: InterruptedHistory,
  connectionId: string,
): Promise<readonly InterruptedChange[]> {
  const entries = await history.readEntriesOfAllTenants(connectionId);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const unfinishedIds = new Set((await history.readUnfinishedEntries(connectionId)).map(({ id }) => id));
  const undoneIds = getUndoneIds(entries);
  const isResumable = ({ undoneEntryId, operation: { cause } }: HistoryEntry): boolean => {
    const undone = undoneEntryId === undefined ? undefined : byId.get(undoneEntryId);
    return undone === undefined ? resumableCauses.has(cause) : isResumable(undone);
  };
  // An interrupted change and its interrupted undo end together.
  const endsAlone = ({ undoneEntryId }: HistoryEntry): boolean =>
    undoneEntryId === undefined || byId.get(undoneEntryId)?.end === 'done';
  const findUnfinishedUndos = ({ id }: HistoryEntry): readonly HistoryEntry[] =>
    entries
      .filter(
        (undo) =>
          undo.undoneEntryId === id &&
          !undoneIds.has(undo.id) &&
          (unfinishedIds.has(undo.id) || (undo.end === 'stopped' && undo.isAbandoned !== true)),
      )
      .flatMap((undo) => [undo, ...findUnfinishedUndos(undo)]);
  const changes = entries.filter(
    (entry, index) =>
      endsAlone(entry) &&
      mayHaveWritten(entry) &&
      (unfinishedIds.has(entry.id) ||
        (isResumable(entry) &&
          !undoneIds.has(entry.id) &&
          entry.end === 'stopped' &&
          entry.isAbandoned !== true &&
          (findUnfinishedUndos(entry).length > 0 ||
            (canResume(entry) &&
              !entries
                .slice(0, index)
                .some((later) => !undoneIds.has(later.id) && supersedes(later, entry)))))),
  );
  return changes.map((entry) => ({ entry, undos: findUnfinishedUndos(entry) }));
}

/**
 * Returns whether a later apply has completed what an earlier one has left, or a later change of many rules has
 * replaced what an earlier one has left. The later change is based on what the earlier one has left, so an undo of the
 * earlier one would destroy it.
 */
const supersedes = (later: HistoryEntry, entry: HistoryEntry): boolean =>
  hasSamePurpose(later, entry) &&
  (entry.operation.cause === 'bulk'
    ? supersedesRuleChange(later, entry)
    : entry.operation.writes.every(
        (write, index) => entry.writeStates[index]?.state === 'done' || contains(later, write),
      ));

/** Returns whether a later change is done, and was made in the same way for the same project or datamodel. */
const hasSamePurpose = ({ end, operation: later }: HistoryEntry, { operation }: HistoryEntry): boolean =>
  end === 'done' &&
  later.connectionId === operation.connectionId &&
  later.cause === operation.cause &&
  later.subject.name === operation.subject.name &&
  later.project?.folder === operation.project?.folder &&
  later.project?.environment === operation.project?.environment;

/** Returns whether a change contains a write; of a write of many rules, all of them. */
function contains({ operation }: HistoryEntry, write: Write): boolean {
  const written = new Set(operation.writes.flatMap(getParts));
  return getParts(write).every((part) => written.has(part));
}

/** Returns the parts of a write as texts: the rules that it adds or deletes, or all of it. */
function getParts({
  endpoint,
  params,
  target,
  body = null,
  outputRefs = [],
  batch,
}: Write): readonly string[] {
  const parts = batch === undefined ? [body] : (batch.ids ?? (Array.isArray(body) ? body : [body]));
  return parts.map((part: JsonValue) =>
    toCanonicalText([
      endpoint,
      params,
      (target ?? null) as JsonValue,
      part,
      outputRefs as unknown as JsonValue,
    ]),
  );
}
