import * as vscode from 'vscode';
import { getDisplayName } from '../../documents/documentAddress.ts';
import type { SaveIntent } from '../../documents/saveIntent.ts';
import type { ErrorsFoundError } from '../../documents/saveProblems.ts';
import { showModalQuestion } from '../../platform/messages.ts';

const t = vscode.l10n.t;

/** The sources of the problems that describe the text of a document: JSON and SQL. */
const sources = new Set(['datamodel', 'datamodel-sql']);

/** More messages than this are not shown. */
const maxMessages = 5;

/** Returns the messages of our own errors in a document. */
export const findErrors = (uri: vscode.Uri): readonly string[] =>
  vscode.languages
    .getDiagnostics(uri)
    .filter(
      ({ severity, source }) =>
        severity === vscode.DiagnosticSeverity.Error && source !== undefined && sources.has(source),
    )
    .map(({ message }) => message);

/** Asks whether to save a document that has errors. */
export async function promptForErrors(
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
