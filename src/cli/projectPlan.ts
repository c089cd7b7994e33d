import { basename } from 'node:path';
import { maskOperation } from '../changes/model/maskWrite.ts';
import type { Operation } from '../changes/model/operation.ts';
import type { Plan, PlannedAccess } from '../changes/model/plan.ts';
import type { PlanHash } from '../changes/run/writeErrors.ts';
import { ApiError } from '../client/errors.ts';
import { type JsonObject, getMember, isJsonObject, parseLossless } from '../base/json.ts';
import { MissingVariableError, insertVariables } from '../project/apply/connections.ts';
import { type PreparedPlan, preparePlan } from '../project/apply/preparePlan.ts';
import type { Project } from '../project/files/project.ts';
import { readProject } from '../project/files/readProject.ts';
import type { PrunedKind } from '../project/plan/compareProject.ts';
import { hashPlan } from '../project/plan/planHash.ts';
import type { Lock } from '../project/pull/lock.ts';
import type { InstanceReading } from '../project/source/readInstance.ts';
import type { CommandContext } from './command.ts';
import { CommandRefusedError } from './exitCodes.ts';
import type { ChangeServices, Instance } from './instance.ts';
import { hashInstance } from '../project/pull/instanceHash.ts';
import { type Limits, readInstanceParts, readTargetLock, refuseUnmatchedLimits } from './projectInstance.ts';
import type { ProjectTarget } from './projectTarget.ts';

/** The name patterns that limit the comparison, and the kinds of items that may be deleted. */
export interface PlanOptions {
  readonly limits: Limits;
  readonly prunedKinds: ReadonlySet<PrunedKind>;
}

/** A project compared with an instance. */
export interface LoadedPlan {
  readonly target: ProjectTarget;
  readonly project: Project;
  readonly lock: Lock;
  readonly reading: InstanceReading;
  readonly prepared: PreparedPlan;
  readonly options: PlanOptions;
  readonly hash: string;
  readonly operation: Operation;
}

/** What an operation breaks, whom it affects, and what to build afterwards. */
export interface PlanEffects {
  readonly plan: Plan;
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
  }: {
    readonly instance: Instance;
    readonly context: CommandContext;
    readonly options: PlanOptions;
  },
): Promise<LoadedPlan> {
  if (target.isNewProject) {
    throw new CommandRefusedError(
      'The folder is not a project: it has no datamodel-studio.json. Pull from an instance first.',
    );
  }
  const { limits, prunedKinds } = options;
  const lock = await readTargetLock(target);
  const reading = await readInstanceParts(target, {
    instance,
    context,
    limits,
    requiresDirectory: lock.hasDirectory ?? false,
  });
  const project = await readProject(target.folder);
  refuseUnmatchedLimits(limits, reading, project);
  const { client } = await instance.getSession();
  const { connection } = target.instance;
  const prepared = await preparePlan({
    client,
    project,
    lock,
    reading,
    prunedKinds,
    customDataFilters: new Map(Object.entries(target.settings.manage.customData)),
    getConnection: createConnectionLookup(target, context),
    signal: context.signal,
  });
  const operation: Operation = {
    connectionId: connection.id,
    cause: 'apply',
    subject: { name: basename(target.folder), within: [] },
    writes: prepared.compiled.writes,
  };
  return {
    target,
    project,
    lock,
    reading,
    prepared,
    options,
    hash: hashPlan(hashInstance(connection), prepared.comparison, {
      prunedKinds,
      // The writes include what names resolve to: users, groups, and connections, without secrets.
      writes: maskOperation(operation).writes,
    }),
    operation,
  };
}

/** @throws CommandRefusedError if an environment variable of a connection is not set */
const createConnectionLookup =
  ({ connections }: ProjectTarget, { shell: { env } }: CommandContext) =>
  (datamodel: string, dataset: string): JsonObject | undefined => {
    const connection = getMember(getMember(parseLossless(JSON.stringify(connections)), datamodel), dataset);
    if (!isJsonObject(connection)) {
      return undefined;
    }
    try {
      return insertVariables(connection, env);
    } catch (error) {
      throw error instanceof MissingVariableError ? new CommandRefusedError(error.message) : error;
    }
  };

/**
 * Computes what the writes of a plan break, and whom they affect; `undefined` if it has none. Sends no write.
 * @throws ApiError
 */
export async function loadPlanEffects(
  { operation, reading }: Pick<LoadedPlan, 'operation' | 'reading'>,
  { writer }: ChangeServices,
  signal: AbortSignal,
): Promise<PlanEffects | undefined> {
  if (operation.writes.length === 0) {
    return undefined;
  }
  const { plan, planHash } = await writer.plan(operation, signal);
  let access: PlannedAccess | undefined;
  try {
    access = await plan.loadAccess();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError)) {
      throw error;
    }
    return { plan, planHash, access, accessError: error };
  }
  const { users, groups } = reading.documents;
  return {
    plan,
    planHash,
    access:
      access === undefined
        ? undefined
        : {
            ...access,
            // New rules have no names of their parties.
            partyNames: new Map([
              ...users.map(({ id, name }) => [`user:${id}`, name] as const),
              ...groups.map(({ id, name }) => [`group:${id}`, name] as const),
              ...access.partyNames,
            ]),
          },
  };
}
