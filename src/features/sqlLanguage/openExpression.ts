import * as vscode from 'vscode';
import { type ResourceTarget, schemes } from '../../contributions.ts';
import {
  getDisplayName,
  getDocumentPath,
  getContainerNames,
  readDocumentAddress,
} from '../../documents/documentAddress.ts';
import type { JsonDocument } from '../../json/text/parseJsonTree.ts';
import { createCommand, runCommand } from '../../platform/commands.ts';
import { showInformation } from '../../platform/messages.ts';
import { type EmbeddedExpression, findEmbeddedExpressions } from '../../sql/embedded/tableJson.ts';

/** Parses the JSON of a document; each version is parsed once. */
type GetJson = (document: vscode.TextDocument) => JsonDocument;

/** Shows a link above each expression in the JSON of a table, which opens its SQL in an editor of its own. */
export class OpenExpressionLensProvider implements vscode.CodeLensProvider {
  readonly #getJson: GetJson;

  constructor(getJson: GetJson) {
    this.#getJson = getJson;
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    return findExpressions(document, this.#getJson).flatMap((expression) => {
      const target = createTarget(document, expression);
      const start = document.positionAt(expression.literal.start);
      return target === undefined
        ? []
        : new vscode.CodeLens(
            new vscode.Range(start, start),
            createCommand('datamodelStudio.documents.open', vscode.l10n.t('Open SQL'), target),
          );
    });
  }
}

/**
 * Opens the SQL of the custom column at the caret of the active editor, which shows the JSON of a table. If the caret
 * is not in a custom column, opens the SQL of the custom table, or of the only custom column.
 */
export async function openExpressionAtCaret(getJson: GetJson): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const expressions = editor === undefined ? [] : findExpressions(editor.document, getJson);
  if (editor === undefined || expressions.length === 0) {
    await showInformation(
      vscode.l10n.t('No SQL found. Open the JSON of a custom table or of a table with custom columns.'),
    );
    return;
  }
  const caret = editor.document.offsetAt(editor.selection.active);
  const expression =
    expressions.find(({ kind, owner }) => kind === 'column' && owner.start <= caret && caret <= owner.end) ??
    expressions.find(({ kind }) => kind === 'table') ??
    (expressions.length === 1 ? expressions[0] : undefined);
  if (expression === undefined) {
    await showInformation(vscode.l10n.t('Place the cursor in a custom column to open its SQL.'));
    return;
  }
  const target = createTarget(editor.document, expression);
  if (target === undefined) {
    await showInformation(
      vscode.l10n.t('Save the new column first. You can open its SQL once the column is on the server.'),
    );
    return;
  }
  await runCommand('datamodelStudio.documents.open', target);
}

/**
 * Finds the expressions in the JSON of a table on a server. Columns with an empty expression are not custom columns.
 */
const findExpressions = (document: vscode.TextDocument, getJson: GetJson): readonly EmbeddedExpression[] =>
  document.uri.scheme === schemes.document && readDocumentAddress(document.uri)?.resource.kind === 'table'
    ? findEmbeddedExpressions(getJson(document), 'table').filter(
        ({ kind, literal }) => kind === 'table' || literal.text !== '',
      )
    : [];

/** Creates the target of an expression; `undefined` if it is not on the server yet. */
function createTarget(
  { uri }: vscode.TextDocument,
  { kind, columnId, owner }: EmbeddedExpression,
): ResourceTarget | undefined {
  const identity = readDocumentAddress(uri);
  if (identity?.resource.kind !== 'table') {
    return undefined;
  }
  const { connectionId, resource } = identity;
  const path = getDocumentPath(uri);
  const [table, containerNames] = [getDisplayName(path), getContainerNames(path)];
  if (kind === 'table') {
    return {
      connectionId,
      resource: { ...resource, kind: 'tableExpression' },
      name: table,
      within: containerNames,
    };
  }
  return columnId === undefined || columnId === ''
    ? undefined
    : {
        connectionId,
        resource: { ...resource, kind: 'columnExpression', columnId },
        name: owner.name ?? columnId,
        within: [...containerNames, table],
      };
}
