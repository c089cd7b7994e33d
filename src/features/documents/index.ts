import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { DocumentsDeps } from './deps.ts';
import { LazyFileSystem } from './lazyFileSystem.ts';

/** Every resource as a document of the editor: a file system over the connections (design.md, section 8). */
export function register(deps: DocumentsDeps): Disposable {
  const store = new DisposableStore();
  const files = store.add(
    new LazyFileSystem(async (changed) => {
      const { openFileSystem } = await import('./fileSystem.ts');
      return openFileSystem(deps, changed);
    }),
  );
  store.add(
    vscode.workspace.registerFileSystemProvider(schemes.document, files, {
      isCaseSensitive: true,
      isReadonly: true,
    }),
  );
  store.add(
    registerCommand('datamodelStudio.documents.open', deps.log, async (target) => {
      if (target !== undefined) {
        const { openResource } = await import('./openResource.ts');
        await openResource(deps, target);
      }
    }),
  );
  return store;
}
