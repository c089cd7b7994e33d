import { silentLog } from '../base/log.ts';
import type { Lock } from '../project/pull/lock.ts';
import type { Project } from '../project/files/project.ts';
import {
  type PullFault,
  PullRefusedError,
  findUnmatchedLimit,
  readMatchingLock,
} from '../project/pull/pullProject.ts';
import { type SelectionLimits, createSelection } from '../project/settings/projectSettings.ts';
import { type InstanceReading, readInstance } from '../project/source/readInstance.ts';
import type { Arguments, CommandContext } from './command.ts';
import { CommandRefusedError } from './exitCodes.ts';
import type { Instance } from './instance.ts';
import type { ProjectTarget } from './projectTarget.ts';

/** Describes why a lock or a pattern of `--datamodel` or `--viewpoint` can't be used. */
export function describePullFault(fault: PullFault): string {
  switch (fault.code) {
    case 'lock':
      return fault.message;
    case 'other-instance':
      return `${fault.path} is of an instance with another address or tenant. Use an environment of its own for each instance. If the instance has moved, delete the file: then every difference is a conflict.`;
    case 'no-match':
      return `The project manages no ${fault.kind} that --${fault.kind} names. Letter case counts; see "manage" in datamodel-studio.json.`;
    case 'unsaved-lock':
    case 'outdated':
      return `${fault.path} has changed in the meantime. Pull again.`;
  }
}

/**
 * Reads the lock of the environment.
 * @throws CommandRefusedError if it can't be used, or belongs to another instance
 */
export const readTargetLock = ({ folder, environmentName, instance }: ProjectTarget): Promise<Lock> =>
  readMatchingLock({ folder, environmentName, address: instance.connection }).catch((error: unknown) => {
    throw error instanceof PullRefusedError ? new CommandRefusedError(describePullFault(error.fault)) : error;
  });

/**
 * The name patterns of `--datamodel` and `--viewpoint`, which limit a command to a part of what the project manages.
 */
export interface Limits {
  readonly datamodel?: string | undefined;
  readonly viewpoint?: string | undefined;
}

/** Reads `--datamodel` and `--viewpoint`. */
export function readLimits(args: Arguments): Limits {
  const [datamodel, viewpoint] = [args.getValue('datamodel'), args.getValue('viewpoint')];
  return {
    ...(datamodel === undefined ? {} : { datamodel }),
    ...(viewpoint === undefined ? {} : { viewpoint }),
  };
}

/** Converts the patterns of `--datamodel` and `--viewpoint` to the limits of a selection. */
export const toSelectionLimits = ({ datamodel, viewpoint }: Limits): SelectionLimits => ({
  ...(datamodel === undefined ? {} : { datamodels: [datamodel] }),
  ...(viewpoint === undefined ? {} : { viewpoints: [viewpoint] }),
});

/**
 * Refuses a pattern of `--datamodel` or `--viewpoint` that matches nothing, since it is probably misspelled.
 * @throws CommandRefusedError
 */
export function refuseUnmatchedLimits(limits: Limits, reading: InstanceReading, project: Project): void {
  const fault = findUnmatchedLimit(toSelectionLimits(limits), reading, project);
  if (fault !== undefined) {
    throw new CommandRefusedError(describePullFault(fault));
  }
}

/**
 * Reads the part of the instance that the project manages and that the limits select.
 * @param requiresDirectory whether rules and viewpoints are unknown if the instance does not list all users and groups
 * @throws ApiError
 */
export async function readInstanceParts(
  { settings }: ProjectTarget,
  {
    instance,
    context: { output, signal },
    limits,
    requiresDirectory,
  }: {
    readonly instance: Pick<Instance, 'getSession'>;
    readonly context: CommandContext;
    readonly limits: Limits;
    readonly requiresDirectory: boolean;
  },
): Promise<InstanceReading> {
  try {
    const { client } = await instance.getSession();
    return await readInstance(client, {
      selection: createSelection(settings, toSelectionLimits(limits)),
      signal,
      log: silentLog,
      requiresDirectory,
      onProgress: (readCount, total) => output.showProgress(`Reading the instance: ${readCount} of ${total}`),
    });
  } finally {
    output.showProgress();
  }
}
