import { english } from '../base/localize.ts';
import type { HistoryEntry } from '../changes/journal/entry.ts';
import { describeVisibleUntilBuild } from '../changes/messages/describeVisibleUntilBuild.ts';
import type { NextSteps } from '../project/apply/finishApply.ts';
import { parseItemKey } from '../project/item.ts';
import { describeComparedPart } from '../project/messages/describeUnmanaged.ts';
import { describeMatch, describeNeededBuilds } from '../project/messages/planTexts.ts';
import { defaultEnvironmentName } from '../project/settings/projectSettings.ts';
import type { CommandContext } from './command.ts';
import { formatEnvironmentCommand, formatProjectCommand } from './commandHint.ts';
import {
  describeOverwrittenItems,
  describeUncompared,
  findRemainingItems,
  formatAddedParts,
  formatItems,
  formatReasons,
  formatStillDifferent,
  formatUnreadable,
} from './remainingItems.ts';
import type { LockUpdateResult } from './recoverableChanges.ts';
import { getPrunedInstanceKindNames } from './prunedKinds.ts';
import { joinSorted } from './rollBackReport.ts';
import { splitUncomparedParts } from './uncomparedParts.ts';

/** What is left after an apply was finished. */
export interface FinishedApplyResult {
  /** Why the change isn't done although all of its writes succeeded. */
  readonly problem?: { readonly state: 'differs' | 'unknown'; readonly problem: string };
  /** Whether items are left for a later apply. */
  readonly needsAnotherApply: boolean;
  /** The datamodels to build before the next apply. */
  readonly neededBuilds?: readonly string[];
  /** The relations that another apply has to create before their datamodel is built. */
  readonly readyRelations?: readonly string[];
}

/**
 * Prints what is left after `resume` has finished an apply, as the apply itself would have done.
 * @param updated the project and the instance, or why they weren't compared
 * @param finished the journal of the apply
 */
export function reportFinishedApply(
  updated: LockUpdateResult,
  finished: HistoryEntry,
  { args, output }: Pick<CommandContext, 'args' | 'output'>,
): FinishedApplyResult {
  const { deferredItems } = finished.operation.project ?? {};
  describeVisibleUntilBuild(english, finished.operation).forEach((text) =>
    output.printMessage(text, 'warning'),
  );
  if (updated === 'no-project' || updated === 'failed') {
    const items = deferredItems ?? [];
    printFinishedChange(items, output);
    const environmentName = finished.operation.project?.environment ?? defaultEnvironmentName;
    const [unchecked, command] =
      updated === 'failed'
        ? [
            "All writes succeeded, but the instance couldn't be compared with the project.",
            formatProjectCommand(['plan'], args),
          ]
        : [
            "The instance wasn't compared with the project.",
            formatEnvironmentCommand(['plan'], environmentName, args),
          ];
    output.printMessage(`${unchecked} After the pull, run: ${command}`, 'warning');
    return {
      needsAnotherApply: items.length > 0,
      ...(updated === 'failed' ? { problem: { state: 'unknown', problem: unchecked } } : {}),
    };
  }
  const { overwritten, waiting, others, remaining, ...nextSteps } = findRemainingItems(updated, finished);
  if (overwritten.length > 0) {
    const problem = describeOverwrittenItems(overwritten);
    output.printMessage(problem, 'warning');
    if (waiting.length > 0) {
      output.printMessage(describeDeferredItems(waiting), 'warning');
    }
    warnBeforeBuild(nextSteps, output);
    return { needsAnotherApply: false, problem: { state: 'differs', problem }, ...nextSteps };
  }
  const uncompared = splitUncomparedParts(updated.after, finished);
  if (uncompared.included.length > 0) {
    const problem = describeUncompared(uncompared.included);
    output.printMessage(problem, 'warning');
    if (waiting.length > 0) {
      output.printMessage(describeDeferredItems(waiting), 'warning');
    }
    warnBeforeBuild(nextSteps, output);
    return { needsAnotherApply: false, problem: { state: 'unknown', problem }, ...nextSteps };
  }
  if (waiting.length + others.length + uncompared.others.length > 0) {
    printFinishedChange(waiting, output);
  } else {
    output.printMessage(
      `Done. The change was finished. ${describeMatch(english, remaining, describeComparedPart(english, undefined, updated.after.unmanaged))}`,
      remaining.itemCount > 0 ? 'warning' : 'success',
    );
    const { comparison } = updated.recorded;
    [...formatStillDifferent(comparison), ...formatAddedParts(comparison)].forEach((line) =>
      output.printMessage(line, 'warning'),
    );
  }
  warnBeforeBuild(nextSteps, output);
  if (others.length > 0) {
    output.printMessage(
      `${formatCount(others.length, 'item')} ${others.length === 1 ? 'differs' : 'differ'} from the project in ways that the change didn't include: ${formatItems(others)}. To see what differs: ${formatProjectCommand(['plan'], args)}`,
      'warning',
    );
  }
  if (uncompared.others.length > 0) {
    output.printMessage(
      `Not everything that the change didn't include could be compared with the project. ${formatReasons(uncompared.others.map(formatUnreadable))}`,
      'warning',
    );
  }
  return { needsAnotherApply: waiting.length > 0, ...nextSteps };
}

