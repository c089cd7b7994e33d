import { ApiError, ReadOnlyError } from '../../client/errors.ts';
import { JournalError } from '../journal/journalError.ts';
import {
  AbandonedUndoError,
  ConflictError,
  EndedError,
  FormerNameTakenError,
  SecretsNeededError,
  UnrecordedRulesError,
  UnverifiedError,
} from './writeErrors.ts';
import { findMaskPaths } from '../../base/secrets/maskPaths.ts';
import type { HistoryEntry, WriteState } from '../journal/entry.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { DocumentReader, RetryRead } from '../model/documentReader.ts';
import { conflictHash } from '../model/documentHash.ts';
import { asObject } from '../model/jsonMembers.ts';
import type { Write } from '../model/operation.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { checkBegunRules } from './checkBegunRules.ts';
import { checkExpectedVersions, toExpectedVersion } from './conflicts.ts';
import { findNameHolder } from './nameConflicts.ts';
import { checkRecordedRules, addRecordedRuleDatamodels } from './recordedRuleChecks.ts';
import type { PlannedUndo } from './planUndo.ts';
import { checkRemainingRules } from './requiredRuleCheck.ts';
import { reconcile, verifyUnchanged } from './reconcile.ts';
import { checkNoMaskedSecrets, checkUnwrittenDocuments } from './runChecks.ts';
import type { ExpectedVersion, RunOptions, WriteSession } from './runOptions.ts';

/** What the checks before a resume or rollback read from. */
export interface RecoveryReading {
  readonly session: WriteSession;
  readonly reader: DocumentReader;
  readonly retryRead: RetryRead;
  readonly signal?: AbortSignal | undefined;
  /** The known cube sets of the connection. */
  readonly cubeSets: readonly RuleSubject[];
}

/** Returns the documents from before an operation, as its journal contains them. */
export const getRecordedDocuments = ({ before }: HistoryEntry): readonly ReadDocument[] =>
  before.map(({ ref, document, datamodels }) => ({ ref, document, datamodels }));

/** What is known of an operation right before it is resumed. */
export interface CheckedResume {
  /** The documents from before the operation, to resume it with. */
  readonly before: readonly ReadDocument[];
  /** The states of its writes, as far as the server shows them. */
  readonly states: readonly WriteState[];
}

/**
 * Checks that an operation can be resumed, before anything is recorded or sent. Its secrets aren't needed.
 * @param options `verifiesFailed`: writes that have failed are verified, too, as the execution does before it sends
 * them again
 * @throws ConflictError, UnrecordedRulesError, ApiError
 * @throws UnverifiedError if a failed write must not be sent again
 */
export async function checkResume(
  recorded: HistoryEntry,
  { session, reader, retryRead, signal, cubeSets }: RecoveryReading,
  { verifiesFailed = false }: { readonly verifiesFailed?: boolean } = {},
): Promise<CheckedResume> {
  await checkUnwrittenDocuments(recorded, getRecordedDocuments(recorded), reader);
  const entry = await addRecordedRuleDatamodels(recorded, reader);
  const before = getRecordedDocuments(entry);
  await checkRecordedRules(entry, cubeSets, reader);
  await checkRemainingRules(entry, before, reader);
  // After an abort, the execution sends nothing, and says how far the change got.
  if (signal?.aborted !== true) {
    await checkBegunRules(entry, before, reader);
  }
  // Only checks for conflicts: the execution verifies the outcomes itself, and records them.
  const states = await reconcile(entry, session.client, {
    willContinue: true,
    verifiesFailed,
    retryRead,
  });
  return { before, states };
}

/** What is known of an operation right before it is rolled back. */
export interface CheckedRollBack {
  /** The versions of the documents that must not change any more. */
  readonly versions: readonly ExpectedVersion[];
  /** The states of its writes, as far as the server shows them. */
  readonly states: readonly WriteState[];
}

/**
 * Checks that others have changed nothing that an operation has written, and that no item has a name that the undo
 * would give back, before anything is recorded or sent.
 * @param planUndo plans the undo of an entry
 * @throws ConflictError, SecretsNeededError, ApiError
 */
export async function checkBeforeRollBack(
  entry: HistoryEntry,
  { session, reader, retryRead }: RecoveryReading,
  planUndo: (entry: HistoryEntry) => Promise<PlannedUndo>,
): Promise<CheckedRollBack> {
  const states = await reconcile(entry, session.client, { willContinue: false, retryRead });
  const versions = await verifyUnchanged(entry, states, reader);
  // Before the operation is recorded as stopped: if secrets are missing, or a name is in use, it can still be finished.
  if (hasMaskedSecrets(entry) || entry.operation.writes.some(mayFreeName)) {
    const undo = await retryRead(() => planUndo({ ...entry, writeStates: states }));
    checkNoMaskedSecrets(undo.operation);
    const holder = await findNameHolder(undo, reader);
    if (holder !== undefined) {
      throw new FormerNameTakenError(holder.ref, holder.document, toExpectedVersion(holder).hash);
    }
  }
  return { versions, states };
}

/** Returns whether a write deletes or renames an item, so that others can use its name. */
const mayFreeName = ({ endpoint, body }: Write): boolean =>
  freeingEndpoints.has(endpoint) || (endpoint === 'tables.update' && 'name' in asObject(body));

const freeingEndpoints: ReadonlySet<string> = new Set([
  'datamodels.delete',
  'datasets.delete',
  'tables.delete',
  'viewpoints.delete',
]);

/**
 * Checks that an operation can be rolled back, as far as it shows without a write.
 * @param planUndo plans the undo of an entry
 * @returns its undo
 * @throws ConflictError, SecretsNeededError, ApiError
 */
export async function planCheckedRollBack(
  entry: HistoryEntry,
  reading: RecoveryReading,
  planUndo: (entry: HistoryEntry) => Promise<PlannedUndo>,
): Promise<PlannedUndo> {
  const { states } = await checkBeforeRollBack(entry, reading, planUndo);
  const undo = await reading.retryRead(() => planUndo({ ...entry, writeStates: states }));
  await checkExpectedVersions(undo.expectedVersions.filter(isConflictVersion), reading.reader);
  return undo;
}

/** Returns whether an undo expects this version of something that others have changed or deleted. */
export const isConflictVersion = ({ hash }: ExpectedVersion): boolean => hash === conflictHash;

/** Returns whether documents contained secrets, which the history doesn't store. */
const hasMaskedSecrets = ({ before }: HistoryEntry): boolean =>
  before.some(({ document }) => findMaskPaths(document ?? null).length > 0);

/** Returns whether an error is an expected failure of the instance or the journals, and not a defect. */
export const isExpectedFailure = (error: unknown): boolean =>
  isRefusal(error) || error instanceof JournalError || error instanceof ApiError;

/** Returns whether an error shows that changes by others, or data that the journal lacks, prevent the recovery. */
const isRefusal = (error: unknown): boolean =>
  [ConflictError, SecretsNeededError, UnrecordedRulesError].some((refusal) => error instanceof refusal);

/** Returns whether an error shows that an operation can't be ended now, and not only that this can't be determined. */
export const preventsRecovery = (error: unknown): boolean =>
  isRefusal(error) ||
  [AbandonedUndoError, EndedError, ReadOnlyError, UnverifiedError].some((type) => error instanceof type);

/** Returns whether an error is the reason why a signal has aborted, such as while the operation waited for its turn. */
export const isAbort = (error: unknown, { signal }: Pick<RunOptions, 'signal'>): boolean =>
  signal?.aborted === true && error === signal.reason;
