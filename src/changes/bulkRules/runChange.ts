import type { Clock } from '../../base/clock.ts';
import type { TakeOverOptions } from '../journal/claimedError.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { Operation } from '../model/operation.ts';
import { type OperationReport, type PlanHash, StoppedError } from '../run/writeErrors.ts';
import type { ResumeOptions } from '../run/recovery.ts';
import type { RunOptions } from '../run/runOptions.ts';
import type { Writer } from '../run/writer.ts';
import type { Preview } from './preview.ts';
import { type RunProgress, trackProgress } from '../run/trackProgress.ts';

/** Controls a run: the signal that cancels it, and callbacks that report its progress. */
export interface RunControl {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RunProgress) => void;
  /** Called when the change is recorded under this ID, before anything is sent. */
  readonly onBegin?: (entryId: string) => void;
}

/** Services needed to apply rule changes. */
export interface ChangeDeps {
  readonly writer: Pick<Writer, 'plan' | 'approve' | 'run' | 'resume' | 'rollBack'>;
  readonly clock: Clock;
}

/** The result of a change, whether it completed or stopped. */
export interface RuleChangeResult {
  readonly report: OperationReport;
  /** The error that stopped it; absent if every write succeeded. */
  readonly stopError?: StoppedError;
  readonly startedAt: number;
  readonly endedAt: number;
  /** How often the server asked to wait, and for how long in total. */
  readonly waits: { readonly count: number; readonly ms: number };
}

/**
 * Applies a change. The user has already reviewed its preview, so its plan is approved without another review. Fails if
 * the rules have changed since the preview was computed.
 * @throws ConflictError and any other error that prevents sending
 */
export const applyChange = (
  deps: ChangeDeps,
  { operation, expectedVersions }: Pick<Preview, 'operation' | 'expectedVersions'>,
  control: RunControl,
): Promise<RuleChangeResult> =>
  runWithProgress(deps, operation, control, async (options) => {
    const { planHash } = await deps.writer.plan(operation, control.signal);
    return deps.writer.run(operation, {
      ...options,
      expectedVersions,
      approval: deps.writer.approve(planHash),
    });
  });

/**
 * Runs an operation whose plan the user has approved. Fails if the documents that it affects have changed since.
 * @param planHash identifies the approved plan
 * @throws PlanNeededError if they have changed, and any other error that prevents sending
 */
export const runApproved = (
  deps: ChangeDeps,
  { operation, planHash }: { readonly operation: Operation; readonly planHash: PlanHash },
  control: RunControl,
): Promise<RuleChangeResult> =>
  runWithProgress(deps, operation, control, (options) =>
    deps.writer.run(operation, {
      ...options,
      approval: deps.writer.approve(planHash),
      confirmedPlanHash: planHash,
    }),
  );

/**
 * Resumes a change that was stopped.
 * @throws SecretsNeededError, and what `insertSecrets` throws, before anything was sent
 * @throws EndedError, ClaimedError, ConflictError and any other error that prevents sending
 */
export const resumeChange = (
  deps: ChangeDeps,
  entry: HistoryEntry,
  { takesOver, insertSecrets, ...control }: RunControl & Pick<ResumeOptions, 'takesOver' | 'insertSecrets'>,
): Promise<RuleChangeResult> =>
  runWithProgress(deps, entry.operation, control, (options) =>
    deps.writer.resume(entry, { ...options, takesOver, insertSecrets }),
  );

/**
 * Rolls back a change that was stopped.
 * @throws EndedError, ClaimedError, ConflictError and any other error that prevents sending
 */
export const rollBackChange = (
  deps: ChangeDeps,
  entry: HistoryEntry,
  { takesOver, ...control }: RunControl & TakeOverOptions,
): Promise<RuleChangeResult> =>
  runWithProgress(deps, entry.operation, control, (options) =>
    deps.writer.rollBack(entry, { ...options, takesOver }),
  );

async function runWithProgress(
  { clock }: ChangeDeps,
  operation: Operation,
  { signal, onProgress, onBegin }: RunControl,
  run: (options: RunOptions) => Promise<OperationReport>,
): Promise<RuleChangeResult> {
  const startedAt = clock.now();
  const waits = { count: 0, ms: 0 };
  const progressOptions = trackProgress(operation, (progress) => {
    if (progress.wait !== undefined) {
      waits.count += 1;
      waits.ms += progress.wait.ms;
    }
    onProgress(progress);
  });
  const options: RunOptions = { signal, onBegin, ...progressOptions };
  try {
    const report = await run(options);
    return { report, startedAt, endedAt: clock.now(), waits };
  } catch (error) {
    if (!(error instanceof StoppedError)) {
      throw error;
    }
    return { report: error.report, stopError: error, startedAt, endedAt: clock.now(), waits };
  }
}
