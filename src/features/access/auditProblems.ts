import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { schemes } from '../../contributions.ts';
import { type DocumentRef, createDocumentPath } from '../../documents/documentAddress.ts';
import { type JsonDocument, parseJson } from '../../json/text/parseJson.ts';
import { getPathRange } from '../../json/text/pathRange.ts';
import type { AuditFinding } from '../../security/audit/auditFinding.ts';
import type { DiagnosticSeverity } from '../../sql/language.ts';
import type { InstanceAudit, SubjectAudit } from './auditInstance.ts';
import { describeFinding } from './auditLabels.ts';

/** A finding and the document that contains it. */
interface LocatedFinding {
  readonly uri: vscode.Uri;
  /** The path inside the document's value. */
  readonly path: readonly (string | number)[];
  readonly finding: AuditFinding;
}

/** How many documents are read concurrently to locate their findings. */
const maxConcurrentReads = 6;
/** How many documents are read in total, since each may need a request. Others have their markers at the start. */
const maxDocuments = 300;

/** Shows the findings of the latest audit of each connection in the Problems view, by rule or viewpoint. */
export class AuditProblems implements Disposable {
  readonly #store = new DisposableStore();
  readonly #diagnostics = this.#store.add(vscode.languages.createDiagnosticCollection('datamodel-security'));
  readonly #uris = new Map<string, readonly vscode.Uri[]>();

  /** Replaces the earlier findings of the connection. */
  async show(audit: InstanceAudit, signal: AbortSignal): Promise<void> {
    this.clear(audit.connectionId);
    const byUri = Map.groupBy(locateFindings(audit), ({ uri }) => uri.toString());
    const documents = [...byUri.values()];
    this.#uris.set(
      audit.connectionId,
      documents.flatMap(([firstFinding]) => (firstFinding === undefined ? [] : [firstFinding.uri])),
    );
    for (let batchStart = 0; batchStart < documents.length; batchStart += maxConcurrentReads) {
      signal.throwIfAborted();
      await Promise.all(
        documents
          .slice(batchStart, batchStart + maxConcurrentReads)
          .map((findings) => this.#showDocument(findings, batchStart < maxDocuments)),
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

  async #showDocument(findings: readonly LocatedFinding[], shouldRead: boolean): Promise<void> {
    const [firstFinding] = findings;
    if (firstFinding === undefined) {
      return;
    }
    const json = parseJson(shouldRead ? await readText(firstFinding.uri) : '');
    this.#diagnostics.set(
      firstFinding.uri,
      findings.map(({ path, finding }) => {
        const diagnostic = new vscode.Diagnostic(
          getRange(json, path),
          describeFinding(finding),
          severities[finding.severity],
        );
        diagnostic.source = vscode.l10n.t('Datamodel Studio security');
        diagnostic.code = finding.code;
        return diagnostic;
      }),
    );
  }
}

const severities: Readonly<Record<DiagnosticSeverity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/** Returns the text of a document; empty if it was deleted meanwhile, which puts the markers at its start. */
async function readText(uri: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof vscode.FileSystemError) {
      return '';
    }
    throw error;
  }
}

function getRange(json: JsonDocument, path: LocatedFinding['path']): vscode.Range {
  const { text } = json;
  const { start, end } = getPathRange(json, path);
  // Underlining a whole rule would be too much: its first line is enough.
  const rangeEnd = path.length === 0 ? start + Math.max(0, text.slice(start).search(/\r?\n|$/)) : end;
  return new vscode.Range(getPosition(text, start), getPosition(text, rangeEnd));
}

function getPosition(text: string, offset: number): vscode.Position {
  const lines = text.slice(0, offset).split('\n');
  return new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
}

const locateFindings = (audit: InstanceAudit): readonly LocatedFinding[] =>
  audit.subjects.flatMap((subject) =>
    subject.findings.flatMap((finding) => locateFinding(audit, subject, finding) ?? []),
  );

function locateFinding(
  audit: InstanceAudit,
  { subject, rules }: SubjectAudit,
  finding: AuditFinding,
): LocatedFinding | undefined {
  const { connectionId, connectionName, viewpointNames } = audit;
  const toDocumentUri = (resource: DocumentRef, name: string, ...within: readonly string[]): vscode.Uri =>
    vscode.Uri.from({
      scheme: schemes.document,
      path: createDocumentPath({ connectionId, resource, name, within: [connectionName, ...within] }),
    });
  const { index, viewpointId, path = [] } = finding;
  if (viewpointId !== undefined) {
    const resource = { kind: 'viewpoint', viewpointId } as const;
    return {
      uri: toDocumentUri(resource, viewpointNames.get(viewpointId) ?? viewpointId),
      path: ['visibility'],
      finding,
    };
  }
  const rule = index === undefined ? undefined : rules[index];
  if (rule === undefined) {
    return undefined;
  }
  const { table, column, _id: ruleId } = rule;
  const within = [getSubjectTitle(subject), vscode.l10n.t('Data Security')];
  const name = `${table}.${column}`;
  return ruleId
    ? { uri: toDocumentUri({ kind: 'rule', subject, ruleId }, name, ...within), path, finding }
    : {
        uri: toDocumentUri({ kind: 'columnRules', subject, table, column }, name, ...within),
        path: [],
        finding,
      };
}
