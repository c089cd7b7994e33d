import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import {
  type DeletableKind,
  type PrunedKinds,
  type SelectedDeletions,
  createServerChangeFinder,
  selectDeletions,
} from '../../project/apply/deletableItems.ts';
import type { ProjectPlan } from '../../project/apply/loadProjectPlan.ts';
import type { ExtraItem } from '../../project/compare/itemChange.ts';
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
 * @param options.plan shows what others have added or changed since the last pull
 * @returns `undefined` if the user cancels, or selects nothing and the plan deletes nothing yet
 */
export async function pickDeletedKinds(
  kinds: readonly DeletableKind[],
  {
    connection,
    prunedKinds,
    plan,
  }: {
    readonly connection: Connection;
    readonly prunedKinds: PrunedKinds;
    readonly plan: ProjectPlan;
  },
): Promise<SelectedDeletions | undefined> {
  const findServerChange = createServerChangeFinder(plan);
  const rows = kinds.map(({ kind, items }) => ({
    prunedKind: kind,
    label: kindLabels[kind](),
    description: String(items.length),
    detail: toPlainText(formatNames(items, findServerChange)),
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
    : selectDeletions(new Set(picked.map(({ prunedKind }) => prunedKind)), kinds);
}

/** Returns the labels of kinds, as the quick pick shows them. */
export const formatDeletedKinds = (kinds: readonly DeletableKind['kind'][]): string =>
  kinds.map((kind) => kindLabels[kind]()).join(', ');

/**
 * Names the first items. Items that others have added or changed since the last pull come first, because the user may
 * not know of them.
 */
function formatNames(
  items: readonly ExtraItem[],
  findServerChange: ReturnType<typeof createServerChangeFinder>,
): string {
  const byState = Map.groupBy(items, findServerChange);
  const names = [
    ...(byState.get('added') ?? []).map((item) => t('{0} (never pulled)', getName(item))),
    ...(byState.get('changed') ?? []).map((item) => t('{0} (changed on the server)', getName(item))),
    ...(byState.get(undefined) ?? []).map(getName),
  ].slice(0, maxNames);
  const otherCount = items.length - names.length;
  return [...names, ...(otherCount === 0 ? [] : [t('and {0} more', otherCount)])].join(', ');
}

/**
 * Returns the name of an item, preceded by its datamodel or cube set: several of them may have an item with the same
 * name.
 */
const getName = ({ key, column }: ExtraItem): string =>
  [
    ...(key.kind === 'datamodel' ? [] : 'datamodel' in key ? [key.datamodel] : []),
    ...('cubeSet' in key ? [key.cubeSet] : []),
    column === undefined ? getItemName(key) : `${getItemName(key)}.${column}`,
  ].join(' › ');
