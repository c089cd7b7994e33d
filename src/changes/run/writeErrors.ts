import { MessageError, createMessage } from '../../base/localize.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { type RuleSubject, formatRuleColumn } from '../../catalog/ruleSubject.ts';
import { type WriteState, isUnresolved } from '../journal/entry.ts';
import type { JournalError } from '../journal/journalError.ts';
import { mayHaveWritten, mayTakeEffectLater } from '../journal/stoppedOperation.ts';
import type { Plan } from '../model/plan.ts';
import type { RuleBatchReport } from './ruleBatches.ts';
import type { Operation, ValuePath } from '../model/operation.ts';
import type { SentRequest } from '../model/sentRequest.ts';

/**
 * Thrown if the server no longer has the expected version of a document; nothing was sent. As the cause of a
 * {@link StoppedError}, it means that another user changed the document of a write; earlier writes may be done.
 */
export class ConflictError extends Error {
  override readonly name: string = 'ConflictError';
  readonly ref: ResourceRef;
  /** The server's current document, secrets masked; `undefined` if it no longer exists. */
  readonly document: JsonValue | undefined;
  /** The hash of `document`. As an expected version of the next run, it allows overwriting exactly this version. */
  readonly hash: string;
  /** Other documents that have changed, too, if they are known. */
  readonly otherRefs: readonly ResourceRef[];

  constructor(
    ref: ResourceRef,
    document: JsonValue | undefined,
    hash: string,
    otherRefs: readonly ResourceRef[] = [],
  ) {
    super(`The ${ref.kind} has changed on the server`);
    this.ref = ref;
    this.document = document;
    this.hash = hash;
    this.otherRefs = otherRefs;
  }
}

/** Another user has created an item with the name of one that is still to be created. */
export class NameTakenError extends ConflictError {
  override readonly name = 'NameTakenError';
}

/**
 * An item of another user has the name of one that a rollback would restore, or rename to its former name; nothing was
 * sent.
 */
export class FormerNameTakenError extends ConflictError {
  override readonly name = 'FormerNameTakenError';
}

/** A rule of a datamodel or cube set that others have changed or deleted. */
export interface MissingRule {
  readonly subject: RuleSubject;
  readonly rule: JsonObject;
}

/**
 * Others have changed or deleted rules that the next write relies on: it would make values visible that these rules
 * hide, so it wasn't sent.
 */
export class MissingRulesError extends ConflictError {
  override readonly name = 'MissingRulesError';
  /** The columns that are visible without the rules already, in the form of {@link formatRuleColumn}. */
  readonly exposedColumns: readonly string[];
  /** The rules that are missing. */
  readonly missingRules: readonly MissingRule[];

  /**
   * @param conflict the missing rules of a datamodel or cube set
   * @param options.otherConflicts the missing rules of other datamodels and cube sets
   */
  constructor(
    conflict: ConflictError,
    {
      otherConflicts = [],
      exposedColumns,
      missingRules = [],
    }: {
      readonly otherConflicts?: readonly ConflictError[];
      readonly exposedColumns: readonly string[];
      readonly missingRules?: readonly MissingRule[];
    },
  ) {
    super(conflict.ref, conflict.document, conflict.hash, [
      ...conflict.otherRefs,
      ...otherConflicts.flatMap(({ ref, otherRefs }) => [ref, ...otherRefs]),
    ]);
    this.exposedColumns = exposedColumns;
    this.missingRules = missingRules;
  }

  /** The columns whose rules are missing, in the form of {@link formatRuleColumn}. */
  get columns(): readonly string[] {
    return [this.ref, ...this.otherRefs].flatMap((ref) =>
      ref.kind === 'columnRules' ? [formatRuleColumn(ref.subject, ref)] : [],
    );
  }
}

/** Thrown if the user has to review the plan of an operation first; nothing was sent. */
export class PlanNeededError extends Error {
  override readonly name = 'PlanNeededError';
  readonly plan: Plan;
  /** Identifies the payload and the documents that an approval is for: see `Writer.approve`. */
  readonly planHash: PlanHash;

  constructor(plan: Plan, planHash: PlanHash) {
    super(`The plan is ${plan.severity} and was not reviewed`);
    this.plan = plan;
    this.planHash = planHash;
  }
}

/** Thrown if an operation has meanwhile been finished or undone; nothing was sent. */
export class EndedError extends Error {
  override readonly name: string = 'EndedError';

  constructor(message = 'It was already finished or undone') {
    super(message);
  }
}

/**
 * Thrown if an operation isn't known to have written anything, and a later change has written what is in doubt: an undo
 * would undo the later change (`wasMadeLater`). Nothing was sent.
 */
export class ReplacedLaterError extends EndedError {
  override readonly name = 'ReplacedLaterError';

  constructor() {
    super('A later change has written what is in doubt');
  }
}

/** Hashes of the payload and of the documents that a plan was created from. */
export interface PlanHash {
  readonly payload: string;
  readonly base: string;
  /**
   * The hash of the effects that a plan has shown: see `hashEffects`. Only set for one that the user confirms: then
   * nothing is sent if it would have other effects.
   */
  readonly effects?: string;
}

