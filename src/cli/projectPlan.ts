import { silentLog } from '../base/log.ts';
import type { Plan, PlannedAccess } from '../changes/model/plan.ts';
import { hashEffects } from '../changes/run/effectsHash.ts';
import type { PlanHash } from '../changes/run/writeErrors.ts';
import { ApiError } from '../client/errors.ts';
import { MissingVariableError } from '../project/apply/connections.ts';
import { type PlanTarget, type ProjectPlan, loadProjectPlan } from '../project/apply/loadProjectPlan.ts';
import type { ProjectFileReader } from '../project/apply/projectFileReader.ts';
import type { PrunedKind } from '../project/plan/compareProject.ts';
import type { FindingCode } from '../project/validate/finding.ts';
import { PullRefusedError } from '../project/pull/pullProject.ts';
import type { CommandContext } from './command.ts';
import { CommandRefusedError } from './exitCodes.ts';
import type { ChangeServices, Instance } from './instance.ts';
import { type Limits, describePullFault, toSelectionLimits } from './selectionLimits.ts';
import type { ProjectTarget } from './projectTarget.ts';
import { nameRefusedRules } from './refusedRules.ts';
import { suggestProject } from './requireProject.ts';
import { createReadProgress } from './readProgress.ts';

/** The name patterns that limit the comparison, what may be deleted, and what is ignored. */
export interface PlanOptions {
  readonly limits: Limits;
  readonly prunedKinds: ReadonlySet<PrunedKind>;
  /** The codes of errors that don't prevent the apply. */
  readonly ignoredCodes: ReadonlySet<FindingCode>;
}

/** A project compared with an instance. */
export interface LoadedPlan extends ProjectPlan {
  readonly target: ProjectTarget;
  readonly options: PlanOptions;
}

/** What an operation breaks, whom it affects, and what to build afterward. */
export interface PlanEffects {
  readonly plan: Plan;
  /** The hash of the plan, including its effects. */
  readonly planHash: PlanHash;
  /** `undefined` if no one's access changes, or if that could not be determined. */
  readonly access: PlannedAccess | undefined;
  /** The reason why it could not be determined who gains and who loses access. */
  readonly accessError?: unknown;
}

/**
 * Reads the project and the instance, and compares them.
 * @throws CommandRefusedError if the folder is no project, the lock can't be used, or a pattern of the limits matches
 *   nothing
 * @throws ApiError
 */
export async function loadPlan(
  target: ProjectTarget,
  {
    instance,
    context,
    options,
    mayMatchNothing = false,
    isSent,
    files,
  }: {
    readonly instance: Instance;
    readonly context: CommandContext;
    readonly options: PlanOptions;
    /** Whether a limit may match nothing, such as after an apply that has deleted what it matched. */
    readonly mayMatchNothing?: boolean;
    /** Whether the plan may be sent: otherwise, it needs no secrets from environment variables. */
    readonly isSent: boolean;
    /** Reads the files of the project; by default, they are read from the file system. */
    readonly files?: ProjectFileReader;
  },
): Promise<LoadedPlan> {
  if (target.isNewProject) {
    const suggestion = suggestProject(target.folder);
    throw new CommandRefusedError(
      suggestion === undefined
        ? "The folder isn't a project: it has no datamodel-studio.json. Pull from an instance first."
        : `The folder isn't a project. ${suggestion}`,
    );
  }
  const { output, shell, signal } = context;
  try {
    const plan = await loadProjectPlan(toPlanTarget(target), {
      openClient: async () => (await instance.getSession()).client,
      limits: toSelectionLimits(options.limits),
      mayMatchNothing,
      prunedKinds: options.prunedKinds,
      ignoredCodes: options.ignoredCodes,
      variables: isSent ? shell.env : undefined,
      signal,
      log: silentLog,
      ...createReadProgress(context),
      ...(files === undefined ? {} : { files }),
    });
    return { ...plan, target, options };
  } catch (error) {
    if (error instanceof PullRefusedError) {
      throw new CommandRefusedError(describePullFault(error.fault));
    }
    throw error instanceof MissingVariableError ? new CommandRefusedError(error.message) : error;
  } finally {
    output.showProgress();
  }
}

/** Converts a target to the form that the project code needs. */
export const toPlanTarget = ({
  folder,
  settings,
  environmentName,
  connections,
  instance: { connection },
}: ProjectTarget): PlanTarget => ({
  folder,
  settings,
  environmentName,
  connections,
  address: connection,
  connectionId: connection.id,
});

/**
 * Computes what the writes of a plan break, and whom they affect; `undefined` if it has none. Sends no write.
 * @throws ApiError, or CommandRefusedError if no safe order of requests leads to the rules of the project
 */
export async function loadPlanEffects(
  {
    operation,
    reading,
    project,
    prepared,
  }: Pick<LoadedPlan, 'operation' | 'reading' | 'project' | 'prepared'>,
  { writer }: ChangeServices,
  signal: AbortSignal,
): Promise<PlanEffects | undefined> {
  if (operation.writes.length === 0) {
    return undefined;
  }
  const { plan, planHash } = await writer.plan(operation, signal).catch((error: unknown) => {
    throw nameRefusedRules(error, { project, prepared });
  });
  let access: PlannedAccess | undefined;
  try {
    access = await plan.loadAccess();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError)) {
      throw error;
    }
    const effects = hashEffects(plan, 'unknown');
    return { plan, planHash: { ...planHash, effects }, access, accessError: error };
  }
  const { users, groups } = reading.documents;
  return {
    plan,
    planHash: { ...planHash, effects: hashEffects(plan, access) },
    access:
      access === undefined
        ? undefined
        : {
            ...access,
            // New rules don't contain the names of their parties.
            partyNames: new Map([
              ...users.map(({ id, name }) => [`user:${id}`, name] as const),
              ...groups.map(({ id, name }) => [`group:${id}`, name] as const),
              ...access.partyNames,
            ]),
          },
  };
}
