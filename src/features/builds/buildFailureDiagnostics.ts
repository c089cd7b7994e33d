import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type Build, getBuiltDatamodelKey } from '../../builds/build.ts';
import { schemes } from '../../contributions.ts';
import {
  createDocumentPath,
  getDocumentAddress,
  readDocumentAddress,
} from '../../documents/documentAddress.ts';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import { findFailureRange } from '../../sql/embedded/failureRange.ts';
import { describeFailure } from './buildLabels.ts';
import type { BuildsDeps } from './deps.ts';
import { type FailedTable, findFailedTable } from './findFailedTable.ts';

/** Adds a diagnostic to the table that made a build fail, until a later build of its datamodel succeeds or
 * is canceled. */
export class BuildFailureDiagnostics implements Disposable {
  readonly #deps: BuildsDeps;
  readonly #store = new DisposableStore();
  readonly #diagnostics = this.#store.add(vscode.languages.createDiagnosticCollection('datamodel-build'));
  /** By {@link getBuiltDatamodelKey}. */
  readonly #markers = new Map<string, FailureMarker>();

  constructor(deps: BuildsDeps) {
    this.#deps = deps;
    this.#store.add(deps.builds.onDidEnd(({ build }) => this.#handleEnd(build)));
    this.#store.add(deps.connections.onDidChange(() => this.#clearRemovedConnections()));
    // The range can only be computed once the document is open.
    this.#store.add(vscode.workspace.onDidOpenTextDocument((document) => this.#handleOpen(document)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #handleEnd(build: Build): void {
    if (clearsFailure(build)) {
      this.#clear(build);
    } else if (build.phase === 'failed') {
      void this.#markFailedTable(build);
    }
  }

  #clear(build: Build): void {
    const marker = this.#markers.get(getBuiltDatamodelKey(build));
    if (marker !== undefined) {
      this.#markers.delete(getBuiltDatamodelKey(build));
      this.#diagnostics.delete(marker.uri);
    }
  }

  /** Clears the markers of connections that the user has removed. */
  #clearRemovedConnections(): void {
    for (const { build } of this.#markers.values()) {
      if (this.#deps.connections.find(build.connectionId) === undefined) {
        this.#clear(build);
      }
    }
  }

  /** Returns whether a later build of the datamodel succeeded or was canceled, or its connection was removed. */
  #isOutdated(build: Build): boolean {
    const { builds, connections } = this.#deps;
    return (
      connections.find(build.connectionId) === undefined ||
      builds.builds.some(
        (other) =>
          clearsFailure(other) &&
          getBuiltDatamodelKey(other) === getBuiltDatamodelKey(build) &&
          (other.ended ?? 0) > (build.ended ?? 0),
      )
    );
  }

  #handleOpen(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    for (const marker of this.#markers.values()) {
      if (marker.uri.toString() === uri) {
        this.#show(marker, document);
      }
    }
  }

  #show({ uri, reason }: FailureMarker, document: vscode.TextDocument | undefined): void {
    const diagnostic = new vscode.Diagnostic(
      document === undefined
        ? new vscode.Range(0, 0, 0, 0)
        : getFailureRange(this.#deps.jsonTrees, document, reason),
      vscode.l10n.t('The build failed: {0}', reason),
      vscode.DiagnosticSeverity.Error,
    );
    diagnostic.source = vscode.l10n.t('build');
    this.#diagnostics.set(uri, [diagnostic]);
  }

  async #markFailedTable(build: Build): Promise<void> {
    const { sessions, log } = this.#deps;
    try {
      const catalog = sessions.peek(build.connectionId)?.catalog;
      const table = catalog === undefined ? undefined : await findFailedTable(build, catalog);
      if (this.#isOutdated(build)) {
        return;
      }
      this.#clear(build);
      if (table === undefined) {
        return;
      }
      const { openDocument, uri } = findDocument(
        table,
        this.#deps.connections.find(build.connectionId)?.name,
      );
      const marker = { build, uri, reason: getFailureReason(build) };
      this.#markers.set(getBuiltDatamodelKey(build), marker);
      this.#show(marker, openDocument);
    } catch (error) {
      // Only logged: the user has been notified of the failure itself.
      log.warn('builds', 'The table of a failed build was not found', { reason: String(error) });
    }
  }
}

/**
 * Returns whether a build clears the diagnostic of an earlier failure. A canceled build does, too, just as the next run
 * of a task clears its problems.
 */
const clearsFailure = ({ phase }: Build): boolean => phase === 'done' || phase === 'cancelled';

/** Returns the server's message about a failure, or else our description of it. */
export const getFailureReason = (build: Build): string => build.reason ?? describeFailure(build);

interface FailureMarker {
  readonly build: Build;
  readonly uri: vscode.Uri;
  readonly reason: string;
}

/** Finds the open document of a table, which may have an outdated name in its URI, or else creates a URI for it. */
function findDocument(
  table: FailedTable,
  connectionName: string | undefined,
): { readonly openDocument: vscode.TextDocument | undefined; readonly uri: vscode.Uri } {
  const isTableDocument = ({ uri }: vscode.TextDocument): boolean => {
    const identity = uri.scheme === schemes.document ? readDocumentAddress(uri) : undefined;
    const resource = identity?.resource;
    return (
      identity?.connectionId === table.connectionId &&
      resource?.kind === 'table' &&
      resource.tableId === table.resource.tableId
    );
  };
  const openDocument = vscode.workspace.textDocuments.find(isTableDocument);
  const within = connectionName === undefined ? table.within : [connectionName, ...table.within];
  const path = createDocumentPath({ ...table, within });
  return {
    openDocument,
    uri: openDocument?.uri ?? vscode.Uri.from({ scheme: schemes.document, ...getDocumentAddress(path) }),
  };
}

/** Returns the range in a table's document that the message of a build failure refers to. */
export function getFailureRange(
  trees: JsonTrees,
  document: vscode.TextDocument,
  reason: string,
): vscode.Range {
  const { start, end } = findFailureRange(getJsonTree(trees, document), reason) ?? { start: 0, end: 0 };
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