/** Prints that a change was finished, and what it has left for a later apply. */
function printFinishedChange(items: readonly string[], output: CommandContext['output']): void {
  output.printMessage(
    `Done. The change was finished.${items.length === 0 ? '' : ` ${describeDeferredItems(items)}`}`,
    items.length === 0 ? 'success' : 'warning',
  );
}

/** Describes what is left for a later apply. As long as rules are missing, everyone with access sees all rows. */
function describeDeferredItems(items: readonly string[]): string {
  const titles = joinSorted(
    items.map(parseItemKey).flatMap((key) => (key?.kind === 'rules' ? [key.datamodel] : [])),
  );
  const text = `${formatCount(items.length, 'item')} ${items.length === 1 ? 'needs' : 'need'} another apply: ${formatItems(items)}.`;
  return titles === ''
    ? text
    : `${text} The remaining items include data security rules. Until the rules are written, don't share ${titles} with anyone else.`;
}

/**
 * Prints, in the preview of `resume`, what is left for a later apply, what might be visible until the next build, and
 * which command shows the contents of the changes and who gains access: a journal doesn't contain that.
 */
export function printApplyPreview(
  { operation }: HistoryEntry,
  { args, output }: Pick<CommandContext, 'args' | 'output'>,
): void {
  const { project } = operation;
  const items = project?.deferredItems ?? [];
  describeVisibleUntilBuild(english, operation).forEach((text) => output.printMessage(text, 'warning'));
  if (items.length > 0) {
    output.printLine(`After that, ${describeDeferredItems(items)}`, 'warning');
  }
  const environmentName = project?.environment ?? defaultEnvironmentName;
  const prunedNames = getPrunedInstanceKindNames(new Set(project?.prunedKinds));
  const words = ['plan', ...(prunedNames.length === 0 ? [] : ['--prune', prunedNames.join(',')])];
  const command =
    args.has('project') || args.has('environment')
      ? formatProjectCommand(words, args)
      : formatEnvironmentCommand(words, environmentName, args);
  output.printMessage(
    `The contents of the rules and who gains access aren't shown here. If the project files haven't changed since, this command shows them for the remaining steps: ${command}`,
  );
}

/** Warns that another apply must come before the next build, or a build before another apply. */
export function warnBeforeBuild(
  { readyRelations, neededBuilds }: NextSteps,
  output: CommandContext['output'],
): void {
  if (readyRelations.length > 0) {
    output.printMessage(
      `Apply again before you build: the instance already has the columns of the new tables, and until the relations exist, rules on one of their tables don't restrict the other (${readyRelations.join(', ')}).`,
      'warning',
    );
  }
  if (neededBuilds.length > 0) {
    output.printMessage(describeNeededBuilds(english, neededBuilds), 'warning');
  }
}

const formatCount = (count: number, noun: string): string =>
  count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
