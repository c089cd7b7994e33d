import type * as z from 'zod';
import { unescapePointer } from '../base/jsonPointer.ts';
import { english, formatMessage } from '../base/localize.ts';
import { AddressError } from '../client/errors.ts';
import { type ItemKey, formatItemKey } from '../project/item.ts';
import type { PullConflict } from '../project/pull/decideUnit.ts';
import { areAnyRulesUnknown, isAnyRenamePending } from '../project/pull/leftOutItem.ts';
import type { PullResult } from '../project/pull/pullProject.ts';
import {
  describePullConflict,
  describeOrphanedRules,
  describeUnusableLock,
  describeNote,
  describeInstancePart,
  describeLeftOutItem,
} from '../project/messages/pullTexts.ts';
import type { CommandContext } from './command.ts';
import { getConflictVersions } from './conflictVersions.ts';
import {
  type DifferenceText,
  describeChangedPart,
  instanceAndProjectTexts,
  limitDifferences,
  listDifferenceLines,
} from './differences/differenceTexts.ts';
import { formatCliError } from './errorMessages.ts';
import { type ExitCode, exitCodes } from './exitCodes.ts';
import { describeUnmanaged } from '../project/messages/describeUnmanaged.ts';
import { findUnmanaged } from '../project/pull/unmanaged.ts';
import type { SelectionLimits } from '../project/settings/projectSettings.ts';
import { readLimits, toSelectionLimits } from './selectionLimits.ts';
import { formatItem, labelItems } from './itemLabels.ts';
import { outputVersion, toInstanceOutput } from './outputParts.ts';
import type { pullOutputSchema } from './outputSchemas.ts';
import type { ProjectTarget } from './projectTarget.ts';

type PullOutput = z.infer<typeof pullOutputSchema>;

/** Scripts depend on these codes, so they never change (decisions.md, "Command line"). */
export function getPullExitCode(
  result: Parameters<typeof getUnreadParts>[0] & {
    readonly plan: Pick<PullResult['plan'], 'conflicts' | 'leftOutItems'>;
  },
): ExitCode {
  if (getUnreadParts(result).length > 0 || areAnyRulesUnknown(result.plan.leftOutItems)) {
    return exitCodes.unknown;
  }
  const { conflicts, leftOutItems } = result.plan;
  return conflicts.length > 0 || isAnyRenamePending(leftOutItems) ? exitCodes.differs : exitCodes.done;
}

/** Prints the result of a pull: the changed files as output, the rest as messages. */
export function printPullResult(
  result: PullResult,
  target: ProjectTarget,
  { args, output }: Pick<CommandContext, 'args' | 'output'>,
): void {
  const pullOutput = toPullOutput(result, target, toSelectionLimits(readLimits(args)));
  if (args.getValue('format') === 'json') {
    output.printJson(pullOutput);
  } else {
    for (const { path, state } of pullOutput.files) {
      output.printLine(`${state} ${path}`);
    }
  }
  printPullMessages(labelItems(pullOutput), output);
  const isDone = getPullExitCode(result) === exitCodes.done;
  output.printMessage(formatSummary(pullOutput), isDone ? 'success' : 'warning');
}

/** The maximum number of kept files that are listed: none of them needs attention. */
const maxKeptFiles = 20;

/** Prints as messages what was kept or renamed, and everything that needs attention. */
export function printPullMessages(
  pullOutput: PullOutput,
  output: Pick<CommandContext['output'], 'printMessage'>,
): void {
  for (const { item, path, state } of pullOutput.localChanges.slice(0, maxKeptFiles)) {
    output.printMessage(`Kept: ${path ?? item} (${localChangeTexts[state]})`);
  }
  const moreKeptCount = pullOutput.localChanges.length - maxKeptFiles;
  if (moreKeptCount > 0) {
    output.printMessage(
      `Kept: ${moreKeptCount === 1 ? '1 more file' : `${moreKeptCount} more files`}. --format json lists all of them.`,
    );
  }
  for (const { from, to } of pullOutput.renames) {
    output.printMessage(`Renamed on the instance: ${from} to ${to}`);
  }
  for (const { item, from, to } of pullOutput.columnRenames) {
    output.printMessage(`Renamed on the instance: the column ${from} of ${item} to ${to}`);
  }
  for (const { item, path, reason, parts, versions } of pullOutput.conflicts) {
    const conflictingPointers = parts.filter((part) => part !== '');
    const location =
      conflictingPointers.length === 0 ? '' : ` (${conflictingPointers.map(unescapePointer).join(', ')})`;
    output.printMessage(
      `Conflict: ${path ?? item}${location}: ${describePullConflict(english, reason)}`,
      'warning',
    );
    listDifferenceLines(describeVersions(versions)).forEach((line) => output.printMessage(`    ${line}`));
  }
  if (pullOutput.conflicts.length > 0) {
    output.printMessage(
      'To resolve conflicts, pull with --conflicts ours or --conflicts theirs. To combine both versions, edit the files, and then pull with --conflicts ours.',
    );
  }
  for (const { item, path } of pullOutput.gone) {
    output.printMessage(
      `No longer on the instance: ${path ?? item}. --prune KINDS deletes such files. --conflicts ours keeps them, and the next apply creates the items again.`,
      'warning',
    );
  }
  pullOutput.warnings.forEach((warning) => output.printMessage(`Warning: ${warning}`, 'warning'));
  for (const { what, problem } of pullOutput.unknown) {
    output.printMessage(`Can't read ${what}: ${problem}`, 'error');
  }
}

