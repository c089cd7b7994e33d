import * as vscode from 'vscode';
import { formatMessage } from '../../base/localize.ts';
import type { StartBuildRequest } from '../../builds/build.ts';
import { findUnfinishedDatamodelChange } from '../../changes/run/heldBuilds.ts';
import { showModalQuestion } from '../../platform/messages.ts';
import type { BuildsDeps } from './deps.ts';

/** The parts of a build request that determine whether an unfinished change should end before the build. */
interface HoldableBuild extends Pick<StartBuildRequest, 'connectionId' | 'datamodelId'> {
  readonly title: string;
  readonly schemaOrigin?: StartBuildRequest['schemaOrigin'] | undefined;
}

/**
 * Returns why a datamodel should not be built now: a change of its tables and relations was interrupted, or is being
 * made on the command line. `undefined` if there is no such change, or if the build uses the schema of the last build.
 */
export async function describeHeldBuild(
  { changeServices }: Pick<BuildsDeps, 'changeServices'>,
  { connectionId, datamodelId, title, schemaOrigin }: HoldableBuild,
): Promise<string | undefined> {
  if (schemaOrigin === 'running') {
    return undefined;
  }
  const { history } = await changeServices();
  const error = await findUnfinishedDatamodelChange(history, connectionId, { oid: datamodelId, title });
  return (
    error &&
    [
      formatMessage(vscode.l10n.t, error.userMessage),
      vscode.l10n.t(
        'Until then, relations of {0} might be missing, and after a build, rules might not restrict all of its tables.',
        title,
      ),
    ].join(' ')
  );
}

/**
 * Asks whether to build a datamodel although a change of its tables and relations is unfinished; returns true without
 * asking if there is no such change. Returns false if the user cancels or opens the history.
 */
export async function confirmBuildDuringChange(deps: BuildsDeps, build: HoldableBuild): Promise<boolean> {
  const reason = await describeHeldBuild(deps, build);
  if (reason === undefined) {
    return true;
  }
  const [historyLabel, buildLabel] = [vscode.l10n.t('Show History'), vscode.l10n.t('Build Anyway')];
  const question = vscode.l10n.t('Build {0} before the change is finished?', build.title);
  const choice = await showModalQuestion(question, reason, historyLabel, buildLabel);
  if (choice === historyLabel) {
    await vscode.commands.executeCommand('datamodelStudio.history.focus');
  }
  return choice === buildLabel;
}
