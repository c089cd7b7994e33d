import type { ItemKind } from '../project/item.ts';
import type { Arguments } from './command.ts';
import { formatProjectCommand, repeatOption } from './commandHint.ts';
import { CommandRefusedError } from './exitCodes.ts';
import type { PlanOutput } from './planOutput.ts';
import { getPrunedInstanceKindNames } from './prunedKinds.ts';
import { formatFirstItems } from './remainingItems.ts';

type Changes = PlanOutput['changes'];

/** What the hints of a refused apply contain. */
interface UnseenChangesOptions {
  readonly args: Arguments;
  readonly environmentName: string;
  /** The options of the command that limit what is planned, to be repeated. */
  readonly limits: readonly string[];
}

/**
 * Creates the error for an apply that would overwrite changes on the instance that no pull has brought into the files.
 * A pull keeps the file of an item that was deleted on the instance. So if all items were deleted there, the first
 * hints recreate them.
 */
export function createUnseenChangesError(
  changes: Changes,
  { args, environmentName, limits }: UnseenChangesOptions,
): CommandRefusedError {
  const deleted = changes.filter(isDeletedOnServer);
  const areAllDeleted = deleted.length === changes.length;
  const planPath = `${environmentName}.plan.json`;
  const planHints = [
    `Plan:  ${formatProjectCommand(['plan', '--out', planPath, ...limits], args)}`,
    `Apply: ${formatProjectCommand(['apply', planPath, '--execute', ...repeatOption('confirm', args)], args)}`,
  ];
  const pullHints = areAllDeleted ? [] : [`Pull:  ${formatProjectCommand(['pull'], args)}`];
  const remedy = areAllDeleted
    ? deleted.length === 1
      ? 'Recreate it with a plan that shows this, or pull and delete its file, too.'
      : 'Recreate them with a plan that shows this, or pull and delete their files, too.'
    : 'Pull first, or overwrite with a plan that shows these changes.';
  return new CommandRefusedError(`${formatUnseenItems(changes)} Nothing was written. ${remedy}`, undefined, [
    ...(areAllDeleted ? planHints : pullHints),
    ...(deleted.length === 0 ? [] : getDeletionHints(deleted, args)),
    ...(areAllDeleted ? pullHints : planHints),
  ]);
}

/**
 * Returns two commands for items that were deleted on the instance: a pull that keeps their files, so that the next
 * apply recreates the items, and a pull that deletes their files.
 */
const getDeletionHints = (deleted: Changes, args: Arguments): readonly string[] => [
  `Pull, and recreate what was deleted: ${formatProjectCommand(['pull', '--conflicts', 'ours'], args)}`,
  `Pull, and delete the files of what was deleted: ${formatProjectCommand(['pull', '--prune', getKindNames(deleted)], args)}`,
];

const getKindNames = (changes: Changes): string =>
  getPrunedInstanceKindNames(
    new Set(changes.map(({ item }) => item.slice(0, item.indexOf('/')) as ItemKind)),
  ).join(',');

/** Returns whether a change recreates an item that somebody has deleted on the instance. */
const isDeletedOnServer = ({ action, changedOnServer }: Changes[number]): boolean =>
  action === 'create' && changedOnServer;

/** Describes which changes would overwrite something on the instance that no pull has brought into the files. */
function formatUnseenItems(changes: Changes): string {
  const deleted = changes.filter(isDeletedOnServer);
  const neverPulled = changes.filter((change) => change.neverPulled === true);
  const changed = changes.filter((change) => change.neverPulled !== true && !isDeletedOnServer(change));
  return [
    formatGroup(
      deleted,
      (isOne) => `${isOne ? 'has' : 'have'} been deleted on the server since the last pull`,
    ),
    formatGroup(changed, (isOne) => `${isOne ? 'has' : 'have'} changed on the server since the last pull`),
    formatGroup(
      neverPulled,
      (isOne) => `on the server ${isOne ? 'was' : 'were'} never pulled and would be overwritten or deleted`,
    ),
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** @param getVerb returns the rest of the sentence, for one item or for several */
function formatGroup(changes: Changes, getVerb: (isOne: boolean) => string): string {
  const { length } = changes;
  const subject = length === 1 ? '1 item' : `${length} items`;
  return length === 0
    ? ''
    : `${subject} ${getVerb(length === 1)}: ${formatFirstItems(changes.map(({ item }) => item))}.`;
}
