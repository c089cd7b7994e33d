import * as vscode from 'vscode';
import { sortByName } from '../../catalog/naturalOrder.ts';
import { type BuildPreset, getBuildPreset } from '../../changes/operations/tableActions.ts';
import { type Dataset, getDatasetName } from '../../contract/datamodel.ts';
import { type Table, getTableName } from '../../contract/table.ts';
import type { DatamodelTarget } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getUnreadableMessages } from '../../platform/unreadableMessages.ts';
import type { BuildsDeps } from './deps.ts';
import { describeIncrement } from './describeIncrement.ts';
import { describeRowLimit } from './rowLimit.ts';

const t = vscode.l10n.t;

interface ListedTable {
  readonly table: Table;
  readonly dataset: Dataset;
  readonly preset: BuildPreset | 'other';
}

type SettingsItem = vscode.QuickPickItem & { readonly build?: true; readonly table?: ListedTable };

/**
 * Shows what a build by table does with each table, and asks whether to build. Selecting a table edits its build
 * settings instead of building. Returns false if nothing is to be built.
 * @param rowLimit the row limit of the build; 0 for none
 */
export async function confirmTableSettings(
  deps: BuildsDeps,
  target: DatamodelTarget,
  rowLimit: number,
): Promise<boolean> {
  const { connectionId, datamodelId, title } = target;
  const { tables, notes } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t('Loading build settings…') },
    () => loadTables(deps, target),
  );
  const selectedItem = await vscode.window.showQuickPick<SettingsItem>(createItems(tables, notes, rowLimit), {
    title: t('Build {0} by Table', toPlainText(title)),
    placeHolder: t('Select Build to start, or a table to change its build settings'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (selectedItem?.table !== undefined) {
    const { table, dataset } = selectedItem.table;
    const datamodelNode = {
      connectionId,
      resource: { kind: 'datamodel', datamodelId },
      name: title,
    } as const;
    const datasetIds = { datamodelId, datasetId: dataset.oid };
    await runCommand('datamodelStudio.resources.buildBehaviour', {
      connectionId,
      resource: { kind: 'table', ...datasetIds, tableId: table.oid },
      name: getTableName(table),
      parent: {
        connectionId,
        resource: { kind: 'dataset', ...datasetIds },
        name: getDatasetName(dataset) ?? dataset.oid,
        parent: datamodelNode,
      },
    });
  }
  return selectedItem?.build === true;
}

/** Loads all tables as they are on the server now: another user may have changed their settings. */
async function loadTables({ sessions }: BuildsDeps, { connectionId, datamodelId }: DatamodelTarget) {
  const { partial } = (await sessions.get(connectionId)).catalog.createEmptyCopy();
  const datasets = await partial.datasets(datamodelId);
  const lists = await Promise.all(
    datasets.value.map(async (dataset) => ({
      dataset,
      result: await partial.tables(datamodelId, dataset.oid),
    })),
  );
  return {
    tables: lists.flatMap(({ dataset, result }) =>
      result.value.map(
        (table): ListedTable => ({
          table,
          dataset,
          preset: getBuildPreset(table.buildBehavior) ?? 'other',
        }),
      ),
    ),
    // Tables that came with their datasets are reported with both.
    notes: [
      ...new Set(
        [datasets, ...lists.map(({ result }) => result)].flatMap((list) => getUnreadableMessages(list)),
      ),
    ],
  };
}

function createItems(
  tables: readonly ListedTable[],
  notes: readonly string[],
  rowLimit: number,
): readonly SettingsItem[] {
  const sortedTables = sortByName(tables, ({ table }) => getTableName(table));
  const build: SettingsItem = {
    label: t('Build'),
    iconPath: new vscode.ThemeIcon('play'),
    description: [
      tables.length === 1 ? t('1 table') : t('{0} tables', tables.length),
      ...(rowLimit > 0 ? [describeRowLimit(rowLimit)] : []),
    ].join(' · '),
    ...(notes.length === 0 ? {} : { detail: toPlainText(notes.join(' ')) }),
    build: true,
  };
  return [
    build,
    ...presetOrder.flatMap((preset): readonly SettingsItem[] => {
      const group = sortedTables.filter((listed) => listed.preset === preset);
      return group.length === 0
        ? []
        : [
            { label: presetLabels[preset](), kind: vscode.QuickPickItemKind.Separator },
            ...group.map((listed) => ({
              label: toPlainText(getTableName(listed.table)),
              description: toPlainText(describeSettings(listed)),
              table: listed,
            })),
          ];
    }),
  ];
}

/** The tables that keep rows come first: a full build treats them differently. */
const presetOrder: readonly (BuildPreset | 'other')[] = [
  'incremental',
  'append',
  'replace-changed',
  'other',
  'replace',
];

const presetLabels: Readonly<Record<BuildPreset | 'other', () => string>> = {
  incremental: () => t('Incremental'),
  append: () => t('Append'),
  'replace-changed': () => t('Replace only when changed'),
  replace: () => t('Replace'),
  other: () => t('Other settings'),
};

/** Describes what a build by table does with the rows of a table (platform-facts.md, 2.4). */
function describeSettings({ table, preset }: ListedTable): string {
  switch (preset) {
    case 'replace':
      return t('replaces all rows');
    case 'replace-changed':
      return t('replaces all rows if the table has changed');
    case 'append':
      return t('keeps all rows and adds the rows from the source');
    case 'incremental':
      return describeIncrement(table, t);
    case 'other': {
      const type = table.buildBehavior?.type;
      return type === undefined ? t('has no build settings') : t('unknown build setting: {0}', type);
    }
  }
}
