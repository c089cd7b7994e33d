import * as vscode from 'vscode';
import type { StartBuildRequest } from '../../builds/build.ts';
import type { DatamodelTarget } from '../../contributions.ts';
import { pickDatamodel } from '../../platform/pickDatamodel.ts';
import type { BuildsDeps } from './deps.ts';

type BuildChoice = Pick<StartBuildRequest, 'buildType' | 'schemaOrigin'> & { readonly sample?: true };
type ChoiceItem = vscode.QuickPickItem & { readonly choice?: BuildChoice };

/** Starts a build, after asking for the build type of an extract datamodel. */
export async function startBuild(deps: BuildsDeps, requestedTarget?: DatamodelTarget): Promise<void> {
  const target = requestedTarget ?? (await pickDatamodel(deps, vscode.l10n.t('Build')));
  if (target === undefined) {
    return;
  }
  const choice = target.type === 'live' ? { buildType: 'publish' as const } : await pickChoice(target);
  if (choice === undefined) {
    return;
  }
  const rowLimit = 'sample' in choice ? await promptForRowLimit(target) : 0;
  if (rowLimit === undefined) {
    return;
  }
  await deps.builds.start({
    connectionId: target.connectionId,
    datamodelId: target.datamodelId,
    datamodelTitle: target.title,
    buildType: choice.buildType,
    ...('schemaOrigin' in choice && choice.schemaOrigin ? { schemaOrigin: choice.schemaOrigin } : {}),
    ...(rowLimit > 0 ? { rowLimit } : {}),
  });
}

async function pickChoice(target: DatamodelTarget): Promise<BuildChoice | undefined> {
  const createSeparator = (label: string): ChoiceItem => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  const selectedItem = await vscode.window.showQuickPick<ChoiceItem>(
    [
      createSeparator(vscode.l10n.t('with all changes since the last build')),
      ...getExtractChoices('latest'),
      createSeparator(vscode.l10n.t('with the schema of the last successful build')),
      ...getExtractChoices('running'),
    ],
    {
      title: vscode.l10n.t('Build {0}', target.title),
      placeHolder: vscode.l10n.t('What to build'),
      matchOnDescription: true,
    },
  );
  return selectedItem?.choice;
}

/**
 * Returns the items for the build types of an extract datamodel (rest-api.md, "POST /builds body") with the given
 * schema origin.
 */
function getExtractChoices(schemaOrigin: 'latest' | 'running'): readonly ChoiceItem[] {
  const originLabel = schemaOrigin === 'running' ? vscode.l10n.t('last built schema') : '';
  const appendOrigin = (text: string): string =>
    [text, originLabel].filter((label) => label !== '').join(' · ');
  return [
    {
      label: vscode.l10n.t('Full'),
      description: appendOrigin(vscode.l10n.t('replace all data')),
      choice: { buildType: 'full', schemaOrigin },
    },
    {
      label: vscode.l10n.t('By Table'),
      description: appendOrigin(vscode.l10n.t('each table by its own setting')),
      choice: { buildType: 'by_table', schemaOrigin },
    },
    {
      label: vscode.l10n.t('Schema Changes'),
      description: appendOrigin(vscode.l10n.t('only what was modified')),
      choice: { buildType: 'schema_changes', schemaOrigin },
    },
    {
      label: vscode.l10n.t('Sample…'),
      description: appendOrigin(vscode.l10n.t('the first rows of each source')),
      choice: { buildType: 'full', schemaOrigin, sample: true },
    },
  ];
}

async function promptForRowLimit(target: DatamodelTarget): Promise<number | undefined> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Sample build of {0}', target.title),
    prompt: vscode.l10n.t('Rows to import from each source'),
    value: '1000',
    validateInput: (value) =>
      /^[1-9]\d{0,8}$/.test(value.trim())
        ? undefined
        : vscode.l10n.t('Enter a whole number of rows, 1 or more.'),
  });
  return text === undefined ? undefined : Number(text);
}
