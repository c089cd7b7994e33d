import * as vscode from 'vscode';
import type { Build } from '../../builds/build.ts';
import type { BuildTarget, DatamodelTarget } from '../../contributions.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getBuildTitle, describePhase } from './buildLabels.ts';
import type { BuildsDeps } from './deps.ts';

/** Cancels a build, which the user picks if none was passed. */
export async function cancelBuild(deps: BuildsDeps, target?: BuildTarget): Promise<void> {
  const build =
    target ??
    (await pickRunningBuild(deps, {
      title: vscode.l10n.t('Cancel Build'),
      placeHolder: vscode.l10n.t('Select the build to cancel'),
    }));
  if (build !== undefined && (await ensureWritable(deps, build.connectionId))) {
    await deps.buildMonitor.cancel(build);
  }
}

/** Cancels all builds of a datamodel, including those that were started elsewhere. */
export async function cancelAllBuilds(
  deps: BuildsDeps,
  target?: DatamodelTarget | BuildTarget,
): Promise<void> {
  if (target !== undefined && 'datamodelId' in target) {
    if (await ensureWritable(deps, target.connectionId)) {
      await deps.buildMonitor.cancelAll(target.connectionId, target.datamodelId);
    }
    return;
  }
  const build =
    target === undefined
      ? await pickRunningBuild(deps, {
          title: vscode.l10n.t('Cancel All Builds of Datamodel'),
          placeHolder: vscode.l10n.t('Select a build to cancel all builds of its datamodel'),
        })
      : deps.buildMonitor.find(target.connectionId, target.oid);
  if (build === undefined || !(await ensureWritable(deps, build.connectionId))) {
    return;
  }
  if (build.datamodelId !== undefined) {
    await deps.buildMonitor.cancelAll(build.connectionId, build.datamodelId);
  } else {
    await confirmAndCancel(deps, build);
  }
}

/**
 * Offers to cancel only this build. Canceling all builds of a datamodel requires its ID (rest-api.md, "Build API"),
 * which this build task does not contain.
 */
async function confirmAndCancel(deps: BuildsDeps, build: Build): Promise<void> {
  const cancelLabel = vscode.l10n.t('Cancel This Build');
  const text = vscode.l10n.t(
    "The server doesn't report the datamodel of build {0}, so its other builds weren't canceled.",
    getBuildTitle(build),
  );
  if ((await showWarning(text, cancelLabel)) === cancelLabel) {
    await deps.buildMonitor.cancel(build);
  }
}

async function pickRunningBuild(
  deps: BuildsDeps,
  pickOptions: { readonly title: string; readonly placeHolder: string },
): Promise<Build | undefined> {
  await deps.buildMonitor.loadBuildWatch();
  const running = deps.buildMonitor.runningBuilds;
  if (running.length === 0) {
    await showInformation(vscode.l10n.t('No builds are running.'));
    return undefined;
  }
  const now = deps.clock.now();
  const selectedItem = await vscode.window.showQuickPick(
    running.map((build) => ({
      label: toPlainText(getBuildTitle(build)),
      description: toPlainText(describePhase(build, now)),
      detail: toPlainText(deps.connections.find(build.connectionId)?.name ?? ''),
      build,
    })),
    pickOptions,
  );
  return selectedItem?.build;
}
