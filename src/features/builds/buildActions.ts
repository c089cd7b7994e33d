import * as vscode from 'vscode';
import type { Build } from '../../builds/build.ts';
import { buildTypes, schemaOrigins } from '../../contract/terms.ts';
import { getDatamodelType } from '../../contract/datamodel.ts';
import type { BuildTarget, ResourceTarget } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showInformation } from '../../platform/messages.ts';
import { getBuildTitle, isPublish } from './buildLabels.ts';
import { confirmPublish } from './confirmPublish.ts';
import type { BuildsDeps } from './deps.ts';
import { confirmBuildDuringChange } from './heldBuilds.ts';
import { findFailedTable } from './findFailedTable.ts';
import { getFailureRange, getFailureReason, showsResource } from './buildFailureDiagnostics.ts';
import { startBuild } from './startBuild.ts';

/** Finds the build of a target; shows a message if the build is no longer known. */
async function findKnownBuild(deps: BuildsDeps, target: BuildTarget | undefined): Promise<Build | undefined> {
  await deps.buildMonitor.loadBuildWatch();
  const build = target === undefined ? undefined : deps.buildMonitor.find(target.connectionId, target.oid);
  if (target !== undefined && build === undefined) {
    await showInformation(vscode.l10n.t('This build is no longer in the list.'));
  }
  return build;
}

/** Finds the last build that was started from this machine, in any window. */
async function findLastStartedBuild({ buildMonitor, connections }: BuildsDeps): Promise<Build | undefined> {
  await buildMonitor.loadBuildWatch();
  return buildMonitor.builds
    .filter(
      ({ startedBy, datamodelId, connectionId }) =>
        startedBy !== undefined && datamodelId !== undefined && connections.find(connectionId) !== undefined,
    )
    .toSorted((a, b) => b.firstSeen - a.firstSeen)[0];
}

/**
 * Builds the datamodel of a build again with the same options; asks how to build if the server did not report the build
 * type. Without a target, repeats the last build that was started from this machine, or lets the user start one.
 */
export async function buildAgain(deps: BuildsDeps, target?: BuildTarget): Promise<void> {
  const build = target === undefined ? await findLastStartedBuild(deps) : await findKnownBuild(deps, target);
  if (build === undefined) {
    if (target === undefined) {
      await startBuild(deps);
    }
    return;
  }
  const { connectionId, datamodelId, datamodelTitle, rowLimit } = build;
  if (datamodelId === undefined) {
    await showInformation(
      vscode.l10n.t(
        "The server doesn't report the datamodel of build {0}. Start the build from the Connections view.",
        getBuildTitle(build),
      ),
    );
    return;
  }
  const buildType = buildTypes.find((type) => type === build.buildType);
  const schemaOrigin = schemaOrigins.find((origin) => origin === build.schemaOrigin);
  const title = datamodelTitle ?? datamodelId;
  if (buildType === undefined) {
    const { catalog } = await deps.sessions.get(connectionId);
    const type = getDatamodelType(await catalog.datamodel(datamodelId));
    await startBuild(deps, { connectionId, datamodelId, title, type });
    return;
  }
  if (!(await ensureWritable(deps, connectionId))) {
    return;
  }
  if (!(await confirmBuildDuringChange(deps, { connectionId, datamodelId, title, schemaOrigin }))) {
    return;
  }
  if (isPublish(build) && !(await confirmPublish(deps, connectionId, [title]))) {
    return;
  }
  await deps.buildMonitor.start({
    connectionId,
    datamodelId,
    datamodelTitle: title,
    buildType,
    ...(schemaOrigin === undefined ? {} : { schemaOrigin }),
    ...(rowLimit === undefined ? {} : { rowLimit }),
  });
}

/**
 * Opens the SQL that made a build fail, or else the document of the table, at the cause of the failure. If either is
 * already open in any editor group, that editor is shown.
 */
export async function openFailedTable(deps: BuildsDeps, target?: BuildTarget): Promise<void> {
  const build = await findKnownBuild(deps, target);
  if (build === undefined) {
    return;
  }
  const { catalog } = await deps.sessions.get(build.connectionId);
  const table = await findFailedTable(build, catalog);
  if (table === undefined) {
    const text = vscode.l10n.t(
      'Table {0} no longer exists in {1}.',
      build.failedTable ?? '',
      getBuildTitle(build),
    );
    await showInformation(text);
    return;
  }
  const { expression: expressionTarget, ...tableTarget } = table;
  const failedResource = expressionTarget ?? tableTarget;
  const editor = (await showOpenEditor(failedResource)) ?? (await openEditor(failedResource));
  if (editor !== undefined) {
    revealFailure(deps, build, editor);
  }
}

/** Shows the text editor that a resource is open in; `undefined` if there is none. */
async function showOpenEditor(resource: ResourceTarget): Promise<vscode.TextEditor | undefined> {
  for (const { tabs, viewColumn } of vscode.window.tabGroups.all) {
    for (const { input, isPreview } of tabs) {
      if (input instanceof vscode.TabInputText && showsResource(input.uri, resource)) {
        return vscode.window.showTextDocument(input.uri, { viewColumn, preview: isPreview });
      }
    }
  }
  return undefined;
}

/** Opens a resource, and returns its text editor, which VS Code may report as the active one only later. */
async function openEditor(resource: ResourceTarget): Promise<vscode.TextEditor | undefined> {
  await runCommand('datamodelStudio.documents.open', resource);
  return vscode.window.visibleTextEditors.find(({ document }) => showsResource(document.uri, resource));
}

/** Selects the cause of the failure in an editor, and scrolls to it. */
function revealFailure({ jsonTrees }: BuildsDeps, build: Build, editor: vscode.TextEditor): void {
  const { range } = getFailureRange(jsonTrees, editor.document, getFailureReason(build));
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Opens the JSON of the build task as the server returns it. */
export async function openBuildJson(deps: BuildsDeps, target?: BuildTarget): Promise<void> {
  const build = await findKnownBuild(deps, target);
  if (build !== undefined) {
    const { connectionId, oid } = build;
    await runCommand('datamodelStudio.jsonViews.open', {
      connectionId,
      resource: { kind: 'build', buildId: oid },
      name: getBuildTitle(build),
      within: [],
    });
  }
}
