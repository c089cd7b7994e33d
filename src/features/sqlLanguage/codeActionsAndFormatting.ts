import * as vscode from 'vscode';
import { type CodeAction, codeActionsAt, definitionAt } from '../../sql/language.ts';
import { isTooLongToFormat } from '../../sql/formatLimit.ts';
import { showInformation } from '../../platform/messages.ts';
import { createCommand } from '../../platform/commands.ts';
import { sqlDiagnosticSource } from '../../contributions.ts';
import type { SqlLanguageDeps } from './deps.ts';
import { createTreeTarget } from './modelResources.ts';
import { formatInWorker } from './formatInWorker.ts';
import type { SqlRegion, SqlRegions } from './regions.ts';
import { describeCodeAction } from './messages.ts';

/** Provides quick fixes and refactorings. */
export class SqlCodeActionProvider implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.Refactor];
  readonly #regions: SqlRegions;

  constructor(regions: SqlRegions) {
    this.#regions = regions;
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const positionInRegion = await this.#regions.findRegionAt(document, range.start);
    const end = positionInRegion?.region.offsetAt(range.end);
    if (positionInRegion === undefined || end === undefined) {
      return [];
    }
    const { region, offset } = positionInRegion;
    const sqlDiagnostics = diagnostics.filter(({ source }) => source === sqlDiagnosticSource);
    return [
      ...codeActionsAt(region.text, offset, end, region.context).map((codeAction) =>
        toCodeAction(codeAction, region, document, sqlDiagnostics),
      ),
      ...createRenameActions(region, offset),
    ];
  }
}

/**
 * Creates the action that renames a table or column in the whole datamodel. The user reviews all references before
 * anything is sent.
 */
function createRenameActions(
  { text, context, loadedDatamodel }: SqlRegion,
  offset: number,
): vscode.CodeAction[] {
  const definition = definitionAt(text, offset, context);
  if (definition?.table === undefined || definition.start !== undefined || loadedDatamodel === undefined) {
    return [];
  }
  const { table, column } = definition;
  const node = createTreeTarget(loadedDatamodel, table, column);
  if (node === undefined) {
    return [];
  }
  const title = vscode.l10n.t('Rename "{0}" in the entire datamodel…', column ?? table);
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.Refactor.append('rename'));
  action.command = createCommand('datamodelStudio.rename.start', title, node);
  return [action];
}

function toCodeAction(
  codeAction: CodeAction,
  region: SqlRegion,
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction {
  const isRewrite = codeAction.code === 'quote' || codeAction.code === 'expand-star';
  const action = new vscode.CodeAction(
    describeCodeAction(codeAction),
    isRewrite ? vscode.CodeActionKind.RefactorRewrite : vscode.CodeActionKind.QuickFix,
  );
  action.edit = toWorkspaceEdit(document, region, codeAction.edits);
  action.isPreferred = codeAction.isPreferred;
  const ranges = codeAction.edits.map((edit) => region.toRange(edit));
  action.diagnostics = isRewrite
    ? []
    : diagnostics.filter((diagnostic) =>
        ranges.some((editRange) => editRange.intersection(diagnostic.range)),
      );
  return action;
}

export function toWorkspaceEdit(
  document: vscode.TextDocument,
  region: SqlRegion,
  edits: CodeAction['edits'],
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  edit.set(
    document.uri,
    edits.map((textEdit) =>
      vscode.TextEdit.replace(region.toRange(textEdit), region.escapeForDocument(textEdit.newText)),
    ),
  );
  return edit;
}

/** Formats whole documents in a worker thread, which loads the formatter. */
export class SqlFormattingProvider implements vscode.DocumentFormattingEditProvider {
  readonly #deps: Pick<SqlLanguageDeps, 'clock' | 'extensionUri'>;

  constructor(deps: Pick<SqlLanguageDeps, 'clock' | 'extensionUri'>) {
    this.#deps = deps;
  }

  async provideDocumentFormattingEdits(
    document: vscode.TextDocument,
    _options: vscode.FormattingOptions,
    token: vscode.CancellationToken,
  ): Promise<vscode.TextEdit[]> {
    const originalText = document.getText();
    const formattedText = await this.#format(originalText, token);
    if (token.isCancellationRequested || formattedText === originalText) {
      return [];
    }
    if (formattedText === undefined) {
      void showInformation(vscode.l10n.t("Can't format the SQL: it's too long or nested too deeply."));
      return [];
    }
    const fullRange = new vscode.Range(new vscode.Position(0, 0), document.positionAt(originalText.length));
    return [vscode.TextEdit.replace(fullRange, formattedText)];
  }

  /** Formats a text; `undefined` if it is too large or the user cancels. */
  async #format(text: string, token: vscode.CancellationToken): Promise<string | undefined> {
    const { clock, extensionUri } = this.#deps;
    if (isTooLongToFormat(text)) {
      return undefined;
    }
    const script = vscode.Uri.joinPath(extensionUri, 'dist', 'formatWorker.js');
    const abortController = new AbortController();
    const subscription = token.onCancellationRequested(() =>
      abortController.abort(new vscode.CancellationError()),
    );
    try {
      return await formatInWorker(script.fsPath, text, { clock, signal: abortController.signal });
    } catch (error) {
      if (abortController.signal.aborted) {
        return undefined;
      }
      throw error;
    } finally {
      subscription.dispose();
    }
  }
}
