import { projectFileName } from '../../project/projectFileName.ts';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { lazy } from '../../base/lazy.ts';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { type CommandId, schemes } from '../../contributions.ts';
import { registerCommand, reportFailure } from '../../platform/commands.ts';
import { watchNewProjects } from '../../platform/projects/watchNewProjects.ts';
import { closeRestoredMergeEditors } from './mergeEditors.ts';
import type { ItemKey } from '../../project/item.ts';
import type { ProjectDeps } from './deps.ts';
import type { ProjectCommand, ProjectContext } from './projectContext.ts';

type ProjectCommandId = Extract<CommandId, `datamodelStudio.projects.${ProjectCommand}`>;

/** What other features can do with the projects of the workspace. */
export interface ProjectsFeature extends Disposable {
  /**
   * Records the state of the instance in the lock file of a project whose apply was undone, or was interrupted and then
   * finished, rolled back, or abandoned.
   * @returns the items that were undone and couldn't be read; `undefined` if nothing could be recorded
   */
  readonly recordAppliedState: (entry: HistoryEntry) => Promise<readonly ItemKey[] | undefined>;
}

/**
 * Registers the commands and the source control of projects. Their code is loaded on first use, or if the workspace has
 * a project.
 */
export function register(deps: ProjectDeps): ProjectsFeature {
  const store = new DisposableStore();
  const onDidChangeText = store.add(new Emitter<vscode.Uri>());
  /** The versions of files in conflict that are being merged or compared, and open reports, by URI. */
  const versionTexts = new Map<string, string>();
  const loadUnfinishedMerges = lazy(async () => {
    const { UnfinishedMerges } = await import('./unfinishedMerges.ts');
    return new UnfinishedMerges(deps.unfinishedMergeStorage);
  });
  const load = lazy(async (): Promise<ProjectContext> => {
    const { createProjectContext } = await import('./projectContext.ts');
    const unfinishedMerges = await loadUnfinishedMerges();
    return store.add(await createProjectContext(deps, { versionTexts, unfinishedMerges, onDidChangeText }));
  });
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(schemes.projectVersion, {
      onDidChange: onDidChangeText.event,
      provideTextDocumentContent: async (uri) =>
        versionTexts.get(String(uri)) ?? (await (await load()).loadText(uri)) ?? '',
    }),
  );
  const registerProjectCommand = (id: ProjectCommandId, command: ProjectCommand): void => {
    store.add(registerCommand(id, deps.log, async (...args) => (await load()).run(command, args)));
  };
  registerProjectCommand('datamodelStudio.projects.pull', 'pull');
  registerProjectCommand('datamodelStudio.projects.create', 'create');
  registerProjectCommand('datamodelStudio.projects.refresh', 'refresh');
  registerProjectCommand('datamodelStudio.projects.compare', 'compare');
  registerProjectCommand('datamodelStudio.projects.update', 'update');
  registerProjectCommand('datamodelStudio.projects.plan', 'plan');
  registerProjectCommand('datamodelStudio.projects.apply', 'apply');
  registerProjectCommand('datamodelStudio.projects.resolveConflicts', 'resolveConflicts');
  registerProjectCommand('datamodelStudio.projects.selectEnvironment', 'selectEnvironment');
  registerProjectCommand('datamodelStudio.projects.openFile', 'openFile');
  store.add(
    registerCommand('datamodelStudio.projects.completeMerge', deps.log, async () => {
      await vscode.commands.executeCommand('mergeEditor.acceptMerge');
    }),
  );
  const loadForProjects = async (): Promise<void> => {
    try {
      const { length } = await vscode.workspace.findFiles(`**/${projectFileName}`, '**/node_modules/**', 1);
      if (length > 0 && !store.isDisposed) {
        await load();
        watcher.dispose();
      }
    } catch (error) {
      await reportFailure(error, deps.log);
    }
  };
  const watcher = store.add(
    watchNewProjects(
      () => [],
      () => void loadForProjects(),
    ),
  );
  void loadForProjects();
  // The texts of merge editors that were open when the window was reloaded are gone.
  closeRestoredMergeEditors(loadUnfinishedMerges).catch((error: unknown) => reportFailure(error, deps.log));
  return {
    recordAppliedState: async (entry) => (await load()).recordAppliedState(entry),
    dispose: () => store.dispose(),
  };
}
