import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type Build, getBuiltDatamodelKey } from '../../builds/build.ts';
import { findLaterEnds } from '../../builds/latestBuild.ts';
import { type ResourceRef, isSameRef } from '../../catalog/resourceRef.ts';
import { isSqlLanguage, schemes, sqlDiagnosticSource } from '../../contributions.ts';
import {
  type DocumentIdentity,
  createDocumentPath,
  getDocumentAddress,
  readDocumentAddress,
} from '../../documents/documentAddress.ts';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import { findFailureRange } from '../../sql/embedded/failureRange.ts';
import { findReportedRange } from '../../sql/language.ts';
import { describeBuildFailure } from './buildLabels.ts';
import type { BuildsDeps } from './deps.ts';
import { type FailedTable, findFailedTable } from './findFailedTable.ts';

/**
 * Adds a diagnostic to the table that made a build fail, until a later build of its datamodel succeeds or is canceled.
 * If SQL of the table made it fail, the diagnostic is in that SQL.
 */
export class BuildFailureDiagnostics implements Disposable {
  readonly #deps: BuildsDeps;
  readonly #store = new DisposableStore();
  readonly #diagnostics = this.#store.add(vscode.languages.createDiagnosticCollection('datamodel-build'));
  /** The marker of each datamodel whose last build failed, by {@link getBuiltDatamodelKey}. */
  readonly #markers = new Map<string, FailureMarker>();

  constructor(deps: BuildsDeps) {
    this.#deps = deps;
    this.#store.add(deps.buildMonitor.onDidEnd(({ build }) => this.#handleEnd(build)));
    this.#store.add(deps.connections.onDidChange(() => this.#clearRemovedConnections()));
    // The range can only be computed once the document is open.
    this.#store.add(vscode.workspace.onDidOpenTextDocument((document) => this.#handleOpenOrClose(document)));
    this.#store.add(vscode.workspace.onDidCloseTextDocument((document) => this.#handleOpenOrClose(document)));
    this.#store.add(vscode.languages.onDidChangeDiagnostics(({ uris }) => this.#removeDuplicates(uris)));
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
      if (marker.uri !== undefined) {
        this.#diagnostics.delete(marker.uri);
      }
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
    const { buildMonitor, connections } = this.#deps;
    return (
      connections.find(build.connectionId) === undefined ||
      findLaterEnds(build, buildMonitor.builds).some(clearsFailure)
    );
  }

  #handleOpenOrClose({ uri }: vscode.TextDocument): void {
    const origin = uri.scheme === schemes.document ? readDocumentAddress(uri) : undefined;
    for (const marker of this.#markers.values()) {
      if (origin !== undefined && belongsToTable(origin, marker.table)) {
        this.#show(marker);
      }
    }
  }

  /** Shows the diagnostic of a failure in the open SQL or JSON of its table, or else in one that isn't open. */
  #show(marker: FailureMarker): void {
    const { table, reason } = marker;
    const { document, uri } = findDocument(table, this.#deps.connections.find(table.connectionId)?.name);
    if (marker.uri !== undefined && marker.uri.toString() !== uri.toString()) {
      this.#diagnostics.delete(marker.uri);
    }
    marker.uri = uri;
    const diagnostic = new vscode.Diagnostic(
      document === undefined
        ? new vscode.Range(0, 0, 0, 0)
        : getFailureRange(this.#deps.jsonTrees, document, reason).range,
      vscode.l10n.t('The build failed: {0}', reason),
      vscode.DiagnosticSeverity.Error,
    );
    diagnostic.source = vscode.l10n.t('build');
    this.#diagnostics.set(uri, [diagnostic]);
    this.#removeDuplicates([uri]);
  }

  /**
   * Removes each failure diagnostic whose token already has an SQL diagnostic, so that a mistake is listed once. It is
   * not shown again before the document is closed, so fixing the mistake does not bring it back.
   */
  #removeDuplicates(uris: readonly vscode.Uri[]): void {
    const changedUris = new Set(uris.map(String));
    for (const { uri, reason } of this.#markers.values()) {
      const document = uri && changedUris.has(String(uri)) ? findOpenDocument(uri) : undefined;
      if (uri === undefined || document === undefined || !this.#diagnostics.has(uri)) {
        continue;
      }
      const { range, isToken } = getFailureRange(this.#deps.jsonTrees, document, reason);
      if (isToken && hasSqlError(uri, range)) {
        this.#diagnostics.delete(uri);
      }
    }
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
      const marker: FailureMarker = { build, table, reason: getFailureReason(build), uri: undefined };
      this.#markers.set(getBuiltDatamodelKey(build), marker);
      this.#show(marker);
    } catch (error) {
      // Only logged: the user has been notified of the failure itself.
      log.warn('builds', 'The table of a failed build was not found', { reason: String(error) });
    }
  }
}

