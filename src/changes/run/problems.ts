import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { WriteState } from '../journal/entry.ts';
import type { Plan } from '../model/plan.ts';
import type { RuleBatchReport } from './ruleBatches.ts';
import type { Operation, ValuePath } from '../model/operation.ts';

/** The server no longer has what the person edited; nothing was sent. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly ref: ResourceRef;
  /** The document as the server has it now, secrets masked; `undefined` when it is gone. */
  readonly document: JsonValue | undefined;
  /** Its hash, as `expect` of the next run takes it: that says "overwrite this very version". */
  readonly hash: string;

  constructor(ref: ResourceRef, document: JsonValue | undefined, hash: string) {
    super(`The ${ref.kind} has changed on the server`);
    this.ref = ref;
    this.document = document;
    this.hash = hash;
  }
}

/** The operation deletes or breaks something, so a person has to look at its plan first; nothing was sent. */
export class PlanNeededError extends Error {
  override readonly name = 'PlanNeededError';
  readonly plan: Plan;
  /** Opens the way for this very payload on these very documents, once: see `Writer.permit`. */
  readonly planHash: PlanHash;

  constructor(plan: Plan, planHash: PlanHash) {
    super(`The plan is ${plan.severity} and was not looked at`);
    this.plan = plan;
    this.planHash = planHash;
  }
}

/** What was left unfinished is so no more: it was finished or taken back meanwhile. Nothing was sent. */
export class EndedError extends Error {
  override readonly name = 'EndedError';

  constructor() {
    super('It was finished or taken back already');
  }
}

/** What a plan was made from. */
export interface PlanHash {
  readonly payload: string;
  readonly base: string;
}

/** The payload holds the mask where a secret belongs; nothing was sent. */
export class SecretsNeededError extends Error {
  override readonly name = 'SecretsNeededError';
  /** Index of the write, and where in its body. */
  readonly write: number;
  readonly paths: readonly ValuePath[];

  constructor(write: number, paths: readonly ValuePath[]) {
    super(`A secret is missing at ${paths.map((path) => path.join('.')).join(', ')}`);
    this.write = write;
    this.paths = paths;
  }
}

/** What became of an operation, write by write. */
export interface OperationReport {
  readonly entryId: string;
  readonly operation: Operation;
  /** As many as the operation has writes. `unknown`: the answer was lost and a second look could not tell. */
  readonly writes: readonly WriteState[];
  /** The targets as the server has them now, secrets masked; those that could not be read are absent. */
  readonly documents: readonly { readonly ref: ResourceRef; readonly document: JsonValue | undefined }[];
}

/** Whose rules somebody else has changed, too, while they were changed; what others did was left as it is. */
export const getSubjectsChangedByOthers = ({
  operation,
  writes,
}: Pick<OperationReport, 'operation' | 'writes'>): readonly RuleSubject[] =>
  operation.writes.flatMap(({ target }, index) => {
    const result = writes[index];
    const isMet = result !== undefined && 'metOthers' in result && result.metOthers === true;
    return isMet && target !== undefined && 'subject' in target ? [target.subject] : [];
  });

/**
 * A write failed, and the ones after it were not sent. `cause` is the ApiError; the report tells what was done, what
 * was not, and what nobody knows.
 */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  readonly report: OperationReport;

  constructor(report: OperationReport, cause: unknown) {
    super('The operation stopped', { cause });
    this.report = report;
  }

  /** True when nothing at all was changed. */
  get changedNothing(): boolean {
    return this.report.writes.every(
      (write) =>
        (write.state === 'failed' || write.state === 'waiting') &&
        !('denied' in write && write.denied !== undefined) &&
        !('partly' in write && write.partly === true),
    );
  }
}

/** Whether some of the rules are on the server is not known, and looking at it does not tell. */
export class BatchInDoubtError extends Error {
  override readonly name = 'BatchInDoubtError';
}

/** The server takes some of the rules for wrong; `refused` says which, and why. */
export class RulesRefusedError extends Error {
  override readonly name = 'RulesRefusedError';
  readonly refused: readonly (RuleBatchReport['failed'][number] & { readonly rule: JsonObject })[];

  constructor(refused: RulesRefusedError['refused']) {
    super(`${refused.length} rules were refused`, { cause: refused[0]?.error });
    this.refused = refused;
  }
}
