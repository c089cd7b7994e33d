import { english, formatMessage } from '../base/localize.ts';
import { describeLimits } from '../project/messages/describeLimits.ts';
import type { PullFault } from '../project/pull/pullProject.ts';
import type { UnmatchedNameFilter } from '../project/pull/unmatchedNameFilter.ts';
import type { SelectionLimits } from '../project/settings/projectSettings.ts';
import type { Arguments } from './command.ts';

/** Describes why a pull was refused. */
export function describePullFault(fault: PullFault): string {
  switch (fault.code) {
    case 'lock':
      return formatMessage(english, fault.message);
    case 'other-instance':
      return `${fault.path} belongs to an instance with a different address or tenant. Use a separate environment for each instance. If the instance has moved, delete the file. Values that differ then become conflicts.`;
    case 'no-match':
      return describeUnmatchedLimit(fault);
    case 'changed-meanwhile':
      return `${fault.path} changed while the instance was being read, for example, because of an apply. Nothing was changed. Pull again.`;
    case 'unsaved-lock':
    case 'outdated':
      return `${fault.path} has changed in the meantime. Pull again.`;
  }
}

function describeUnmatchedLimit({ kind, reason, name }: UnmatchedNameFilter): string {
  const suggestion = name === undefined ? '' : ` Did you mean "${name}"?`;
  const match = `${kind} that matches --${kind}`;
  switch (reason) {
    case 'absent':
      return `Neither the instance nor the project has a ${match}.${suggestion}`;
    case 'letter-case':
      return `No ${kind} matches --${kind}. Names are case-sensitive.${suggestion}`;
    case 'excluded':
      return kind === 'viewpoint'
        ? `"manage" in datamodel-studio.json or "viewpoints" in the file of the environment excludes every ${match}.`
        : `"manage" in datamodel-studio.json excludes every ${match}.`;
    case 'no-service':
      return `The instance has no viewpoint service, and the project has no ${match}.`;
  }
}

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

/** Names the part of the project that a command is limited to; `undefined` without limits. */
export const describeLimitedPart = (limits: Limits): string | undefined =>
  describeLimits(english, toSelectionLimits(limits));

/** Converts the patterns of `--datamodel` and `--viewpoint` to the limits of a selection. */
export const toSelectionLimits = ({ datamodel, viewpoint }: Limits): SelectionLimits => ({
  ...(datamodel === undefined ? {} : { datamodels: [datamodel] }),
  ...(viewpoint === undefined ? {} : { viewpoints: [viewpoint] }),
});
