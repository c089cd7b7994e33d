import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { schemes } from '../../contributions.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { DocumentsDeps } from './deps.ts';
import { LazyFileSystem } from './lazyFileSystem.ts';

/**
 * Registers the file system that opens resources as documents, and its commands (decisions.md, "Documents").
 */
export function register(deps: DocumentsDeps): Disposable {
  const store = new DisposableStore();
  const { log } = deps;
  const provider = store.add(
    new LazyFileSystem(async (fireChanged) => {
      const { DocumentFileSystem } = await import('./fileSystem.ts');
      return new DocumentFileSystem(deps, fireChanged);
    }),
  );
  store.add(
    vscode.workspace.registerFileSystemProvider(schemes.document, provider, { isCaseSensitive: true }),
  );
  store.add(
    registerCommand('datamodelStudio.documents.open', log, async (target) => {
      if (target !== undefined) {
        const { openResource } = await import('./openResource.ts');
        await openResource(deps, target);
      }
    }),
  );
  // These commands apply to the file of their menu, or else to the active file.
  store.add(
    registerCommand('datamodelStudio.documents.merge', log, async (file) => {
      const { getTargetFile, mergeOpenDocument } = await import('./documentCommands.ts');
      await mergeOpenDocument(await provider.load(), getTargetFile(file));
    }),
  );
  store.add(
    registerCommand('datamodelStudio.documents.compare', log, async (file) => {
      const { getTargetFile, compareWithServer } = await import('./documentCommands.ts');
      // Loading the implementation registers the provider of server versions.
      await provider.load();
      await compareWithServer(deps, getTargetFile(file));
    }),
  );
  store.add(
    registerCommand('datamodelStudio.documents.saveCopy', log, async (file) => {
      const { getTargetFile, copyToWorkspace } = await import('./documentCommands.ts');
      await copyToWorkspace(deps, getTargetFile(file));
    }),
  );
  store.add(
    registerCommand('datamodelStudio.documents.send', log, async (file) => {
      const { getTargetFile, loadIntoLinkedDocument } = await import('./documentCommands.ts');
      await loadIntoLinkedDocument(deps, await provider.load(), getTargetFile(file));
    }),
  );
  return store;
}
