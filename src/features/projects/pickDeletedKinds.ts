import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { type DeletableKind, type PrunedKinds, wasPulled } from '../../project/apply/deletableItems.ts';
import type { ExtraItem } from '../../project/compare/itemChange.ts';
import type { Lock } from '../../project/pull/lock.ts';
import { getItemName } from '../../platform/projects/itemNames.ts';

const t = vscode.l10n.t;

/** The maximum number of items of a kind that are named. */
const maxNames = 3;

const kindLabels: Readonly<Record<DeletableKind['kind'], () => string>> = {
  datamodel: () => t('Datamodels'),
  dataset: () => t('Datasets'),
  table: () => t('Tables'),
  column: () => t('Columns'),
  relation: () => t('Relations'),
  rules: () => t('Data security rules'),
  viewpoint: () => t('Viewpoints'),
  cubeSetRules: () => t('Data security rules of cube sets'),
  customData: () => t('Custom data'),
};

/**
 * Lets the user select which kinds of items a plan deletes.
 * @param options.prunedKinds the kinds that the plan deletes already
 * @param options.lock shows what was deleted in the project, and what was never pulled
 * @returns `undefined` if the user cancels, or selects nothing and the plan deletes nothing yet
 */
export async function pickDeletedKinds(
  kinds: readonly DeletableKind[],
  {
    connection,
    prunedKinds,
    lock,
  }: {
    readonly connection: Connection;
    readonly prunedKinds: PrunedKinds;
    readonly lock: Lock;
  },
): Promise<PrunedKinds | undefined> {
  const rows = kinds.map(({ kind, items }) => ({
    prunedKind: kind,
    label: kindLabels[kind](),
    description: String(items.length),
    detail: toPlainText(formatNames(items, lock)),
    picked: prunedKinds.has(kind),
  }));
  const picked = await vscode.window.showQuickPick(rows, {
    canPickMany: true,
    title: t('Include Deletions'),
    placeHolder: toPlainText(
      t('Select what to delete on {0}. Nothing is deleted until you apply.', connection.name),
    ),
  });
  return picked === undefined || picked.length + prunedKinds.size === 0
    ? undefined
    : new Set(picked.map(({ prunedKind }) => prunedKind));
}

/** Names the first items. Those that no pull has seen come first, because nobody has deleted them in the project. */
function formatNames(items: readonly ExtraItem[], lock: Lock): string {
  const isPulled = (item: ExtraItem): boolean => wasPulled(lock, item);
  const [pulled, others] = [items.filter(isPulled), items.filter((item) => !isPulled(item))];
  const names = [
    ...others.map((item) => t('{0} (never pulled)', getName(item))),
    ...pulled.map(getName),
  ].slice(0, maxNames);
  const otherCount = items.length - names.length;
  return [...names, ...(otherCount === 0 ? [] : [t('and {0} more', otherCount)])].join(', ');
}

const getName = ({ key, column }: ExtraItem): string =>
  column === undefined ? getItemName(key) : `${getItemName(key)}.${column}`;
