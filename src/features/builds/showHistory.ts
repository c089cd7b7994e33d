import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { formatHistoryCsv } from '../../builds/historyCsv.ts';
import { type HistoryGroup, groupHistory } from '../../builds/historyGroups.ts';
import type { PastBuild } from '../../builds/pastBuild.ts';
import { showInformation } from '../../platform/messages.ts';
import { formatEventTime, formatFinalDuration } from './buildLabels.ts';
import type { BuildsDeps } from './deps.ts';
import { type HistoryLabels, renderHistoryPage } from './historyPage.ts';
import { getBuildTypeLabel } from '../../platform/buildTexts.ts';

/** Shows the build history of this machine, with a chart of durations for each datamodel and build type. */
export async function showHistory(deps: BuildsDeps): Promise<void> {
  const { history } = await deps.buildMonitor.loadBuildWatch();
  const labels = createHistoryLabels(deps);
  const panel = vscode.window.createWebviewPanel(
    'datamodelStudio.buildHistory',
    labels.title,
    vscode.ViewColumn.Active,
    {
      enableScripts: false,
      enableForms: false,
      localResourceRoots: [],
      enableCommandUris: ['datamodelStudio.builds.exportHistory'],
    },
  );
  panel.iconPath = new vscode.ThemeIcon('graph');
  const render = async (): Promise<void> => {
    const groups = groupHistory(await history.readAndTrim());
    const nonce = randomBytes(16).toString('base64');
    panel.webview.html = renderHistoryPage(groups, labels, { nonce, language: vscode.env.language });
  };
  const subscription = history.onDidChange(() => {
    render().catch((error: unknown) => {
      // The page keeps its current content.
      deps.log.warn('builds', 'The history could not be refreshed', { reason: String(error) });
    });
  });
  panel.onDidDispose(() => subscription.dispose());
  await render();
}

/** Exports the build history to a CSV or JSON file. */
export async function exportHistory(deps: BuildsDeps): Promise<void> {
  const { history } = await deps.buildMonitor.loadBuildWatch();
  const builds = await history.readAndTrim();
  if (builds.length === 0) {
    await showInformation(vscode.l10n.t('No builds to export.'));
    return;
  }
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const name = 'datamodel-builds.csv';
  const uri = await vscode.window.showSaveDialog({
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder.uri, name) }),
    filters: { [vscode.l10n.t('CSV')]: ['csv'], JSON: ['json'] },
    title: vscode.l10n.t('Export Build History'),
  });
  if (uri === undefined) {
    return;
  }
  const getConnectionName = (id: string): string => deps.connections.find(id)?.name ?? id;
  const text = uri.path.toLowerCase().endsWith('.json')
    ? `${JSON.stringify(
        builds.map((build) => ({ ...build, connection: getConnectionName(build.connectionId) })),
        undefined,
        2,
      )}\n`
    : formatHistoryCsv(builds, getConnectionName);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const openFileLabel = vscode.l10n.t('Open');
  const message =
    builds.length === 1
      ? vscode.l10n.t('1 build exported.')
      : vscode.l10n.t('{0} builds exported.', builds.length);
  if ((await showInformation(message, openFileLabel)) === openFileLabel) {
    await vscode.window.showTextDocument(uri);
  }
}

function createHistoryLabels({ connections }: BuildsDeps): HistoryLabels {
  const t = vscode.l10n.t;
  const formatOptionalDuration = (value: number | undefined): string =>
    value === undefined ? t('unknown') : formatFinalDuration(value);
  return {
    title: t('Build History'),
    emptyMessage: t('No builds yet. Completed builds will be listed here and kept on this machine.'),
    exportLink: t('Export…'),
    getConnectionName: (id) => connections.find(id)?.name ?? id,
    formatType: (group) => describeBuildType(group),
    formatSummary: (group) => formatSummary(group, formatOptionalDuration),
    formatBuild: (build) =>
      `${formatEventTime(build.ended)}: ${describeOutcome(build)}, ${formatOptionalDuration(build.durationMs)}`,
    formatOutcome: describeOutcome,
    formatTime: formatEventTime,
    formatDuration: formatOptionalDuration,
    columns: [t('Ended'), t('Outcome'), t('Duration'), t('Reason')],
    details: t('Details'),
  };
}

function describeBuildType({ buildType, isSample }: HistoryGroup): string {
  const t = vscode.l10n.t;
  if (isSample && buildType === 'full') {
    return t('Sample');
  }
  const name = buildType === undefined ? t('unknown type') : getBuildTypeLabel(buildType);
  return isSample ? t('{0}, sample', name) : name;
}

function formatSummary(group: HistoryGroup, formatDuration: (value: number | undefined) => string): string {
  const t = vscode.l10n.t;
  const counts =
    group.count === 1
      ? t('1 build, {0} failed', group.failedCount)
      : t('{0} builds, {1} failed', group.count, group.failedCount);
  return group.medianMs === undefined
    ? t('{0}; duration unknown', counts)
    : t(
        '{0}; usually {1}, at most {2}',
        counts,
        formatDuration(group.medianMs),
        formatDuration(group.longestMs),
      );
}

function describeOutcome({ outcome }: PastBuild): string {
  const t = vscode.l10n.t;
  const names: Readonly<Record<PastBuild['outcome'], string>> = {
    done: t('done'),
    failed: t('failed'),
    cancelled: t('canceled'),
    gone: t('no longer listed, outcome unknown'),
  };
  return names[outcome];
}
