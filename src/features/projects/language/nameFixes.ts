import * as vscode from 'vscode';
import { peekUserDirectory } from '../../../connections/createUserDirectory.ts';
import { type JsonDocument } from '../../../json/text/parseJsonTree.ts';
import { getJsonTree } from '../../../json/text/jsonTrees.ts';
import type { FileCatalogs, ProjectFile } from '../../../platform/projects/fileCatalogs.ts';
import { type MisspelledName, type NameFix, createNameFixes } from '../../../project/files/misspelledName.ts';
import { findMisspelledParty } from '../../../project/language/misspelledParty.ts';
import type { ProjectDeps } from '../deps.ts';

type NameFixDeps = Pick<ProjectDeps, 'jsonTrees' | 'sessions' | 'userDirectories'>;

/**
 * Provides quick fixes for misspelled names in the JSON files and settings of projects: names for which `validate`
 * suggests another one, and users and groups that the instance doesn't have. Names in SQL, and tables and columns in
 * rules and viewpoints, get their quick fixes from other providers; in a viewpoint, a dim may have to change, too.
 */
export class NameFixProvider implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];
  readonly #deps: NameFixDeps;
  readonly #catalogs: FileCatalogs;

  constructor(deps: NameFixDeps, catalogs: FileCatalogs) {
    this.#deps = deps;
    this.#catalogs = catalogs;
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeAction[]> {
    const file = await this.#catalogs.findAnyFile(document.uri);
    if (file === undefined) {
      return [];
    }
    const findings = await file.catalog.query('getFindings', file.path);
    if (token.isCancellationRequested) {
      return [];
    }
    const json = getJsonTree(this.#deps.jsonTrees, document);
    const party = this.#findParty(file, json, document.offsetAt(range.start));
    return [...findings.map(({ misspelled }) => misspelled), party]
      .flatMap((misspelled) => (misspelled === undefined ? [] : createNameFixes(json, misspelled)))
      .map((fix) => ({ fix, range: toRange(document, fix.edit) }))
      .filter((located) => located.range.intersection(range) !== undefined)
      .map((located) => createAction(document, located, diagnostics));
  }

  /** Finds a misspelled user or group. Sends no request: without loaded lists, none is known to be misspelled. */
  #findParty({ catalog }: ProjectFile, json: JsonDocument, offset: number): MisspelledName | undefined {
    const connection = this.#catalogs.findConnection(catalog);
    return connection && findMisspelledParty(json, offset, peekUserDirectory(this.#deps, connection.id));
  }
}

const toRange = (document: vscode.TextDocument, { start, end }: NameFix['edit']): vscode.Range =>
  new vscode.Range(document.positionAt(start), document.positionAt(end));

function createAction(
  { uri }: vscode.TextDocument,
  { fix, range }: { readonly fix: NameFix; readonly range: vscode.Range },
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction {
  const action = new vscode.CodeAction(
    vscode.l10n.t('Change to "{0}"', fix.newName),
    vscode.CodeActionKind.QuickFix,
  );
  action.diagnostics = diagnostics.filter((diagnostic) => diagnostic.range.isEqual(range));
  action.isPreferred = fix.isPreferred;
  action.edit = new vscode.WorkspaceEdit();
  action.edit.replace(uri, range, fix.edit.newText);
  return action;
}
