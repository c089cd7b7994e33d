import * as vscode from 'vscode';
import { getDisplayName, getDocumentPath } from '../../documents/documentAddress.ts';
import type { SaveIntent } from '../../documents/saveIntent.ts';
import type { ErrorsFoundError } from '../../documents/saveErrors.ts';
import { showModalQuestion } from '../../platform/messages.ts';
import { findOpenDocument } from './openDocuments.ts';

const t = vscode.l10n.t;

/** The sources of the diagnostics of this extension that are about the text of a document: JSON and SQL. */
const sources = new Set(['datamodel', 'datamodel-sql']);

/** The maximum number of messages shown. */
const maxMessages = 5;

/** The codes of the errors that SQL gets where it uses an old name of a table or column. */
const unknownNameCodes = new Set<unknown>(['unknown-table', 'unknown-column']);

/**
 * Returns the messages of the errors that this extension reports in a document.
 * @param replacedNames the old names of tables and columns that the save renames; errors which say that these are
 *   unknown are left out
 */
export function findErrorMessages(uri: vscode.Uri, replacedNames: readonly string[]): readonly string[] {
  const document = findOpenDocument(getDocumentPath(uri));
  const replacedKeys = new Set(replacedNames.map(getNameKey));
  const usesReplacedName = ({ code, range }: vscode.Diagnostic): boolean =>
    unknownNameCodes.has(code) &&
    document !== undefined &&
    replacedKeys.has(getNameKey(document.getText(range)));
  return vscode.languages
    .getDiagnostics(uri)
    .filter(
      (diagnostic) =>
        diagnostic.severity === vscode.DiagnosticSeverity.Error &&
        diagnostic.source !== undefined &&
        sources.has(diagnostic.source) &&
        !usesReplacedName(diagnostic),
    )
    .map(({ message }) => message);
}

/** Returns a key that is equal for a name and for its quoted and escaped forms in SQL within JSON. */
const getNameKey = (name: string): string => name.replaceAll(/["'`[\\\]]/g, '').toLowerCase();

/** Asks whether to save a document that has errors. */
export async function confirmSaveWithErrors(
  path: string,
  { messages }: ErrorsFoundError,
): Promise<SaveIntent | undefined> {
  const saveLabel = t('Save Anyway');
  const name = getDisplayName(path);
  const question =
    messages.length === 1
      ? t('1 error in {0}. Save anyway?', name)
      : t('{0} errors in {1}. Save anyway?', messages.length, name);
  const answer = await showModalQuestion(question, messages.slice(0, maxMessages), saveLabel);
  return answer === saveLabel ? { acceptsErrors: true } : undefined;
}
