import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { LineOffsets } from '../../base/lineOffsets.ts';
import { PromiseCache } from '../../base/promiseCache.ts';
import { schemes } from '../../contributions.ts';
import { createDocumentPath, getDocumentAddress } from '../../documents/documentAddress.ts';
import { parseJsonTree } from '../../json/text/parseJsonTree.ts';
import { getPathRange } from '../../json/text/pathRange.ts';
import type { FindingCause } from '../../security/audit/groupFindings.ts';
import { toTextRange } from '../../platform/textRange.ts';
import type { DiagnosticSeverity } from '../../sql/language.ts';
import type { InstanceAudit, SubjectAudit } from './auditInstance.ts';
import { describeCause, describePlace, formatFindingCount } from './auditLabels.ts';
import { type FindingLocation, locateFinding } from './auditLocations.ts';

/** The maximum number of documents that are read concurrently to locate their findings. */
const maxConcurrentReads = 6;
/**
 * The maximum number of causes that become problems, since each may need a request for its document. The most severe
 * come first.
 */
const maxCauses = 100;
/** The maximum number of places that a problem lists besides its own location. */
const maxRelatedPlaces = 10;

/**
 * Shows the findings of the latest audit of each connection in the Problems view: one problem for each cause, at the
 * first of its places, with some of the others.
 */
export class AuditProblems implements Disposable {
  readonly #store = new DisposableStore();
  readonly #diagnostics = this.#store.add(vscode.languages.createDiagnosticCollection('datamodel-security'));
  readonly #uris = new Map<string, readonly vscode.Uri[]>();
  /** The ranges found for each audit, kept while the audit is in use: finding one takes a request. */
  readonly #rangesByAudit = new WeakMap<InstanceAudit, PromiseCache<vscode.Range>>();

  /** Replaces the earlier problems of the connection. */
  async show(
    audit: InstanceAudit,
    causes: readonly FindingCause<SubjectAudit>[],
    signal: AbortSignal,
  ): Promise<void> {
    const shownCauses = causes.slice(0, maxCauses);
    const problems: LocatedProblem[] = [];
    for (let start = 0; start < shownCauses.length; start += maxConcurrentReads) {
      signal.throwIfAborted();
      const batch = shownCauses.slice(start, start + maxConcurrentReads);
      const locatedProblems = await Promise.all(batch.map((cause) => this.#createProblem(audit, cause)));
      problems.push(...locatedProblems.filter((problem) => problem !== undefined));
    }
    signal.throwIfAborted();
    this.clear(audit.connectionId);
    const byUri = Map.groupBy(problems, ({ uri }) => uri.toString());
    const uris = [...byUri.values()].flatMap(([first]) => (first === undefined ? [] : [first.uri]));
    this.#uris.set(audit.connectionId, uris);
    for (const uri of uris) {
      this.#diagnostics.set(
        uri,
        (byUri.get(uri.toString()) ?? []).map(({ diagnostic }) => diagnostic),
      );
    }
  }

  clear(connectionId: string): void {
    for (const uri of this.#uris.get(connectionId) ?? []) {
      this.#diagnostics.delete(uri);
    }
    this.#uris.delete(connectionId);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Creates the problem of a cause; `undefined` if no document contains the cause, as for a cube set without rules. */
  async #createProblem(
    audit: InstanceAudit,
    cause: FindingCause<SubjectAudit>,
  ): Promise<LocatedProblem | undefined> {
    const places = cause.places.slice(0, maxRelatedPlaces + 1).flatMap((place) => {
      const location = locateFinding(audit, place);
      const { name, detail } = describePlace(place, cause);
      return location === undefined
        ? []
        : [{ uri: toUri(audit, location), path: location.path, text: detail ? `${name}: ${detail}` : name }];
    });
    const [first, ...others] = places;
    if (first === undefined) {
      return undefined;
    }
    const { title } = describeCause(cause);
    const diagnostic = new vscode.Diagnostic(
      await this.#getRange(audit, first),
      vscode.l10n.t('{0} ({1})', title, formatFindingCount(cause.places.length)),
      severities[cause.severity],
    );
    diagnostic.source = vscode.l10n.t('Datamodel Studio security');
    diagnostic.code = cause.code;
    const start = new vscode.Position(0, 0);
    diagnostic.relatedInformation = others.map(
      ({ uri, text }) => new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, start), text),
    );
    return { uri: first.uri, diagnostic };
  }

  /** Returns the range of a value in a document; the start if the document is deleted or can't be read at present. */
  async #getRange(
    audit: InstanceAudit,
    { uri, path }: { readonly uri: vscode.Uri; readonly path: FindingLocation['path'] },
  ): Promise<vscode.Range> {
    const ranges = this.#rangesByAudit.get(audit) ?? new PromiseCache();
    this.#rangesByAudit.set(audit, ranges);
    try {
      return await ranges.get(JSON.stringify([uri.toString(), path]), () => findRange(uri, path));
    } catch (error) {
      if (error instanceof vscode.FileSystemError) {
        return new vscode.Range(0, 0, 0, 0);
      }
      throw error;
    }
  }
}

interface LocatedProblem {
  readonly uri: vscode.Uri;
  readonly diagnostic: vscode.Diagnostic;
}

const toUri = (
  { connectionId, connectionName }: InstanceAudit,
  { resource, name, within }: FindingLocation,
): vscode.Uri =>
  vscode.Uri.from({
    scheme: schemes.document,
    ...getDocumentAddress(
      createDocumentPath({ connectionId, resource, name, within: [connectionName, ...within] }),
    ),
  });

const severities: Readonly<Record<DiagnosticSeverity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/** @throws FileSystemError if the document can't be read */
async function findRange(uri: vscode.Uri, path: FindingLocation['path']): Promise<vscode.Range> {
  const json = parseJsonTree(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  const { text } = json;
  const { start, end } = getPathRange(json, path);
  // Underlining a whole document would be too much: its first line is enough.
  const rangeEnd = path.length === 0 ? start + Math.max(0, text.slice(start).search(/\r?\n|$/)) : end;
  return toTextRange(new LineOffsets(text), { start, end: rangeEnd });
}
