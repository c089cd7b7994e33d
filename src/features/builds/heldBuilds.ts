import * as vscode from 'vscode';
import { joinNames } from '../../base/joinNames.ts';
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

/** The maximum number of missing relations to name. */
const maxRelations = 10;

/**
 * Returns which relations of a datamodel are missing since a change was abandoned; `undefined` if none, or if the build
 * uses the schema of the last build.
 * @throws ApiError if the datamodel can't be read
 */
export async function describeMissingRelations(
  { changeServices, sessions }: Pick<BuildsDeps, 'changeServices' | 'sessions'>,
  { connectionId, datamodelId, title, schemaOrigin }: HoldableBuild,
): Promise<string | undefined> {
  if (schemaOrigin === 'running') {
    return undefined;
  }
  const { history } = await changeServices();
  const { findAbandonedRelations } = await import('../../changes/run/abandonedRelations.ts');
  const found = await findAbandonedRelations(history, connectionId, { oid: datamodelId, title }, async () => {
    const { readCompleteDatamodel } = await import('../../changes/model/readCompleteDatamodel.ts');
    return readCompleteDatamodel((await sessions.get(connectionId)).client, datamodelId);
  });
  const relations = [...new Set(found.flatMap((change) => change.relations))];
  return relations.length === 0
    ? undefined
    : vscode.l10n.t(
        'Since a change was abandoned, relations of {0} are missing, so after a build, rules might not restrict all of its tables: {1}.',
        title,
        joinNames(relations, vscode.l10n.t, maxRelations),
      );
}

/**
 * Asks whether to build a datamodel although a change of its tables and relations is unfinished, or has left relations
 * missing; returns true without asking if there is no such change. Returns false if the user cancels or opens the
 * history.
 * @throws ApiError if it can't be determined whether relations are missing
 */
export async function confirmBuildDuringChange(deps: BuildsDeps, build: HoldableBuild): Promise<boolean> {
  const heldReason = await describeHeldBuild(deps, build);
  const reason = heldReason ?? (await describeMissingRelations(deps, build));
  if (reason === undefined) {
    return true;
  }
  const [historyLabel, buildLabel] = [vscode.l10n.t('Show History'), vscode.l10n.t('Build Anyway')];
  const question =
    heldReason === undefined
      ? vscode.l10n.t('Build {0} although relations are missing?', build.title)
      : vscode.l10n.t('Build {0} before the change is finished?', build.title);
  const choice = await showModalQuestion(question, reason, historyLabel, buildLabel);
  if (choice === historyLabel) {
    await vscode.commands.executeCommand('datamodelStudio.history.focus');
  }
  return choice === buildLabel;
}
