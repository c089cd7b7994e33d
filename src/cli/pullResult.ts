import type * as z from 'zod';
import type { Project } from '../project/files/project.ts';
import type { ConvertedInstance } from '../project/instance/convertInstance.ts';
import type { ConversionNote } from '../project/instance/converted.ts';
import { type ItemKey, formatItemKey } from '../project/item.ts';
import type { ConflictReason } from '../project/pull/decideUnit.ts';
import type { PullPlan } from '../project/pull/planPull.ts';
import type { InstancePart, UnreadPart } from '../project/source/readInstance.ts';
import type { CommandContext } from './command.ts';
import { formatCliError } from './errorMessages.ts';
import { type ExitCode, exitCodes } from './exitCodes.ts';
import { outputVersion, type pullOutputSchema, toInstanceOutput } from './outputs.ts';
import type { ProjectTarget } from './projectTarget.ts';

/** The result of the command `pull`. */
export interface PullResult {
  readonly plan: PullPlan;
  readonly pulled: ConvertedInstance;
  /** The project before the pull. */
  readonly project: Project;
  readonly unread: readonly UnreadPart[];
}

type PullOutput = z.infer<typeof pullOutputSchema>;

/** Scripts depend on these codes, so they never change (decisions.md, "Command line"). */
export function getPullExitCode(result: PullResult): ExitCode {
  if (getUnknowns(result).length > 0) {
    return exitCodes.unknown;
  }
  return result.plan.conflicts.length > 0 ? exitCodes.differs : exitCodes.done;
}

/** Prints what a pull has done: the changed files as data, and everything that a person has to look at as messages. */
export function printPullResult(
  result: PullResult,
  target: ProjectTarget,
  { args, output }: Pick<CommandContext, 'args' | 'output'>,
): void {
  const pullOutput = toPullOutput(result, target);
  if (args.getValue('format') === 'json') {
    output.printJson(pullOutput);
  } else {
    for (const { path, state } of pullOutput.files) {
      output.printLine(`${state} ${path}`);
    }
  }
  for (const { from, to } of pullOutput.renames) {
    output.printMessage(`Renamed on the instance: ${from} to ${to}`);
  }
  for (const { item, path, reason, parts } of pullOutput.conflicts) {
    const places = parts.filter((part) => part !== '');
    const place = places.length === 0 ? '' : ` (${places.join(', ')})`;
    output.printMessage(`Conflict: ${path ?? item}${place}: ${conflictTexts[reason]}`, 'warning');
  }
  for (const { item, path } of pullOutput.gone) {
    output.printMessage(
      `No longer on the instance: ${path ?? item}. --prune KINDS deletes such files.`,
      'warning',
    );
  }
  pullOutput.warnings.forEach((warning) => output.printMessage(`Warning: ${warning}`, 'warning'));
  for (const { what, problem } of pullOutput.unknown) {
    output.printMessage(`Can't read ${what}: ${problem}`, 'error');
  }
  const isDone = getPullExitCode(result) === exitCodes.done;
  output.printMessage(formatSummary(pullOutput), isDone ? 'success' : 'warning');
}

const conflictTexts: Readonly<Record<ConflictReason, string>> = {
  'both-changed': 'changed in the file and on the instance. The file was not changed.',
  'never-seen': 'different from the instance, and no pull has seen either. The file was not changed.',
  'deleted-here': 'deleted in the project and changed on the instance. Nothing was changed.',
  'deleted-there': 'changed in the project and deleted on the instance. The file was not changed.',
  unreadable: "its file couldn't be read again. Nothing was changed.",
  'path-taken': 'another file has this path. Nothing was changed.',
};

function formatSummary({ counts, conflicts, unknown }: PullOutput): string {
  const parts = [
    `${counts.created} created`,
    `${counts.changed} changed`,
    `${counts.deleted} deleted`,
    `${counts.unchanged} unchanged`,
    ...(conflicts.length === 0
      ? []
      : [conflicts.length === 1 ? '1 conflict' : `${conflicts.length} conflicts`]),
    ...(unknown.length === 0 ? [] : [`${unknown.length} could not be read`]),
  ];
  return `Files: ${parts.join(', ')}.`;
}

function toPullOutput(
  result: PullResult,
  { instance: { connection }, environmentName }: ProjectTarget,
): PullOutput {
  const { plan, pulled, project } = result;
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
    conflicts: plan.conflicts.map(({ key, path, reason, pointers }) => ({
      item: formatItemKey(key),
      ...(path === undefined ? {} : { path }),
      reason,
      parts: [...pointers],
    })),
    gone: plan.gone.map(toItem),
    renames: plan.renames.map(({ from, to }) => ({ from: formatItemKey(from), to: formatItemKey(to) })),
    unknown: getUnknowns(result),
    warnings: [
      ...pulled.notes.map(formatNote),
      ...project.problems
        .filter(({ severity }) => severity === 'warning')
        .map(({ path, line, column, message }) => `${path}:${line}:${column}: ${message}`),
    ],
  };
}

/** What is unknown, and why: it could not be read from the instance, or from a file of the project. */
export const getUnknowns = ({
  unread,
  pulled,
  project,
}: Pick<PullResult, 'unread' | 'pulled' | 'project'>): PullOutput['unknown'] => [
  ...unread.map(({ part, error }) => ({ what: formatPart(part), problem: formatCliError(error) })),
  ...pulled.refusals.map(({ key, message }) => ({ what: formatItemKey(key), problem: message })),
  ...project.problems
    .filter(({ severity }) => severity === 'error')
    .map(({ path, line, column, message }) => ({ what: `${path}:${line}:${column}`, problem: message })),
];

function formatPart(part: InstancePart): string {
  switch (part.kind) {
    case 'datamodels':
      return 'some of the datamodels';
    case 'viewpoints':
      return 'the viewpoints';
    case 'people':
      return 'the users and groups, and so the rules and viewpoints';
    case 'datamodel':
      return `the datamodel ${part.datamodel}`;
    case 'rules':
      return `the rules of ${part.datamodel}`;
    case 'cubeSetRules':
      return `the rules of the cube set ${part.cubeSet}`;
  }
}

function formatNote({ code, kind, parent, count }: ConversionNote): string {
  switch (code) {
    case 'broken-relation':
      return `${parent}: relations that have lost a column have no file (${count}).`;
    case 'equal-relations':
      return `${parent}: of several relations between the same columns, only one has a file (${count} without).`;
    case 'nameless':
      return `${parent === '' ? 'Instance' : parent}: ${kind}s without a name have no file (${count}).`;
  }
}