/** The maximum number of lines that show the versions of a conflict. */
const maxVersionLines = 12;

/** Describes both versions of the parts that are in conflict. */
const describeVersions = (versions: PullOutput['conflicts'][number]['versions']): readonly DifferenceText[] =>
  limitDifferences(
    versions.flatMap(({ pointer, project, instance }) =>
      describeChangedPart(
        { pointer, before: instance, after: project },
        { ...instanceAndProjectTexts, showsAdditions: true },
      ),
    ),
    maxVersionLines,
  );

/** The warning if viewpoints are managed, but there are none, and the instance has no service for them. */
const noViewpointService = 'The instance has no viewpoint service.';

const localChangeTexts = {
  created: 'not on the instance',
  // The file may also have been changed by a pull from another environment.
  changed: 'differs from the instance',
  deleted: 'deleted in the project',
} as const;

function formatSummary({ counts, conflicts, localChanges, unknown }: PullOutput): string {
  const parts = [
    `${counts.created} created`,
    `${counts.changed} changed`,
    `${counts.deleted} deleted`,
    `${counts.unchanged} unchanged`,
    ...(localChanges.length === 0 ? [] : [`${localChanges.length} with local changes`]),
    ...(conflicts.length === 0
      ? []
      : [conflicts.length === 1 ? '1 conflict' : `${conflicts.length} conflicts`]),
    ...(unknown.length === 0 ? [] : [`${unknown.length} couldn't be read`]),
  ];
  return `Files: ${parts.join(', ')}.`;
}

function toPullOutput(
  result: PullResult,
  { instance: { connection }, environmentName, settings }: ProjectTarget,
  limits: SelectionLimits,
): PullOutput {
  const { plan, pulled, project, reading } = result;
  const paths = new Map(project.items.map(({ key, path }) => [formatItemKey(key), path]));
  const toItem = (key: ItemKey) => {
    const item = formatItemKey(key);
    const path = paths.get(item);
    return { item, ...(path === undefined ? {} : { path }) };
  };
  return {
    version: outputVersion,
    command: 'pull',
    instance: toInstanceOutput(connection),
    environment: environmentName,
    counts: plan.counts,
    files: [
      ...plan.writes.map(({ path, previousText }) => ({
        path,
        state: previousText === undefined ? ('created' as const) : ('changed' as const),
      })),
      ...plan.deletions.map(({ path }) => ({ path, state: 'deleted' as const })),
    ],
    conflicts: plan.conflicts.map(toConflictOutput),
    localChanges: plan.localChanges.map(({ key, path, state }) => ({
      item: formatItemKey(key),
      ...(path === undefined ? {} : { path }),
      state,
    })),
    gone: plan.deletedOnInstance.map(toItem),
    renames: plan.renames.map(({ from, to }) => ({ from: formatItemKey(from), to: formatItemKey(to) })),
    columnRenames: plan.columnRenames.map(({ table, from, to }) => ({
      item: formatItemKey(table),
      from,
      to,
    })),
    unknown: getUnreadParts(result),
    warnings: [
      ...(result.offersViewpoints ? [] : [noViewpointService]),
      ...pulled.notes.map((note) => describeNote(english, note)),
      ...plan.leftOutItems.map((item) =>
        describeLeftOutItem(english, item, formatItem(formatItemKey(item.key))),
      ),
      ...plan.orphanedRules.map((rules) =>
        describeOrphanedRules(english, rules, formatItem(formatItemKey(rules.key))),
      ),
      ...result.unusableLockPaths.map((path) => describeUnusableLock(english, path)),
      ...project.problems
        .filter(({ severity }) => severity === 'warning')
        .map(
          ({ path, line, column, message }) =>
            `${path}:${line}:${column}: ${formatMessage(english, message)}`,
        ),
      ...describeUnmanaged(english, findUnmanaged({ settings, limits, reading, project })),
    ],
  };
}

function toConflictOutput(conflict: PullConflict): PullOutput['conflicts'][number] {
  const { key, path, reason, pointers } = conflict;
  return {
    item: formatItemKey(key),
    ...(path === undefined ? {} : { path }),
    reason,
    parts: [...pointers],
    versions: getConflictVersions(conflict).map(({ pointer, ours, theirs }) => ({
      pointer,
      ...(ours === undefined ? {} : { project: ours }),
      ...(theirs === undefined ? {} : { instance: theirs }),
    })),
  };
}

/**
 * What to do if the rules of a datamodel can't be read, because its title can't be part of an address. No request finds
 * rules by anything but the title of their datamodel (rest-api.md, "Endpoints").
 */
const addressRemedy = 'Rename it, or list the others in "manage", such as "Sales *".';

/** Returns what could not be read from the instance or from a file of the project, and why. */
export const getUnreadParts = ({
  failedParts,
  pulled,
  project,
}: Pick<PullResult, 'failedParts' | 'pulled'> & {
  readonly project: Pick<PullResult['project'], 'problems'>;
}): PullOutput['unknown'] => [
  ...failedParts.map(({ part, error }) => ({
    what: describeInstancePart(english, part),
    problem: `${formatCliError(error)}${error instanceof AddressError && part.kind === 'rules' ? ` ${addressRemedy}` : ''}`,
  })),
  ...pulled.conversionErrors.map(({ key, userMessage }) => ({
    what: formatItemKey(key),
    problem: formatMessage(english, userMessage),
  })),
  ...project.problems
    .filter(({ severity }) => severity === 'error')
    .map(({ path, line, column, message }) => ({
      what: `${path}:${line}:${column}`,
      problem: formatMessage(english, message),
    })),
];
