import { basename } from 'node:path';
import type { Log } from '../../base/log.ts';
import { maskOperation } from '../../changes/model/maskWrite.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import type { Project } from '../files/project.ts';
import { formatItemKey } from '../item.ts';
import { parseProject } from '../files/parseProject.ts';
import type { PrunedKind } from '../plan/compareProject.ts';
import { listKeptProtection } from '../plan/keptProtection.ts';
import { hashPlan } from '../plan/planHash.ts';
import { type InstanceAddress, hashInstance } from '../pull/instanceHash.ts';
import type { Lock } from '../pull/lock.ts';
import { PullRefusedError, readMatchingLock } from '../pull/pullProject.ts';
import { type UnmanagedSummary, findUnmanaged } from '../pull/unmanaged.ts';
import { findUnmatchedNameFilter } from '../pull/unmatchedNameFilter.ts';
import {
  type EnvironmentConnections,
  type ProjectSettings,
  type SelectionLimits,
  createSelection,
} from '../settings/projectSettings.ts';
import { type InstanceReading, readInstance } from '../source/readInstance.ts';
import { markMissingViewpointsUnread } from '../source/missingViewpoints.ts';
import type { FindingCode } from '../validate/finding.ts';
import { DatasetConnections } from './datasetConnections.ts';
import { type PlanErrors, findPlanErrors, splitErrors } from './findPlanErrors.ts';
import { type ProjectFileReader, createProjectFileReader } from './projectFileReader.ts';
import { createFormerItems } from './formerItems.ts';
import { findReplacedItems } from './replacedItems.ts';
import { createPlannedItems } from './plannedItems.ts';
import { type PreparedPlan, preparePlan } from './preparePlan.ts';
import { getSeenRules } from './seenRules.ts';

/** A project, and the instance that it is to be applied to. */
export interface PlanTarget {
  /** The absolute path of the project's folder. */
  readonly folder: string;
  readonly settings: ProjectSettings;
  readonly environmentName: string;
  /** The connections that the environment has for new datasets. */
  readonly connections: EnvironmentConnections;
  readonly address: InstanceAddress;
  readonly connectionId: string;
}

/** How a project is compared with an instance. */
export interface PlanRequest {
  readonly openClient: () => Promise<PlatformClient>;
  readonly limits: SelectionLimits;
  /** Whether a limit may match nothing, such as after an apply that has deleted what it matched. */
  readonly mayMatchNothing?: boolean;
  readonly prunedKinds: ReadonlySet<PrunedKind>;
  /** The codes of errors that don't prevent the apply. */
  readonly ignoredCodes?: ReadonlySet<FindingCode>;
  /**
   * The environment variables that connections may refer to. `undefined` if the plan is only compared and never sent:
   * then it needs no secrets.
   */
  readonly variables: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Called when a part of the instance has been read. */
  readonly onProgress?: (readCount: number, total: number) => void;
  /** Called after each page of viewpoints, which are one of the parts; the total is what the server reports. */
  readonly onViewpointsRead?: (readCount: number, total: number | undefined) => void;
  /** The reader of the files, if it is shared with other code. */
  readonly files?: ProjectFileReader;
}

/** A project compared with an instance. */
export interface ProjectPlan {
  /** What the plan was made from, besides the lock file and the instance. */
  readonly sources: {
    readonly target: PlanTarget;
    /** The texts of the project's files, by path. */
    readonly texts: ReadonlyMap<string, string>;
  };
  readonly project: Project;
  readonly lock: Lock;
  readonly reading: InstanceReading;
  /** The part of the project that is compared. */
  readonly limits: SelectionLimits;
  /** What isn't compared because of "manage" in the settings. */
  readonly unmanaged: UnmanagedSummary;
  readonly prepared: PreparedPlan;
  /** Finds the errors in what the plan changes, and in what depends on that. */
  readonly findErrors: () => PlanErrors;
  /** Two plans with the same hash do the same to the same state. Effects on access are not part of the hash. */
  readonly hash: string;
  /** The environment variables in the connections of new datasets, which must be set when the operation is sent. */
  readonly neededVariables: readonly string[];
  /** Can be sent only if the plan was loaded with the environment variables. */
  readonly operation: Operation;
}

