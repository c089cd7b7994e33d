import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Build } from '../../builds/build.ts';
import { schemes } from '../../contributions.ts';
import { documentPath, readDocumentPath } from '../../documents/documentAddress.ts';
import { failureText } from './buildWords.ts';
import type { BuildsDeps } from './deps.ts';
import { type FailedTable, failedTable } from './failedTable.ts';

/** Marks the document of the table that a build failed at, until its datamodel was built again. */
export class FailedTables implements Disposable {
  readonly #deps: BuildsDeps;
  readonly #store = new DisposableStore();
  readonly #problems = this.#store.add(vscode.languages.createDiagnosticCollection('datamodel-build'));
  /** The marked documents by connection and datamodel. */
  readonly #marked = new Map<string, vscode.Uri>();

  constructor(deps: BuildsDeps) {
    this.#deps = deps;
    this.#store.add(deps.builds.onDidEnd(({ build }) => this.#ended(build)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #ended(build: Build): void {
    if (build.phase === 'done') {
      this.#clear(build);
    } else if (build.phase === 'failed') {
      void this.#mark(build);
    }
  }

  #clear(build: Build): void {
    const uri = this.#marked.get(keyOf(build));
    if (uri !== undefined) {
      this.#marked.delete(keyOf(build));
      this.#problems.delete(uri);
    }
  }

  async #mark(build: Build): Promise<void> {
    const { sessions, log } = this.#deps;
    try {
      const catalog = sessions.peek(build.connectionId)?.catalog;
      const table = catalog === undefined ? undefined : await failedTable(build, catalog);
      this.#clear(build);
      if (table === undefined) {
        return;
      }
      const uri = documentUri(table, this.#deps.connections.find(build.connectionId)?.name);
      const problem = new vscode.Diagnostic(
        new vscode.Range(0, 0, 0, 0),
        vscode.l10n.t('The build failed: {0}', build.reason ?? failureText(build)),
        vscode.DiagnosticSeverity.Error,
      );
      problem.source = vscode.l10n.t('build');
      this.#problems.set(uri, [problem]);
      this.#marked.set(keyOf(build), uri);
    } catch (error) {
      // The failure itself was told; that its table cannot be found is no news to a person.
      log.warn('builds', 'The table of a failed build was not found', { reason: String(error) });
    }
  }
}

/** The document of a table, under the name that it is open by or else by its own. */
function documentUri(table: FailedTable, connectionName: string | undefined): vscode.Uri {
  const isIt = (uri: vscode.Uri): boolean => {
    const identity = uri.scheme === schemes.document ? readDocumentPath(uri.path) : undefined;
    const resource = identity?.resource;
    return (
      identity?.connectionId === table.connectionId &&
      resource?.kind === 'table' &&
      resource.tableId === table.resource.tableId
    );
  };
  const open = vscode.workspace.textDocuments.find(({ uri }) => isIt(uri))?.uri;
  const within = connectionName === undefined ? table.within : [connectionName, ...table.within];
  const path = documentPath({ ...table, within });
  return open ?? vscode.Uri.from({ scheme: schemes.document, path });
}

const keyOf = ({ connectionId, datamodelId, oid }: Build): string =>
  JSON.stringify([connectionId, datamodelId ?? oid]);
