import * as vscode from 'vscode';
import { type Build, hasEnded, isRunning } from '../../builds/build.ts';
import { runCommand } from '../../platform/commands.ts';
import { showError, showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getBuildIconMarkup } from '../../platform/labels.ts';
import { getBuildTitle, formatClockTime, describeFailure, describePhase } from './buildLabels.ts';
import type { BuildsDeps } from './deps.ts';

/** Lists running and recent builds in a quick pick. A running build can be canceled; a failed one shows the reason. */
export async function showBuilds(deps: BuildsDeps): Promise<void> {
  await deps.builds.load();
  const now = deps.clock.now();
  const builds = [...deps.builds.builds].reverse();
  if (builds.length === 0) {
    await showInformation(vscode.l10n.t('No build has run lately.'));
    return;
  }
  const selectedItem = await vscode.window.showQuickPick(
    builds.map((build) => ({
      label: `${getBuildIconMarkup(build.phase)} ${toPlainText(getBuildTitle(build))}`,
      description: deps.connections.find(build.connectionId)?.name ?? '',
      detail: toPlainText(formatState(build, now)),
      build,
    })),
    { title: vscode.l10n.t('Builds'), placeHolder: vscode.l10n.t('Choose a build'), matchOnDetail: true },
  );
  if (selectedItem !== undefined) {
    await showBuildActions(deps, selectedItem.build);
  }
}

/** Formats the state of a build and the time at which it ended, to distinguish builds of the same datamodel. */
const formatState = (build: Build, now: number): string =>
  [
    describePhase(build, now),
    hasEnded(build) && build.ended !== undefined ? formatClockTime(build.ended) : undefined,
  ]
    .filter((text) => text !== undefined)
    .join(' · ');

async function showBuildActions(deps: BuildsDeps, build: Build): Promise<void> {
  const title = getBuildTitle(build);
  if (isRunning(build)) {
    const cancel = vscode.l10n.t('Cancel Build');
    const text = vscode.l10n.t('{0}: {1}', title, describePhase(build, deps.clock.now()));
    if ((await showInformation(text, cancel)) === cancel) {
      await runCommand('datamodelStudio.builds.cancel', build);
    }
    return;
  }
  if (build.phase === 'failed') {
    await showError(vscode.l10n.t('Build of {0} failed: {1}', title, describeFailure(build)));
    return;
  }
  await showInformation(vscode.l10n.t('{0}: {1}', title, describePhase(build, deps.clock.now())));
}
