import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { historyCsv } from '../../builds/exportHistory.ts';
import { type HistoryGroup, historyGroups } from '../../builds/historyGroups.ts';
import type { PastBuild } from '../../builds/pastBuild.ts';
import { showInformation } from '../../platform/messages.ts';
import { clockTime, took } from './buildWords.ts';
import type { BuildsDeps } from './deps.ts';
import { type HistoryWords, historyPage } from './historyPage.ts';

/** Shows the builds that this machine remembers, with a chart of durations for each datamodel and type. */
export async function showHistory(deps: BuildsDeps): Promise<void> {
  const { history } = await deps.builds.load();
  const words = historyWords(deps);
  const panel = vscode.window.createWebviewPanel(
    'datamodelStudio.buildHistory',
    words.title,
    vscode.ViewColumn.Active,
    {
      enableScripts: false,
      enableForms: false,
      localResourceRoots: [],
      enableCommandUris: ['datamodelStudio.builds.exportHistory'],
    },
  );
  panel.iconPath = new vscode.ThemeIcon('graph');
  const draw = async (): Promise<void> => {
    const groups = historyGroups(await history.all());
    const nonce = randomBytes(16).toString('base64');
    panel.webview.html = historyPage(groups, words, { nonce, language: vscode.env.language });
  };
  const changes = history.onDidChange(() => {
    draw().catch((error: unknown) => {
      // What is shown stays.
      deps.log.warn('builds', 'The history could not be drawn anew', { reason: String(error) });
    });
  });
  panel.onDidDispose(() => changes.dispose());
  await draw();
}

/** Writes the history to a file: a table for a spreadsheet, or JSON. */
export async function exportHistory(deps: BuildsDeps): Promise<void> {
  const { history } = await deps.builds.load();
  const all = await history.all();
  if (all.length === 0) {
    await showInformation(vscode.l10n.t('There is no build to export yet.'));
    return;
  }
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const name = 'datamodel-builds.csv';
  const uri = await vscode.window.showSaveDialog({
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder.uri, name) }),
    filters: { [vscode.l10n.t('Table')]: ['csv'], JSON: ['json'] },
    title: vscode.l10n.t('Export the history of builds'),
  });
  if (uri === undefined) {
    return;
  }
  const connectionName = (id: string): string => deps.connections.find(id)?.name ?? id;
  const text = uri.path.toLowerCase().endsWith('.json')
    ? `${JSON.stringify(
        all.map((build) => ({ ...build, connection: connectionName(build.connectionId) })),
        undefined,
        2,
      )}\n`
    : historyCsv(all, connectionName);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const open = vscode.l10n.t('Open');
  const exported =
    all.length === 1
      ? vscode.l10n.t('One build was exported.')
      : vscode.l10n.t('{0} builds were exported.', all.length);
  if ((await showInformation(exported, open)) === open) {
    await vscode.window.showTextDocument(uri);
  }
}

function historyWords({ connections }: BuildsDeps): HistoryWords {
  const t = vscode.l10n.t;
  const time = (value: number | undefined): string => (value === undefined ? t('unknown') : took(value));
  return {
    title: t('Build History'),
    empty: t('No build has ended yet. What is built from now on is kept here, on this machine.'),
    exportLink: t('Export…'),
    connection: (id) => connections.find(id)?.name ?? id,
    type: (group) => typeText(group),
    summary: (group) => summaryText(group, time),
    build: (build) => `${clockTime(build.ended)}: ${outcomeText(build)}, ${time(build.durationMs)}`,
    outcome: outcomeText,
    time: clockTime,
    duration: time,
    columns: [t('Ended'), t('Outcome'), t('Duration'), t('Reason')],
    details: t('As a table'),
  };
}

function typeText({ buildType, isSample }: HistoryGroup): string {
  const t = vscode.l10n.t;
  const names: Readonly<Record<string, string>> = {
    full: t('full'),
    by_table: t('by table'),
    schema_changes: t('schema changes'),
    publish: t('publish'),
  };
  const name = buildType === undefined ? t('type unknown') : (names[buildType] ?? buildType);
  return isSample ? t('{0}, sample', name) : name;
}

function summaryText(group: HistoryGroup, time: (value: number | undefined) => string): string {
  const t = vscode.l10n.t;
  const counts =
    group.count === 1
      ? t('1 build, {0} failed', group.failed)
      : t('{0} builds, {1} failed', group.count, group.failed);
  return group.medianMs === undefined
    ? t('{0}; how long they take is not known yet', counts)
    : t('{0}; usually {1}, at most {2}', counts, time(group.medianMs), time(group.longestMs));
}

function outcomeText({ outcome }: PastBuild): string {
  const t = vscode.l10n.t;
  const names: Readonly<Record<PastBuild['outcome'], string>> = {
    done: t('done'),
    failed: t('failed'),
    cancelled: t('cancelled'),
    gone: t('gone, its end unknown'),
  };
  return names[outcome];
}
