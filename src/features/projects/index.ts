import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { ProjectDeps } from './deps.ts';

/** Registers the command that pulls an instance into a folder; loaded on first use. */
export function register(deps: ProjectDeps): Disposable {
  const store = new DisposableStore();
  /** The texts of the instance's versions of files in conflict, by URI. */
  const instanceTexts = new Map<string, string>();
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(schemes.projectVersion, {
      provideTextDocumentContent: (uri) => instanceTexts.get(String(uri)) ?? '',
    }),
  );
  store.add(
    registerCommand('datamodelStudio.projects.pull', deps.log, async (node) => {
      const { pullIntoFolder } = await import('./pullIntoFolder.ts');
      await pullIntoFolder(deps, instanceTexts, node);
    }),
  );
  return store;
}
