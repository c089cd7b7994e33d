import * as vscode from 'vscode';
import type { Build } from '../../builds/build.ts';
import type { BuildTarget, DatamodelTarget } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import { plainText } from '../../platform/plainText.ts';
import { buildTitle, phaseText } from './buildWords.ts';
import type { BuildsDeps } from './deps.ts';

/** Cancels one build: the given one, the only one, or the one that is picked. */
export async function cancelBuild(deps: BuildsDeps, target?: BuildTarget): Promise<void> {
  const build =
    target === undefined ? await pickRunning(deps) : deps.builds.find(target.connectionId, target.oid);
  if (build !== undefined) {
    await deps.builds.cancel(build);
  }
}

/** Cancels every build of a datamodel, also those that were started elsewhere. */
export async function cancelAllBuilds(deps: BuildsDeps, target?: DatamodelTarget): Promise<void> {
  if (target !== undefined) {
    await deps.builds.cancelAll(target.connectionId, target.datamodelId);
    return;
  }
  const build = await pickRunning(deps);
  if (build?.datamodelId !== undefined) {
    await deps.builds.cancelAll(build.connectionId, build.datamodelId);
  }
}

async function pickRunning(deps: BuildsDeps): Promise<Build | undefined> {
  const running = deps.builds.running;
  if (running.length === 0) {
    await showInformation(vscode.l10n.t('No build is running.'));
    return undefined;
  }
  const now = deps.clock.now();
  const picked = await vscode.window.showQuickPick(
    running.map((build) => ({
      label: plainText(buildTitle(build)),
      description: plainText(phaseText(build, now)),
      build,
    })),
    { title: vscode.l10n.t('Cancel a build'), placeHolder: vscode.l10n.t('Choose a build') },
  );
  return picked?.build;
}
