import * as vscode from 'vscode';
import type { Build } from '../../builds/build.ts';
import { buildTypes, schemaOrigins } from '../../contract/terms.ts';
import { getDatamodelType } from '../../contract/datamodel.ts';
import { type BuildTarget, schemes } from '../../contributions.ts';
import { readDocumentPath } from '../../documents/documentAddress.ts';
import { runCommand } from '../../platform/commands.ts';
import { showInformation } from '../../platform/messages.ts';
import { getBuildTitle } from './buildLabels.ts';
import type { BuildsDeps } from './deps.ts';
import { type FailedTable, findFailedTable } from './findFailedTable.ts';
import { getFailureRange, getFailureReason } from './buildFailureDiagnostics.ts';
import { startBuild } from './startBuild.ts';

/** Finds the build of a target; shows a message if the build is no longer known. */
async function findKnownBuild(deps: BuildsDeps, target: BuildTarget | undefined): Promise<Build | undefined> {
  await deps.builds.load();
  const build = target === undefined ? undefined : deps.builds.find(target.connectionId, target.oid);
  if (target !== undefined && build === undefined) {
    await showInformation(vscode.l10n.t('That build is no longer known here.'));
  }
  return build;
}

/** Builds the datamodel again with the same options; asks how to build if the server did not report the build type. */
export async function buildAgain(deps: BuildsDeps, target?: BuildTarget): Promise<void> {
  const build = await findKnownBuild(deps, target);
  if (build === undefined) {
    return;
  }
  const { connectionId, datamodelId, datamodelTitle, rowLimit } = build;
  if (datamodelId === undefined) {
    await showInformation(
      vscode.l10n.t(
        'The server does not say which datamodel the build {0} belongs to.',
        getBuildTitle(build),
      ),
    );
    return;
  }
  const buildType = buildTypes.find((type) => type === build.buildType);
  const schemaOrigin = schemaOrigins.find((origin) => origin === build.schemaOrigin);
  const title = datamodelTitle ?? datamodelId;
  if (buildType === undefined) {
    const datamodel = deps.sessions.peek(connectionId)?.catalog.knownDatamodel(datamodelId);
    const type = datamodel === undefined ? 'extract' : getDatamodelType(datamodel);
    await startBuild(deps, { connectionId, datamodelId, title, type });
    return;
  }
  await deps.builds.start({
    connectionId,
    datamodelId,
    datamodelTitle: title,
    buildType,
    ...(schemaOrigin === undefined ? {} : { schemaOrigin }),
    ...(rowLimit === undefined ? {} : { rowLimit }),
  });
}

/** Opens the document of the table that made a build fail, at the cause of the failure. */
export async function openFailedTable(deps: BuildsDeps, target?: BuildTarget): Promise<void> {
  const build = await findKnownBuild(deps, target);
  if (build === undefined) {
    return;
  }
  const { catalog } = await deps.sessions.get(build.connectionId);
  const table = await findFailedTable(build, catalog);
  if (table === undefined) {
    const text = vscode.l10n.t(
      'There is no table {0} in {1} any more.',
      build.failedTable ?? '',
      getBuildTitle(build),
    );
    await showInformation(text);
    return;
  }
  await runCommand('datamodelStudio.documents.open', table);
  revealFailure(deps, build, table);
}

/** Reveals the cause of the failure, which may be far down in the document. */
function revealFailure({ jsonTrees }: BuildsDeps, build: Build, { resource }: FailedTable): void {
  const editor = vscode.window.activeTextEditor;
  const uri = editor?.document.uri;
  const openResource = uri?.scheme === schemes.document ? readDocumentPath(uri.path)?.resource : undefined;
  if (editor !== undefined && openResource?.kind === 'table' && openResource.tableId === resource.tableId) {
    const range = getFailureRange(jsonTrees, editor.document, getFailureReason(build));
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

/** Opens the JSON of the build task as the server returns it. */
export async function openTask(deps: BuildsDeps, target?: BuildTarget): Promise<void> {
  const build = await findKnownBuild(deps, target);
  if (build !== undefined) {
    const { connectionId, oid } = build;
    const connection = deps.connections.find(connectionId)?.name ?? connectionId;
    await runCommand('datamodelStudio.jsonViews.open', {
      connectionId,
      resource: { kind: 'build', buildId: oid },
      name: getBuildTitle(build),
      within: [connection],
    });
  }
}
