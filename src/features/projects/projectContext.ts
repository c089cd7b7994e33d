import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Emitter } from '../../base/event.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import type { TreeTarget } from '../../contributions.ts';
import { compareFilesWithServer } from './compareWithServer.ts';
import type { ItemKey } from '../../project/item.ts';
import type { ProjectDeps } from './deps.ts';
import { EnvironmentStatusItem } from './environmentStatusItem.ts';
import { registerProjectLanguage } from './language/index.ts';
import type { MergeContext } from './mergeConflict.ts';
import { type ProjectSelection, resolveProjectSelection } from './projectSelection.ts';
import { createProject } from './createProject.ts';
import { planProject } from './planProject.ts';
import { pullProject } from './pullProject.ts';
import { pullIntoFolder, showPullResult } from './pullIntoFolder.ts';
import { refreshFromServer } from './refreshFromServer.ts';
import { recordAppliedState } from './recordAppliedState.ts';
import { resolveProjectConflicts } from './resolveProjectConflicts.ts';
import { selectEnvironment } from './selectEnvironment.ts';
import { openRowFiles } from './sourceControlRows.ts';
import { parseServerTextUri } from './serverTexts.ts';
import { getLostReportNotice } from './showReport.ts';
import { WorkspaceProjects } from './workspaceProjects.ts';

/** The commands of projects, by the last part of their IDs. */
export type ProjectCommand =
  | 'pull'
  | 'create'
  | 'refresh'
  | 'compare'
  | 'update'
  | 'plan'
  | 'apply'
  | 'resolveConflicts'
  | 'selectEnvironment'
  | 'openFile';

/** The projects of the workspace, and what can be done with them. */
export interface ProjectContext extends Disposable {
  run(command: ProjectCommand, args: readonly unknown[]): Promise<void>;
  /**
   * Returns the text that a file has on the server, or for a report whose text was lost with its window, a notice about
   * that; `undefined` if there is none.
   */
  loadText(uri: vscode.Uri): Promise<string | undefined>;
  /**
   * Records the state of the instance in the lock file after an undo of an apply, or after an interrupted apply was
   * ended ({@link recordAppliedState}).
   */
  recordAppliedState(entry: HistoryEntry): Promise<readonly ItemKey[] | undefined>;
}

/** The texts that the editor shows in comparisons, merges, and reports. */
export interface ComparisonTexts extends MergeContext {
  /** Fires when the text of a file on the server may have changed. */
  readonly onDidChangeText: Emitter<vscode.Uri>;
}

/** Finds the projects of the workspace, and shows their status. */
export async function createProjectContext(
  deps: ProjectDeps,
  { onDidChangeText, ...mergeContext }: ComparisonTexts,
): Promise<ProjectContext> {
  const store = new DisposableStore();
  const projects = store.add(new WorkspaceProjects(deps, onDidChangeText));
  store.add(new EnvironmentStatusItem(deps, projects));
  store.add(registerProjectLanguage(deps, await deps.loadFileCatalogs()));
  await projects.refresh();
  const createTargetCommand =
    (run: (target: ProjectSelection) => Promise<unknown>) =>
    async (args: readonly unknown[]): Promise<void> => {
      const target = await resolveProjectSelection(projects, args);
      if (target !== undefined) {
        // The command reads the files: what it finds must not differ from what is shown.
        await target.project.refreshChangedFiles();
        await run(target);
      }
    };
  /** Shows the result of a pull, and compares its project with the instance as the pull has read it. */
  const showPulledProject = async (pulled: Awaited<ReturnType<typeof pullProject>>): Promise<void> => {
    if (pulled === undefined) {
      return;
    }
    await projects.refresh();
    const project = projects.findShownProject(String(pulled.folder), pulled.heading.environmentName);
    if (project !== undefined) {
      await project.refreshChangedFiles();
      if (!pulled.isLimited) {
        await project.setReading(pulled.result.reading);
      } else if (project.status?.isServerKnown === true || project.status?.isOutdated === true) {
        await refreshFromServer(deps, project);
      }
    }
    await showPullResult(mergeContext, pulled);
  };
  const commands: Readonly<Record<ProjectCommand, (args: readonly unknown[]) => Promise<void>>> = {
    pull: async ([node]) => showPulledProject(await pullIntoFolder(deps, node as TreeTarget | undefined)),
    create: async () => showPulledProject(await createProject(deps)),
    refresh: createTargetCommand(({ project }) => refreshFromServer(deps, project)),
    compare: createTargetCommand((target) => compareFilesWithServer(deps, target)),
    update: createTargetCommand(async (target) => showPulledProject(await pullProject(deps, target))),
    plan: createTargetCommand((target) => planProject(deps, projects, target, 'plan')),
    apply: createTargetCommand((target) => planProject(deps, projects, target, 'apply')),
    resolveConflicts: createTargetCommand((target) => resolveProjectConflicts(deps, mergeContext, target)),
    selectEnvironment: () => selectEnvironment(deps, projects),
    openFile: (rows) => openRowFiles(rows as readonly vscode.SourceControlResourceState[]),
  };
  return {
    run: (command, args) => commands[command](args),
    loadText: async (uri) => {
      const address = parseServerTextUri(uri);
      return address === undefined ? getLostReportNotice(uri) : projects.loadServerText(address);
    },
    recordAppliedState: (entry) => recordAppliedState(deps, projects, entry),
    dispose: () => store.dispose(),
  };
}
