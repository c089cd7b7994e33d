import * as vscode from 'vscode';
import { settingsPrefix } from '../../contributions.ts';
import { formatIssueReport, type IssueReportLabels } from '../../connections/report/issueReport.ts';
import type { StartFeatureDeps } from './deps.ts';
import { showInformation } from '../../platform/messages.ts';

const t = vscode.l10n.t;

/**
 * Shows a report with data that helps to understand an issue. Nothing is copied or passed on before the user has seen
 * it and confirmed; the user may edit the report first.
 */
export async function reportIssue(deps: StartFeatureDeps): Promise<void> {
  const content = formatIssueReport(
    {
      versions: getVersions(deps),
      changedSettings: getChangedSettings(deps),
      connections: deps.connections.all,
      problems: deps.log.recent,
    },
    createDiagnosticsLabels(),
  );
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { preview: false });
  const copyLabel = t('Copy');
  const openReporterLabel = t('Open Issue Reporter');
  const choice = await showInformation(
    t('Review the report and describe what happened. Then copy it or open the issue reporter.'),
    copyLabel,
    openReporterLabel,
  );
  // A closed document still returns its last content.
  if (choice === copyLabel) {
    await vscode.env.clipboard.writeText(document.getText());
  } else if (choice === openReporterLabel) {
    await vscode.commands.executeCommand('workbench.action.openIssueReporter', {
      extensionId: deps.extension.id,
      issueBody: document.getText(),
    });
  }
}

function getVersions({ extension }: StartFeatureDeps): Readonly<Record<string, string>> {
  const { version } = extension.packageJSON as { readonly version: string };
  return {
    [t('Extension')]: version,
    [vscode.env.appName]: vscode.version,
    [t('Platform')]: `${process.platform} ${process.arch}, Node ${process.versions.node}`,
    [t('Window')]: [
      vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop',
      vscode.env.remoteName === undefined ? 'local' : 'remote',
      vscode.workspace.isTrusted ? 'trusted' : 'restricted',
    ].join(', '),
    [t('Language')]: vscode.env.language,
  };
}

/**
 * Returns the names of the extension's settings that differ from their defaults. Values are left out, since they may
 * contain paths or addresses.
 */
function getChangedSettings({ extension }: StartFeatureDeps): readonly string[] {
  const { contributes } = extension.packageJSON as {
    readonly contributes: {
      readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
    };
  };
  const configuration = vscode.workspace.getConfiguration();
  return Object.keys(contributes.configuration.properties)
    .filter((name) => name.startsWith(`${settingsPrefix}.`))
    .filter((name) => {
      const inspection = configuration.inspect(name);
      return [inspection?.globalValue, inspection?.workspaceValue, inspection?.workspaceFolderValue].some(
        (value) => value !== undefined,
      );
    });
}

const createDiagnosticsLabels = (): IssueReportLabels => ({
  title: t('Issue with Datamodel Studio'),
  questions: [t('What I did:'), t('What I expected:'), t('What happened instead:')].join('\n\n'),
  note: t(
    'Datamodel Studio collected the following information. It contains no addresses, tokens, or names from an instance or workspace.',
  ),
  versions: t('Versions'),
  connections: t('Connections'),
  settings: t('Changed settings'),
  problems: t('Recent problems by kind'),
  none: t('None.'),
});