/**
 * Reads the project and the instance, and compares them. Sends no write.
 * @throws PullRefusedError if the lock can't be used, or a limit matches nothing
 * @throws MissingVariableError if an environment variable of a connection is not set
 * @throws ApiError
 */
export async function loadProjectPlan(target: PlanTarget, request: PlanRequest): Promise<ProjectPlan> {
  const { folder, settings, environmentName, address, connectionId } = target;
  const {
    limits,
    mayMatchNothing = false,
    prunedKinds,
    signal,
    log,
    onProgress,
    onViewpointsRead,
    variables,
  } = request;
  const files = request.files ?? createProjectFileReader(folder, environmentName);
  const lock = await readMatchingLock({ folder, environmentName, address }, await files.readLockFile());
  const client = await request.openClient();
  const instance = await readInstance(client, {
    selection: createSelection(settings, limits),
    signal,
    log,
    lock,
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(onViewpointsRead === undefined ? {} : { onViewpointsRead }),
  });
  const index = await files.readTexts();
  const project = parseProject(index);
  const reading = markMissingViewpointsUnread(instance, { lock, projectItems: project.items });
  const fault = mayMatchNothing ? undefined : findUnmatchedNameFilter(limits, reading, project);
  if (fault !== undefined) {
    throw new PullRefusedError(fault);
  }
  const connections = new DatasetConnections(target.connections);
  const prepared = await preparePlan({
    client,
    project,
    lock,
    reading,
    prunedKinds,
    customDataFilters: new Map(Object.entries(settings.manage.customData)),
    getConnection: (datamodel, dataset) => connections.find(datamodel, dataset),
    signal,
    ...(limits.viewpoints === undefined ? {} : { outsideReader: { client, settings, limits, signal, log } }),
  });
  const operation: Operation = {
    connectionId,
    cause: 'apply',
    subject: { name: basename(folder), within: [environmentName] },
    project: {
      folder,
      environment: environmentName,
      deferredItems: prepared.compiled.deferred.map(({ key }) => formatItemKey(key)),
      lastSeenRules: getSeenRules({ project, lock, prepared }),
      items: createPlannedItems(project, prepared.comparison),
      formerItems: createFormerItems({ project, lock, prepared }),
      replacedItems: findReplacedItems({ lock, prepared }).map(formatItemKey),
      ...(prunedKinds.size === 0 ? {} : { prunedKinds: [...prunedKinds].toSorted() }),
    },
    // Also those outside the limits of the plan: it may still change what their rules restrict.
    cubeSets: settings.manage.cubeSets,
    writes: prepared.compiled.writes,
  };
  const ignoredCodes = request.ignoredCodes ?? new Set();
  let errors: PlanErrors | undefined;
  const findErrors = (): PlanErrors =>
    (errors ??= splitErrors(
      findPlanErrors(project, prepared.comparison, createSelection(settings)),
      ignoredCodes,
      {
        project,
        pulled: prepared.pulled,
        changes: prepared.comparison.changes,
        selection: createSelection(settings, limits),
      },
    ));
  return {
    sources: { target, texts: index.texts },
    project,
    lock,
    reading,
    limits,
    unmanaged: findUnmanaged({ settings, limits, reading, project }),
    prepared,
    findErrors,
    hash: hashPlan(hashInstance(address), prepared.comparison, {
      prunedKinds,
      keptProtection: listKeptProtection(prepared.comparison, prepared.pulled.items),
      ignoredErrors: ignoredCodes.size === 0 ? [] : findErrors().ignored,
      // The writes include what names resolve to: users, groups, and connections. Of the secrets in these, only the
      // names of the environment variables matter, since a plan is made without them.
      writes: [...maskOperation(operation).writes, ...connections.variables],
    }),
    neededVariables: [...new Set(connections.variables)].toSorted(),
    operation:
      variables === undefined
        ? operation
        : {
            ...operation,
            writes: operation.writes.map((write) => connections.insertVariables(write, variables)),
          },
  };
}
