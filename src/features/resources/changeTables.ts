import * as vscode from 'vscode';
import {
  type AccumulationInput,
  type BuildPreset,
  buildBehaviour,
  hideColumns,
  hideTable,
  presetOf,
  setBuildBehaviour,
} from '../../changes/operations/tableActions.ts';
import type { TableIds } from '../../changes/model/tableWrites.ts';
import { columnType } from '../../contract/terms.ts';
import { columnName, tableName } from '../../contract/table.ts';
import type { TreeTarget } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import { resourceTarget } from '../../platform/treeTarget.ts';
import { choiceStep, textStep } from '../../platform/wizard.ts';
import { runWizard, when } from '../../platform/wizardSteps.ts';
import { chooseTable } from './choose.ts';
import type { ResourcesDeps } from './deps.ts';
import { columnsByTable } from './columnsByTable.ts';
import { readTable } from './readTable.ts';

const t = vscode.l10n.t;

/** Hides or shows tables and columns; the columns of one table go in one request. */
export async function hide(
  deps: ResourcesDeps,
  nodes: readonly TreeTarget[],
  hidden: boolean,
): Promise<void> {
  const targets = nodes
    .flatMap((node) => resourceTarget(node) ?? [])
    .filter(({ resource: { kind } }) => kind === 'table' || kind === 'column');
  if (targets.length === 0) {
    await showInformation(
      hidden
        ? t('Choose tables or columns in the explorer to hide them.')
        : t('Choose hidden tables or columns in the explorer to show them.'),
    );
    return;
  }
  for (const target of targets) {
    const { resource, connectionId, within, name } = target;
    if (resource.kind === 'table') {
      await deps.performer.perform(hideTable({ connectionId, within }, resource, name, hidden));
    }
  }
  for (const columns of columnsByTable(targets)) {
    const [{ connectionId, ids, within }] = columns;
    const document = await readTable(deps, connectionId, ids);
    const place = { connectionId, within: within.slice(0, -1) };
    const columnIds = columns.map(({ columnId }) => columnId);
    await deps.performer.perform(hideColumns(place, ids, document, columnIds, hidden));
  }
}

interface BehaviourForm {
  readonly preset: BuildPreset;
  readonly columnId: string;
  readonly lastDays: string;
  readonly keepOnlyDays: string;
}

/** Asks how a table is built, in the words of the platform (platform-facts 2.4). */
export async function chooseBuildBehaviour(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const chosen = await chooseTable(deps, t('Build Behaviour'), node);
  if (chosen === undefined) {
    return;
  }
  const { place, table, tableIds } = chosen;
  const title = t('Build Behaviour of {0}', tableName(table));
  const isIncremental = ({ preset }: BehaviourForm): boolean => preset === 'incremental';
  const columns = (table.columns ?? []).filter(({ oid }) => oid);
  const days = (prompt: string) => ({
    title,
    prompt,
    problem: (value: string) =>
      /^\s*\d*\s*$/.test(value) ? undefined : t('Enter a whole number of days, or nothing.'),
  });
  const form = await runWizard<BehaviourForm>(
    [
      choiceStep<'preset', BehaviourForm>('preset', () => ({
        title,
        placeholder: t('What does a build by table do with the rows that are there?'),
        items: [
          { label: t('Replace'), description: t('all rows, at every build'), value: 'replace' },
          {
            label: t('Replace only when changed'),
            description: t('all rows, when the table was changed'),
            value: 'replace-changed',
          },
          { label: t('Append'), description: t('keep all rows, add what the source has'), value: 'append' },
          {
            label: t('Incremental…'),
            description: t('add the rows behind the last stored value of a column'),
            value: 'incremental',
          },
        ],
      })),
      when(
        isIncremental,
        choiceStep('columnId', () => ({
          title,
          placeholder: t('Column that tells new rows'),
          items: columns.map((column) => ({
            label: columnName(column),
            description: columnType(column.type)?.name ?? '',
            value: column.oid ?? '',
          })),
        })),
      ),
      when(
        isIncremental,
        textStep('lastDays', () => days(t('Read the last days again: how many? Empty for none'))),
      ),
      when(
        isIncremental,
        textStep('keepOnlyDays', () =>
          days(t('Drop rows that are older than this many days; empty keeps all')),
        ),
      ),
    ],
    {
      preset: presetOf(await behaviourOf(deps, place.connectionId, tableIds)) ?? 'replace',
      columnId: '',
      lastDays: '',
      keepOnlyDays: '',
    },
  );
  if (form !== undefined) {
    const behaviour = buildBehaviour(form.preset, accumulationOf(form));
    await deps.performer.perform(setBuildBehaviour(place, tableIds, tableName(table), behaviour));
  }
}

const behaviourOf = async (deps: ResourcesDeps, connectionId: string, ids: TableIds) =>
  (await readTable(deps, connectionId, ids))['buildBehavior'];

const accumulationOf = ({ columnId, lastDays, keepOnlyDays }: BehaviourForm): AccumulationInput => ({
  columnId,
  lastDays: numberIn(lastDays),
  keepOnlyDays: numberIn(keepOnlyDays),
});

const numberIn = (text: string): number | null => (text.trim() === '' ? null : Number(text));
