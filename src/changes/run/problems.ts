import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { WriteState } from '../journal/entry.ts';
import type { Plan } from '../model/plan.ts';
import type { RuleBatchReport } from './ruleBatches.ts';
import type { Operation, ValuePath } from '../model/operation.ts';

/** The server no longer has the version that the user edited; nothing was sent. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly ref: ResourceRef;
  /** The server's current document, secrets masked; `undefined` if it is gone. */
  readonly document: JsonValue | undefined;
  /** Its hash, for `expect` of the next run, which then overwrites exactly this version. */
  readonly hash: string;

  constructor(ref: ResourceRef, document: JsonValue | undefined, hash: string) {
    super(`The ${ref.kind} has changed on the server`);
    this.ref = ref;
    this.document = document;
    this.hash = hash;
  }
}

/** The operation deletes or breaks something, so the user has to review its plan first; nothing was sent. */
export class PlanNeededError extends Error {
  override readonly name = 'PlanNeededError';
  readonly plan: Plan;
  /** Approves exactly this payload on exactly these documents, once: see `Writer.approve`. */
  readonly planHash: PlanHash;

  constructor(plan: Plan, planHash: PlanHash) {
    super(`The plan is ${plan.severity} and was not looked at`);
    this.plan = plan;
    this.planHash = planHash;
  }
}

/** An unfinished operation has meanwhile been finished or undone. Nothing was sent. */
export class EndedError extends Error {
  override readonly name = 'EndedError';

  constructor() {
    super('It was already finished or undone');
  }
}

/** The state that a plan was created from. */
export interface PlanHash {
  readonly payload: string;
  readonly base: string;
}

/** The payload contains the mask in place of a secret; nothing was sent. */
export class SecretsNeededError extends Error {
  override readonly name = 'SecretsNeededError';
  /** Index of the write, and the place in its body. */
  readonly write: number;
  readonly paths: readonly ValuePath[];

  constructor(write: number, paths: readonly ValuePath[]) {
    super(`A secret is missing at ${paths.map((path) => path.join('.')).join(', ')}`);
    this.write = write;
    this.paths = paths;
  }
}

/** The results of an operation, write by write. */
export interface OperationReport {
  readonly entryId: string;
  readonly operation: Operation;
  /** One for each write of the operation. `unknown`: the response was lost and the outcome could not be determined. */
  readonly writes: readonly WriteState[];
  /** The server's current targets, secrets masked; those that could not be read are absent. */
  readonly documents: readonly { readonly ref: ResourceRef; readonly document: JsonValue | undefined }[];
}

/** Returns the subjects whose rules another user changed at the same time; those changes were left unchanged. */
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
 * A write failed, and those after it were not sent. `cause` is the ApiError; the report shows what was done, what was
 * not, and what is unknown.
 */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  readonly report: OperationReport;

  constructor(report: OperationReport, cause: unknown) {
    super('The operation stopped', { cause });
    this.report = report;
  }

  /** True if nothing at all was changed. */
  get changedNothing(): boolean {
    return this.report.writes.every(
      (write) =>
        (write.state === 'failed' || write.state === 'waiting') &&
        !('denied' in write && write.denied !== undefined) &&
        !('partly' in write && write.partly === true),
    );
  }
}

/** It is unknown whether some of the rules are on the server, and reading them doesn't show it. */
export class BatchInDoubtError extends Error {
  override readonly name = 'BatchInDoubtError';
}

/** The server rejects some of the rules; `refused` contains which, and why. */
export class RulesRefusedError extends Error {
  override readonly name = 'RulesRefusedError';
  readonly refused: readonly (RuleBatchReport['failed'][number] & { readonly rule: JsonObject })[];

  constructor(refused: RulesRefusedError['refused']) {
    super(`${refused.length} rules were refused`, { cause: refused[0]?.error });
    this.refused = refused;
  }
}
