import * as vscode from 'vscode';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { TreeTarget } from '../../contributions.ts';
import { answerOf } from '../../platform/commands.ts';
import { type DocumentName, nameAt } from '../../sql/embedded/tableJson.ts';
import { renameIn, type RenameRange, renameRangeAt, renameSymbolAt } from '../../sql/language.ts';
import { conflictWords } from './conflictWords.ts';
import { sqlDocumentKind } from './documents.ts';
import { workspaceEdit } from './editing.ts';
import { nodeOf } from './modelResources.ts';
import { originOf } from './origin.ts';
import type { SqlRegion, SqlRegions } from './regions.ts';

const t = vscode.l10n.t;

/** What F2 stands on. */
type Place =
  | {
      readonly kind: 'text';
      readonly region: SqlRegion;
      readonly offset: number;
      readonly found: RenameRange;
    }
  | {
      readonly kind: 'datamodel';
      readonly node: TreeTarget;
      readonly name: string;
      readonly range: vscode.Range;
      /** Of a file that the server does not have: it follows the rename. */
      readonly follows?: { readonly region: SqlRegion; readonly target: NonNullable<RenameRange['target']> };
    };

/**
 * F2: what a text gives a name itself is renamed in the text; a table or column of the datamodel is renamed everywhere,
 * with a plan, whether its name stands in SQL or in the JSON of its table.
 */
export class SqlRename implements vscode.RenameProvider {
  readonly #regions: SqlRegions;

  constructor(regions: SqlRegions) {
    this.#regions = regions;
  }

  async prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ range: vscode.Range; placeholder: string }> {
    const place = await this.#placeAt(document, position);
    if (place.kind === 'text') {
      return { range: place.region.rangeOf(place.found), placeholder: place.found.text };
    }
    refuseUnsaved(document);
    return { range: place.range, placeholder: place.name };
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
  ): Promise<vscode.WorkspaceEdit> {
    if (newName.trim() === '') {
      throw new Error(t('A name needs at least one character.'));
    }
    const place = await this.#placeAt(document, position);
    if (place.kind === 'text') {
      return editsInText(document, place, newName);
    }
    refuseUnsaved(document);
    // The plan takes its time, and asks: the editor does not wait for it.
    void renameEverywhere(document, place, newName);
    return new vscode.WorkspaceEdit();
  }

  /** @throws what to tell the person where nothing can be renamed */
  async #placeAt(document: vscode.TextDocument, position: vscode.Position): Promise<Place> {
    const at = await this.#regions.at(document, position);
    if (at === undefined) {
      return jsonPlace(this.#regions, document, document.offsetAt(position));
    }
    const { region, offset } = at;
    const found = renameRangeAt(region.text, offset, region.context);
    if (found === undefined) {
      throw new Error(nothingHere());
    }
    const { target } = found;
    if (target === undefined) {
      return { kind: 'text', region, offset, found };
    }
    const node = region.model && nodeOf(region.model, target.table, target.column);
    if (node === undefined) {
      throw new Error(notOnServer(target.column ?? target.table));
    }
    return {
      kind: 'datamodel',
      node,
      name: target.column ?? target.table,
      range: region.rangeOf(found),
      ...(originOf(document.uri) === undefined ? { follows: { region, target } } : {}),
    };
  }
}

/** A name in the JSON of a table, outside its SQL. */
function jsonPlace(regions: SqlRegions, document: vscode.TextDocument, offset: number): Place {
  const origin = originOf(document.uri);
  const kind = sqlDocumentKind(document);
  const found = kind === 'table' || kind === 'column' ? nameAt(regions.jsonOf(document), offset) : undefined;
  if (origin === undefined || found === undefined) {
    throw new Error(nothingHere());
  }
  const resource = resourceOf(origin.resource, found);
  if (resource === undefined) {
    throw new Error(notOnServer(found.name));
  }
  const range = new vscode.Range(document.positionAt(found.start), document.positionAt(found.end));
  const { connectionId } = origin;
  const node = { connectionId, resource, name: found.name };
  return { kind: 'datamodel', node, name: found.name, range };
}

function resourceOf(document: ResourceRef, { columnId }: DocumentName): ResourceRef | undefined {
  if (columnId === undefined) {
    return document;
  }
  return document.kind === 'table' && columnId !== '' ? { ...document, kind: 'column', columnId } : undefined;
}

function editsInText(
  document: vscode.TextDocument,
  { region, offset }: Extract<Place, { kind: 'text' }>,
  newName: string,
): vscode.WorkspaceEdit {
  const renaming = renameSymbolAt(region.text, offset, newName, region.context);
  const conflict = renaming?.conflicts[0];
  if (conflict !== undefined) {
    const lineOf = (start: number): number => region.rangeOf({ start, end: start }).start.line + 1;
    throw new Error(conflictWords(conflict, { newName, lineOf }));
  }
  return workspaceEdit(document, region, renaming?.edits ?? []);
}

/** Starts the rename that the explorer has; a file of the workspace follows when it is done and was not changed since. */
async function renameEverywhere(
  document: vscode.TextDocument,
  { node, follows }: Extract<Place, { kind: 'datamodel' }>,
  newName: string,
): Promise<void> {
  const { version } = document;
  const isDone = await answerOf('datamodelStudio.rename.start', node, newName);
  if (isDone === true && follows !== undefined && document.version === version) {
    const { region, target } = follows;
    const edits = renameIn(region.text, target, newName, region.context);
    await vscode.workspace.applyEdit(workspaceEdit(document, region, edits));
  }
}

/** A rename changes the document on the server: what is not saved would be in its way. */
function refuseUnsaved(document: vscode.TextDocument): void {
  if (document.isDirty && originOf(document.uri) !== undefined) {
    throw new Error(t('Save this document first: the rename changes it on the server.'));
  }
}

const nothingHere = (): string => t('There is no name here that can be renamed.');

const notOnServer = (name: string): string =>
  t('"{0}" is not in a datamodel that is known here: change its name where it stands.', name);