/**
 * Returns whether a build clears the diagnostic of an earlier failure. A canceled build clears it, too, just as VS Code
 * clears the problems of a task when the task runs again.
 */
const clearsFailure = ({ phase }: Build): boolean => phase === 'done' || phase === 'cancelled';

/** Returns the server's message about a failure, or else our description of it. */
export const getFailureReason = (build: Build): string => build.reason ?? describeBuildFailure(build);

interface FailureMarker {
  readonly build: Build;
  readonly table: FailedTable;
  readonly reason: string;
  /** The document that the failure is reported in. */
  uri: vscode.Uri | undefined;
}

const belongsToTable = ({ connectionId, resource }: DocumentIdentity, table: FailedTable): boolean =>
  connectionId === table.connectionId && 'tableId' in resource && resource.tableId === table.resource.tableId;

/**
 * Finds the open document of the expression or, if only that is open, of the table; its URI may contain an outdated
 * name. If neither is open, returns the URI that the document would have.
 */
function findDocument(
  table: FailedTable,
  connectionName: string | undefined,
): { readonly document: vscode.TextDocument | undefined; readonly uri: vscode.Uri } {
  const targets = table.expression === undefined ? [table] : [table.expression, table];
  for (const target of targets) {
    const document = vscode.workspace.textDocuments.find(
      ({ uri, isClosed }) => !isClosed && showsResource(uri, target),
    );
    if (document !== undefined) {
      return { document, uri: document.uri };
    }
  }
  const { connectionId, resource, name, within } = table.expression ?? table;
  const path = createDocumentPath({
    connectionId,
    resource,
    name,
    within: connectionName === undefined ? within : [connectionName, ...within],
  });
  return {
    document: undefined,
    uri: vscode.Uri.from({ scheme: schemes.document, ...getDocumentAddress(path) }),
  };
}

/** Returns whether a URI is that of the document of a table or its SQL, regardless of the name in the URI. */
export function showsResource(
  uri: vscode.Uri,
  { connectionId, resource }: Pick<FailedTable, 'connectionId'> & { readonly resource: ResourceRef },
): boolean {
  const identity = uri.scheme === schemes.document ? readDocumentAddress(uri) : undefined;
  return identity?.connectionId === connectionId && isSameRef(identity.resource, resource);
}

const findOpenDocument = (uri: vscode.Uri): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find((document) => String(document.uri) === String(uri));

/** Returns whether the SQL features report an error in a range: unlike a build, they also provide fixes for it. */
const hasSqlError = (uri: vscode.Uri, range: vscode.Range): boolean =>
  vscode.languages
    .getDiagnostics(uri)
    .some(
      ({ source, severity, range: other }) =>
        source === sqlDiagnosticSource &&
        severity === vscode.DiagnosticSeverity.Error &&
        other.intersection(range) !== undefined,
    );

/** The range that the message of a build failure refers to. */
export interface FailureEditorRange {
  readonly range: vscode.Range;
  /** Whether the message refers to a token there. */
  readonly isToken: boolean;
}

/**
 * Returns the range in the document of a table or its SQL that the message of a build failure refers to; in SQL without
 * the token of the message, the start.
 */
export function getFailureRange(
  trees: JsonTrees,
  document: vscode.TextDocument,
  reason: string,
): FailureEditorRange {
  const toRange = ({ start, end }: { readonly start: number; readonly end: number }): vscode.Range =>
    new vscode.Range(document.positionAt(start), document.positionAt(end));
  const documentStart = { range: toRange({ start: 0, end: 0 }), isToken: false };
  if (isSqlLanguage(document.languageId)) {
    const tokenRange = findReportedRange(document.getText(), reason);
    return tokenRange === undefined ? documentStart : { range: toRange(tokenRange), isToken: true };
  }
  const failureRange = findFailureRange(getJsonTree(trees, document), reason);
  return failureRange === undefined
    ? documentStart
    : { range: toRange(failureRange), isToken: failureRange.isToken };
}