/** Thrown if a payload contains the mask in place of a secret; nothing was sent. */
export class SecretsNeededError extends Error {
  override readonly name = 'SecretsNeededError';
  /** Index of the write. */
  readonly writeIndex: number;
  /** The paths of the masks in its body. */
  readonly paths: readonly ValuePath[];

  constructor(writeIndex: number, paths: readonly ValuePath[]) {
    super(`A secret is missing at ${paths.map((path) => path.join('.')).join(', ')}`);
    this.writeIndex = writeIndex;
    this.paths = paths;
  }
}

/** Thrown if the instance doesn't show whether a write took effect, or may be sent now: it must not be sent again. */
export class UnverifiedError extends MessageError {
  override readonly name = 'UnverifiedError';

  constructor() {
    super(
      createMessage(
        "A request can't be sent again because its outcome is unknown or the instance has changed since then. Check the instance, and then roll the change back.",
      ),
    );
  }
}

/**
 * Thrown if an operation can't be resumed because its undo was abandoned: nothing shows which of its completed writes
 * are still in effect. Also if it can't be rolled back, because the undo has changed what it has written; `conflict` is
 * the first such change. Nothing was sent.
 */
export class AbandonedUndoError extends MessageError {
  override readonly name = 'AbandonedUndoError';

  constructor(conflict?: ConflictError) {
    super(
      conflict === undefined
        ? createMessage(
            "The change can't be finished because its rollback was abandoned and might have undone part of it. Try to roll it back. If that isn't possible, abandon it.",
          )
        : createMessage(
            "The change can't be rolled back because an earlier rollback was abandoned and might have undone part of it. Abandon it.",
          ),
    );
    if (conflict !== undefined) {
      this.cause = conflict;
    }
  }
}

/**
 * Thrown if an operation can't be resumed because an earlier version recorded it, without the rules on the names that
 * it would create. Nothing was sent.
 */
export class UnrecordedRulesError extends MessageError {
  override readonly name = 'UnrecordedRulesError';

  constructor() {
    super(
      createMessage(
        "The change can't be finished because an earlier version of Datamodel Studio recorded it without the data security rules that it relies on. Roll it back or abandon it.",
      ),
    );
  }
}

/** The results of an operation, write by write. */
export interface OperationReport {
  readonly entryId: string;
  readonly operation: Operation;
  /** The states of the writes, by index. `unknown`: the response was lost and the outcome could not be determined. */
  readonly writeStates: readonly WriteState[];
  /** The requests of its rule changes; absent if an earlier version recorded it. */
  readonly requests?: readonly SentRequest[] | undefined;
  /** The server's current targets, secrets masked; those that could not be read are absent. */
  readonly documents: readonly { readonly ref: ResourceRef; readonly document: JsonValue | undefined }[];
}

/** Returns the subjects whose rules another user changed at the same time; those changes were kept. */
export const getSubjectsChangedByOthers = ({
  operation,
  writeStates,
}: Pick<OperationReport, 'operation' | 'writeStates'>): readonly RuleSubject[] =>
  operation.writes.flatMap(({ target }, index) => {
    const result = writeStates[index];
    const hasConcurrentChanges = result !== undefined && 'metOthers' in result && result.metOthers === true;
    return hasConcurrentChanges && target !== undefined && 'subject' in target ? [target.subject] : [];
  });

/**
 * Thrown if a write failed, its outcome is unknown, or it can't be recorded; the next ones were not sent. `cause` is
 * the reason that came first; the report contains the state of each write.
 */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  readonly report: OperationReport;
  /** Why it can't be recorded that the operation stopped, if there is another reason for the stop. */
  readonly journalError: JournalError | undefined;

  constructor(report: OperationReport, cause: unknown, journalError?: JournalError) {
    super('The operation stopped', { cause });
    this.report = report;
    this.journalError = journalError === cause ? undefined : journalError;
  }

  /** True if nothing at all was changed so far. */
  get changedNothing(): boolean {
    return !mayHaveWritten(this.report);
  }

  /** True if nobody knows whether a write took effect. */
  get hasUnknownOutcome(): boolean {
    return this.report.writeStates.some(({ state }) => isUnresolved(state));
  }

  /** True if a request that has shown no effect may still have one. */
  get mayTakeEffectLater(): boolean {
    return this.report.writeStates.some((_state, index) => mayTakeEffectLater(this.report, index));
  }
}

/** Thrown if it is unknown whether some rules were written, and the rules on the server don't show it. */
export class BatchInDoubtError extends Error {
  override readonly name = 'BatchInDoubtError';
}

/** Thrown if the server refused some rules; `refusedRules` contains these rules and the errors. */
export class RulesRefusedError extends Error {
  override readonly name = 'RulesRefusedError';
  readonly refusedRules: readonly (RuleBatchReport['failed'][number] & { readonly rule: JsonObject })[];

  constructor(refusedRules: RulesRefusedError['refusedRules']) {
    super(`${refusedRules.length} rules were refused`, { cause: refusedRules[0]?.error });
    this.refusedRules = refusedRules;
  }
}
