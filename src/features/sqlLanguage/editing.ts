import * as vscode from 'vscode';
import { type CodeAction, codeActionsAt, definitionAt } from '../../sql/language.ts';
import { isTooLongToFormat } from '../../sql/formatLimit.ts';
import { showInformation } from '../../platform/messages.ts';
import { createCommand } from '../../platform/commands.ts';
import { sqlDiagnosticSource } from './diagnostics.ts';
import type { SqlLanguageDeps } from './deps.ts';
import { createTreeTarget } from './modelResources.ts';
import { formatInWorker } from './formatThread.ts';
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
    const place = await this.#regions.findRegionAt(document, range.start);
    const end = place?.region.offsetAt(range.end);
    if (place === undefined || end === undefined) {
      return [];
    }
    const { region, offset } = place;
    const own = diagnostics.filter(({ source }) => source === sqlDiagnosticSource);
    return [
      ...codeActionsAt(region.text, offset, end, region.context).map((found) =>
        toCodeAction(found, region, document, own),
      ),
      ...createRenameActions(region, offset),
    ];
  }
}

/**
 * Creates the action that renames a table or column in the whole datamodel; the rename shows all references before
 * anything is sent.
 */
function createRenameActions({ text, context, model }: SqlRegion, offset: number): vscode.CodeAction[] {
  const found = definitionAt(text, offset, context);
  if (found?.table === undefined || found.start !== undefined || model === undefined) {
    return [];
  }
  const { table, column } = found;
  const node = createTreeTarget(model, table, column);
  if (node === undefined) {
    return [];
  }
  const title = vscode.l10n.t('Rename "{0}" in the whole datamodel…', column ?? table);
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.Refactor.append('rename'));
  action.command = createCommand('datamodelStudio.rename.start', title, node);
  return [action];
}

function toCodeAction(
  found: CodeAction,
  region: SqlRegion,
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction {
  const isRewrite = found.code === 'quote' || found.code === 'expand-star';
  const action = new vscode.CodeAction(
    describeCodeAction(found),
    isRewrite ? vscode.CodeActionKind.RefactorRewrite : vscode.CodeActionKind.QuickFix,
  );
  action.edit = toWorkspaceEdit(document, region, found.edits);
  action.isPreferred = found.preferred;
  const ranges = found.edits.map((edit) => region.rangeOf(edit));
  action.diagnostics = isRewrite
    ? []
    : diagnostics.filter((diagnostic) => ranges.some((edited) => edited.intersection(diagnostic.range)));
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
    edits.map((one) => vscode.TextEdit.replace(region.rangeOf(one), region.written(one.newText))),
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
    const before = document.getText();
    const after = await this.#format(before, token);
    if (token.isCancellationRequested || after === before) {
      return [];
    }
    if (after === undefined) {
      void showInformation(
        vscode.l10n.t('The SQL is too long or nested too deep to be formatted. It was not changed.'),
      );
      return [];
    }
    const whole = new vscode.Range(new vscode.Position(0, 0), document.positionAt(before.length));
    return [vscode.TextEdit.replace(whole, after)];
  }

  /** Formats a text; `undefined` if it is too large or the user cancels. */
  async #format(text: string, token: vscode.CancellationToken): Promise<string | undefined> {
    const { clock, extensionUri } = this.#deps;
    if (isTooLongToFormat(text)) {
      return undefined;
    }
    const script = vscode.Uri.joinPath(extensionUri, 'dist', 'formatWorker.js');
    const stop = new AbortController();
    const cancelled = token.onCancellationRequested(() => stop.abort(new vscode.CancellationError()));
    try {
      return await formatInWorker(script.fsPath, text, { clock, signal: stop.signal });
    } catch (error) {
      if (stop.signal.aborted) {
        return undefined;
      }
      throw error;
    } finally {
      cancelled.dispose();
    }
  }
}
