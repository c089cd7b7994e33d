import * as vscode from 'vscode';
import type { StartBuildRequest } from '../../builds/build.ts';
import type { DatamodelTarget } from '../../contributions.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { pickDatamodel } from '../../platform/pickDatamodel.ts';
import { confirmPublish } from './confirmPublish.ts';
import type { BuildsDeps } from './deps.ts';
import { confirmBuildDuringChange } from './heldBuilds.ts';
import { createRowLimitItem, promptForRowLimit, pickWithRowLimit } from './rowLimit.ts';

type BuildChoice = Pick<StartBuildRequest, 'buildType' | 'schemaOrigin' | 'rowLimit'>;
type ExtractChoice = BuildChoice & { readonly sample?: true };
type ChoiceItem = vscode.QuickPickItem & { readonly choice?: ExtractChoice };

/** The kinds of build that have menu items of their own. */
export type BuildKind = 'replaceAll' | 'byTable' | 'changesOnly' | 'sample';

/**
 * Starts a build, or publishes a live datamodel after asking whether to.
 * @param kind how to build; the user is asked if it is left out
 */
export async function startBuild(
  deps: BuildsDeps,
  requestedTarget?: DatamodelTarget,
  kind?: BuildKind,
): Promise<void> {
  const target =
    requestedTarget ?? (await pickDatamodel(deps, vscode.l10n.t('Build'), { selection: deps.selection }));
  if (target === undefined || !(await ensureWritable(deps, target.connectionId))) {
    return;
  }
  const choice =
    target.type === 'live'
      ? await confirmPublishChoice(deps, target)
      : kind === undefined
        ? await pickChoice(target)
        : await promptForKindChoice(target, kind);
  if (choice === undefined || !(await confirmBuildDuringChange(deps, { ...target, ...choice }))) {
    return;
  }
  if (choice.buildType === 'by_table') {
    const { confirmTableSettings } = await import('./confirmTableSettings.ts');
    if (!(await confirmTableSettings(deps, target, choice.rowLimit ?? 0))) {
      return;
    }
  }
  await deps.buildMonitor.start({
    connectionId: target.connectionId,
    datamodelId: target.datamodelId,
    datamodelTitle: target.title,
    ...choice,
  });
}

const confirmPublishChoice = async (
  deps: BuildsDeps,
  { connectionId, title }: DatamodelTarget,
): Promise<BuildChoice | undefined> =>
  (await confirmPublish(deps, connectionId, [title])) ? { buildType: 'publish' } : undefined;

/**
 * Returns the request options for a kind of build, using the latest schema. For a sample, asks for the number of rows.
 */
async function promptForKindChoice(
  target: DatamodelTarget,
  kind: BuildKind,
): Promise<BuildChoice | undefined> {
  const rowLimit = kind === 'sample' ? await promptForSampleSize(target) : 0;
  return rowLimit === undefined
    ? undefined
    : { buildType: buildTypesByKind[kind], schemaOrigin: 'latest', ...(rowLimit > 0 ? { rowLimit } : {}) };
}

const buildTypesByKind = {
  replaceAll: 'full',
  byTable: 'by_table',
  changesOnly: 'schema_changes',
  sample: 'full',
} as const satisfies Readonly<Record<BuildKind, BuildChoice['buildType']>>;

/** Asks how to build an extract datamodel. The row limit is asked for on request; it applies to every build type. */
async function pickChoice(target: DatamodelTarget): Promise<BuildChoice | undefined> {
  const result = await pickWithRowLimit(target.title, (rowLimit) => pickFromList(target, rowLimit));
  if (result === undefined) {
    return undefined;
  }
  const { sample, ...choice } = result.choice;
  const rowLimit = sample === true ? await promptForSampleSize(target) : result.rowLimit;
  return rowLimit === undefined ? undefined : { ...choice, ...(rowLimit > 0 ? { rowLimit } : {}) };
}

async function pickFromList(
  target: DatamodelTarget,
  rowLimit: number,
): Promise<ExtractChoice | 'row-limit' | undefined> {
  const createSeparator = (label: string): ChoiceItem => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  const rowLimitItem: ChoiceItem = createRowLimitItem(rowLimit);
  const selectedItem = await vscode.window.showQuickPick<ChoiceItem>(
    [
      createSeparator(vscode.l10n.t('with all changes since the last build')),
      ...getExtractChoices('latest', rowLimit),
      createSeparator(vscode.l10n.t('with the schema of the last successful build')),
      ...getExtractChoices('running', rowLimit),
      createSeparator(vscode.l10n.t('options')),
      rowLimitItem,
    ],
    {
      title: vscode.l10n.t('Build {0}', target.title),
      placeHolder: vscode.l10n.t('Select a build type'),
      matchOnDescription: true,
    },
  );
  return selectedItem === rowLimitItem ? 'row-limit' : selectedItem?.choice;
}

/**
 * Returns the items for the build types of an extract datamodel (rest-api.md, "POST /builds body") with the given
 * schema origin.
 */
function getExtractChoices(schemaOrigin: 'latest' | 'running', rowLimit: number): readonly ChoiceItem[] {
  const originLabel = schemaOrigin === 'running' ? vscode.l10n.t('last built schema') : '';
  const appendOrigin = (text: string): string =>
    [text, originLabel].filter((label) => label !== '').join(' · ');
  return [
    {
      label: vscode.l10n.t('Replace All'),
      description: appendOrigin(vscode.l10n.t('import all data again')),
      choice: { buildType: 'full', schemaOrigin },
    },
    {
      label: vscode.l10n.t('By Table'),
      description: appendOrigin(vscode.l10n.t('use the build settings of each table')),
      choice: { buildType: 'by_table', schemaOrigin },
    },
    {
      label: vscode.l10n.t('Changes Only'),
      description: appendOrigin(vscode.l10n.t('build only what has changed')),
      choice: { buildType: 'schema_changes', schemaOrigin },
    },
    // With a row limit, Replace All is a sample.
    ...(rowLimit > 0
      ? []
      : [
          {
            label: vscode.l10n.t('Sample…'),
            description: appendOrigin(vscode.l10n.t('import the first rows from each source')),
            choice: { buildType: 'full', schemaOrigin, sample: true } as const,
          },
        ]),
  ];
}

/** Asks for the number of rows of a sample, which is required. */
const promptForSampleSize = (target: DatamodelTarget): Promise<number | undefined> =>
  promptForRowLimit({
    title: vscode.l10n.t('Sample Build of {0}', target.title),
    prompt: vscode.l10n.t('Rows to import from each source'),
    value: 1000,
    isRequired: true,
  });
