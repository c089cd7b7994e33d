import * as vscode from 'vscode';
import {
  type AccumulationInput,
  type BuildPreset,
  createBuildBehavior,
  createColumnHidingOperation,
  createTableHidingOperation,
  getBuildPreset,
  createBuildBehaviorOperation,
} from '../../changes/operations/tableActions.ts';
import type { TableIds } from '../../changes/model/tableWrites.ts';
import { getDatamodelType } from '../../contract/datamodel.ts';
import { getColumnTypeLabel } from '../../contract/terms.ts';
import { getColumnName, getTableName } from '../../contract/table.ts';
import type { TreeTarget } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { toResourceTarget } from '../../platform/treeTarget.ts';
import { createChoiceStep, createTextStep } from '../../platform/wizard.ts';
import { runWizard, createConditionalStep } from '../../platform/wizardSteps.ts';
import { pickTable } from './pickResource.ts';
import type { ResourcesDeps } from './deps.ts';
import { groupColumnsByTable } from './groupColumnsByTable.ts';
import { fetchTableDocument } from './fetchTableDocument.ts';
import { performUntilCanceled } from './performUntilCanceled.ts';

const t = vscode.l10n.t;

/**
 * Hides or shows tables and columns; the columns of one table are changed in one request. Stops when the user cancels.
 */
export async function setHidden(
  deps: ResourcesDeps,
  nodes: readonly TreeTarget[],
  isHidden: boolean,
): Promise<void> {
  const targets = nodes
    .flatMap((node) => toResourceTarget(node) ?? [])
    .filter(({ resource: { kind } }) => kind === 'table' || kind === 'column');
  if (targets.length === 0) {
    await showInformation(
      isHidden
        ? t('In the Connections view, select the tables or columns to hide.')
        : t('In the Connections view, select the hidden tables or columns to unhide.'),
    );
    return;
  }
  await performUntilCanceled(deps.changeReview, [
    ...targets.flatMap(({ resource, connectionId, within, name }) =>
      resource.kind === 'table'
        ? [() => createTableHidingOperation({ connectionId, within }, resource, name, isHidden)]
        : [],
    ),
    ...groupColumnsByTable(targets).map((selectedColumns) => async () => {
      const [{ connectionId, tableIds, within }] = selectedColumns;
      const document = await fetchTableDocument(deps, connectionId, tableIds);
      const location = { connectionId, within: within.slice(0, -1) };
      const columnIds = selectedColumns.map(({ columnId }) => columnId);
      return createColumnHidingOperation(location, tableIds, document, columnIds, isHidden);
    }),
  ]);
}

interface BuildSettingsForm {
  readonly preset: BuildPreset;
  readonly columnId: string;
  readonly lastDays: string;
  readonly keepOnlyDays: string;
}

/** Asks how a table is built, with the options of the platform (platform-facts.md, 2.4). */
export async function editBuildSettings(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const selection = await pickTable(deps, t('Build Settings'), node);
  if (selection === undefined) {
    return;
  }
  const { datamodel, location, table, tableIds } = selection;
  if (getDatamodelType(datamodel) === 'live') {
    await showInformation(
      t("{0} is a live datamodel: it isn't built, so its tables have no build settings.", datamodel.title),
    );
    return;
  }
  const title = t('Build Settings of {0}', getTableName(table));
  const isIncremental = ({ preset }: BuildSettingsForm): boolean => preset === 'incremental';
  const columns = (table.columns ?? []).filter(({ oid }) => oid);
  const createDaysQuestion = (prompt: string) => ({
    title,
    prompt,
    validate: (value: string) =>
      /^\s*\d*\s*$/.test(value) ? undefined : t('Enter a whole number of days, or leave empty.'),
  });
  const form = await runWizard<BuildSettingsForm>(
    [
      createChoiceStep<'preset', BuildSettingsForm>('preset', () => ({
        title,
        placeholder: t('Select what a By Table build does with existing rows'),
        items: [
          { label: t('Replace'), description: t('all rows, in every build'), value: 'replace' },
          {
            label: t('Replace only when changed'),
            description: t('all rows, if the table has changed'),
            value: 'replace-changed',
          },
          {
            label: t('Append'),
            description: t('keep all rows and add the rows from the source'),
            value: 'append',
          },
          {
            label: t('Incremental…'),
            description: t('add rows after the last stored value of a column'),
            value: 'incremental',
          },
        ],
      })),
      createConditionalStep(
        isIncremental,
        createChoiceStep('columnId', () => ({
          title,
          placeholder: t('Column that identifies new rows'),
          items: columns.map((column) => ({
            label: toPlainText(getColumnName(column)),
            description: getColumnTypeLabel(column.type),
            value: column.oid ?? '',
          })),
        })),
      ),
      createConditionalStep(
        isIncremental,
        createTextStep('lastDays', () =>
          createDaysQuestion(t('Number of recent days to import again (leave empty for none)')),
        ),
      ),
      createConditionalStep(
        isIncremental,
        createTextStep('keepOnlyDays', () =>
          createDaysQuestion(t('Number of days to keep rows (leave empty to keep all)')),
        ),
      ),
    ],
    {
      preset: getBuildPreset(await loadBuildSettings(deps, location.connectionId, tableIds)) ?? 'replace',
      columnId: '',
      lastDays: '',
      keepOnlyDays: '',
    },
  );
  if (form !== undefined) {
    const behavior = createBuildBehavior(form.preset, toAccumulationInput(form));
    await deps.changeReview.perform(
      createBuildBehaviorOperation(location, tableIds, getTableName(table), behavior),
    );
  }
}

const loadBuildSettings = async (deps: ResourcesDeps, connectionId: string, tableIds: TableIds) =>
  (await fetchTableDocument(deps, connectionId, tableIds))['buildBehavior'];

const toAccumulationInput = ({ columnId, lastDays, keepOnlyDays }: BuildSettingsForm): AccumulationInput => ({
  columnId,
  lastDays: parseOptionalNumber(lastDays),
  keepOnlyDays: parseOptionalNumber(keepOnlyDays),
});

const parseOptionalNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text));
