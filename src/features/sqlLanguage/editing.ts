import * as vscode from 'vscode';
import {
  type CodeAction,
  codeActionsAt,
  definitionAt,
  renameRangeAt,
  renameSymbolAt,
} from '../../sql/language.ts';
import type { TreeTarget } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import { commandLink } from '../../platform/commands.ts';
import { diagnosticSource } from './diagnostics.ts';
import { columnResource, tableResource } from './modelResources.ts';
import type { SqlRegion, SqlRegions } from './regions.ts';
import { conflictWords } from './conflictWords.ts';
import { actionWords } from './words.ts';

/** Fixes for what is wrong, and rewrites. */
export class SqlCodeActions implements vscode.CodeActionProvider {
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
    const place = await this.#regions.at(document, range.start);
    const end = place?.region.offsetAt(range.end);
    if (place === undefined || end === undefined) {
      return [];
    }
    const { region, offset } = place;
    const own = diagnostics.filter(({ source }) => source === diagnosticSource);
    return [
      ...codeActionsAt(region.text, offset, end, region.context).map((found) =>
        toAction(found, region, document, own),
      ),
      ...renameEverywhere(region, offset),
    ];
  }
}

/** Renames a table or column in the whole datamodel: what else uses it is shown before anything is sent. */
function renameEverywhere({ text, context, model }: SqlRegion, offset: number): vscode.CodeAction[] {
  const found = definitionAt(text, offset, context);
  if (found?.table === undefined || found.start !== undefined || model === undefined) {
    return [];
  }
  const { table, column } = found;
  const resource = column === undefined ? tableResource(model, table) : columnResource(model, table, column);
  if (resource === undefined) {
    return [];
  }
  const name = column ?? table;
  const title = vscode.l10n.t('Rename "{0}" in the whole datamodel…', name);
  const within: TreeTarget = {
    resource: { kind: 'datamodel', datamodelId: model.datamodelId },
    name: model.datamodel.title,
  };
  const parent: TreeTarget =
    column === undefined
      ? within
      : { parent: within, resource: tableResource(model, table) ?? resource, name: table };
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.Refactor.append('rename'));
  action.command = commandLink('datamodelStudio.rename.start', title, {
    parent,
    connectionId: model.connectionId,
    resource,
    name,
  });
  return [action];
}

function toAction(
  found: CodeAction,
  region: SqlRegion,
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction {
  const isRewrite = found.code === 'quote' || found.code === 'expand-star';
  const action = new vscode.CodeAction(
    actionWords(found),
    isRewrite ? vscode.CodeActionKind.RefactorRewrite : vscode.CodeActionKind.QuickFix,
  );
  action.edit = workspaceEdit(document, region, found.edits);
  action.isPreferred = found.preferred;
  const ranges = found.edits.map((edit) => region.rangeOf(edit));
  action.diagnostics = isRewrite
    ? []
    : diagnostics.filter((diagnostic) => ranges.some((edited) => edited.intersection(diagnostic.range)));
  return action;
}

function workspaceEdit(
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

/** Renames what a text declares itself: aliases, WITH queries and the columns that they name. */
export class SqlRename implements vscode.RenameProvider {
  readonly #regions: SqlRegions;

  constructor(regions: SqlRegions) {
    this.#regions = regions;
  }

  async prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ range: vscode.Range; placeholder: string }> {
    const place = await this.#regions.at(document, position);
    const found = place && renameRangeAt(place.region.text, place.offset, place.region.context);
    if (place === undefined || found === undefined) {
      throw new Error(refusal(place));
    }
    return { range: place.region.rangeOf(found), placeholder: found.text };
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
  ): Promise<vscode.WorkspaceEdit> {
    const place = await this.#regions.at(document, position);
    if (newName.trim() === '') {
      throw new Error(vscode.l10n.t('A name needs at least one character.'));
    }
    const found = place && renameSymbolAt(place.region.text, place.offset, newName, place.region.context);
    if (place === undefined || found === undefined) {
      throw new Error(refusal(place));
    }
    const { region } = place;
    const [conflict] = found.conflicts;
    if (conflict !== undefined) {
      const lineOf = (start: number): number => region.rangeOf({ start, end: start }).start.line + 1;
      throw new Error(conflictWords(conflict, { newName, lineOf }));
    }
    return workspaceEdit(document, region, found.edits);
  }
}

/** Why nothing can be renamed here. */
function refusal(place: { readonly region: SqlRegion; readonly offset: number } | undefined): string {
  const found = place && definitionAt(place.region.text, place.offset, place.region.context);
  const name = found?.column ?? found?.table;
  return name === undefined
    ? vscode.l10n.t('There is no name here that can be renamed.')
    : vscode.l10n.t(
        '"{0}" belongs to the datamodel, where others use it too. Refactor… renames it everywhere.',
        name,
      );
}

/** Lays a whole text out; the formatter is loaded with the first one. */
export class SqlFormatter implements vscode.DocumentFormattingEditProvider {
  async provideDocumentFormattingEdits(document: vscode.TextDocument): Promise<vscode.TextEdit[]> {
    const { format, isTooMuchToFormat } = await import('../../sql/format.ts');
    const before = document.getText();
    if (isTooMuchToFormat(before)) {
      void showInformation(
        vscode.l10n.t('The text is too long, or nested too deep, to be laid out; it stays as it is.'),
      );
      return [];
    }
    const after = format(before);
    if (after === before) {
      return [];
    }
    const whole = new vscode.Range(new vscode.Position(0, 0), document.positionAt(before.length));
    return [vscode.TextEdit.replace(whole, after)];
  }
}
