import * as vscode from 'vscode';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { TreeTarget } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { createRenameLocation } from '../../platform/renameLocation.ts';
import { type DocumentName, findDocumentNameAt } from '../../sql/embedded/tableJson.ts';
import { type RenamableName, findRenamableName, renameSymbolAt } from '../../sql/language.ts';
import { describeRenameConflict } from './describeRenameConflict.ts';
import { getSqlDocumentKind } from './documents.ts';
import { toWorkspaceEdit } from './codeActionsAndFormatting.ts';
import { createTreeTarget } from './modelResources.ts';
import { getResourceIdentity } from './resourceIdentity.ts';
import type { SqlRegion, SqlRegions } from './regions.ts';

const t = vscode.l10n.t;

/** What F2 renames: a name that is defined in the text, or a table or column of the datamodel. */
type RenameTarget =
  | {
      readonly kind: 'text';
      readonly region: SqlRegion;
      readonly offset: number;
      readonly renameRange: RenamableName;
    }
  | {
      readonly kind: 'datamodel';
      readonly node: TreeTarget;
      readonly name: string;
      readonly range: vscode.Range;
    };

/**
 * Handles F2. A name that is defined in the text is renamed there. A table or column of the datamodel is renamed with
 * all its references, whether its name is in SQL or in the JSON of its table; Review Changes is shown first.
 */
export class SqlRenameProvider implements vscode.RenameProvider {
  readonly #regions: SqlRegions;

  constructor(regions: SqlRegions) {
    this.#regions = regions;
  }

  async prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ range: vscode.Range; placeholder: string }> {
    const renameTarget = await this.#getTargetAt(document, position);
    if (renameTarget.kind === 'text') {
      const { region, renameRange } = renameTarget;
      return createRenameLocation(document, region.toRange(renameRange), renameRange.text);
    }
    throwIfDirty(document);
    return createRenameLocation(document, renameTarget.range, renameTarget.name);
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
  ): Promise<vscode.WorkspaceEdit> {
    if (newName.trim() === '') {
      throw new Error(t('Enter a name.'));
    }
    const renameTarget = await this.#getTargetAt(document, position);
    if (renameTarget.kind === 'text') {
      return createTextEdits(document, renameTarget, newName);
    }
    throwIfDirty(document);
    // Not awaited, since the rename prompts the user. It changes the SQL files of the workspace, too.
    void runCommand('datamodelStudio.rename.start', renameTarget.node, newName);
    return new vscode.WorkspaceEdit();
  }

  /**
   * Returns what F2 renames at a position.
   * @throws an Error with a user message if nothing can be renamed
   */
  async #getTargetAt(document: vscode.TextDocument, position: vscode.Position): Promise<RenameTarget> {
    const positionInRegion = await this.#regions.findRegionAt(document, position);
    if (positionInRegion === undefined) {
      return getJsonTarget(this.#regions, document, document.offsetAt(position));
    }
    const { region, offset } = positionInRegion;
    const renameRange = findRenamableName(region.text, offset, region.context);
    if (renameRange === undefined) {
      throw new Error(getNothingToRenameMessage());
    }
    const { target } = renameRange;
    if (target === undefined) {
      // In a project, an output of a custom table is a column, which another provider renames.
      if (region.isInProject && (await this.#regions.isTableOrColumnNameAt(document, position))) {
        throw new Error(getNothingToRenameMessage());
      }
      return { kind: 'text', region, offset, renameRange };
    }
    const node =
      region.loadedDatamodel && createTreeTarget(region.loadedDatamodel, target.table, target.column);
    if (node === undefined) {
      // Another provider renames tables and columns in the files of a project.
      throw new Error(
        region.isInProject
          ? getNothingToRenameMessage()
          : getNotOnServerMessage(target.column ?? target.table),
      );
    }
    return {
      kind: 'datamodel',
      node,
      name: target.column ?? target.table,
      range: region.toRange(renameRange),
    };
  }
}

/** Returns the rename target for a name in the JSON of a table or column, outside its SQL. */
function getJsonTarget(regions: SqlRegions, document: vscode.TextDocument, offset: number): RenameTarget {
  const identity = getResourceIdentity(document.uri);
  const kind = getSqlDocumentKind(document);
  const documentName =
    kind === 'table' || kind === 'column' ? findDocumentNameAt(regions.getJson(document), offset) : undefined;
  if (identity === undefined || documentName === undefined) {
    throw new Error(getNothingToRenameMessage());
  }
  const resource = toResource(identity.resource, documentName);
  if (resource === undefined) {
    throw new Error(getNotOnServerMessage(documentName.name));
  }
  const range = new vscode.Range(
    document.positionAt(documentName.start),
    document.positionAt(documentName.end),
  );
  const { connectionId } = identity;
  const node = { connectionId, resource, name: documentName.name };
  return { kind: 'datamodel', node, name: documentName.name, range };
}

function toResource(resource: ResourceRef, { columnId }: DocumentName): ResourceRef | undefined {
  if (columnId === undefined) {
    return resource;
  }
  return resource.kind === 'table' && columnId !== '' ? { ...resource, kind: 'column', columnId } : undefined;
}

function createTextEdits(
  document: vscode.TextDocument,
  { region, offset }: Extract<RenameTarget, { kind: 'text' }>,
  newName: string,
): vscode.WorkspaceEdit {
  const renameResult = renameSymbolAt(region.text, offset, newName, region.context);
  const conflict = renameResult?.conflicts[0];
  if (conflict !== undefined) {
    const getLine = (start: number): number => region.toRange({ start, end: start }).start.line + 1;
    throw new Error(describeRenameConflict(conflict, { newName, getLine }));
  }
  return toWorkspaceEdit(document, region, renameResult?.edits ?? []);
}

/** Throws if a server document has unsaved changes: the rename changes it on the server, and they would conflict. */
function throwIfDirty(document: vscode.TextDocument): void {
  if (document.isDirty && getResourceIdentity(document.uri) !== undefined) {
    throw new Error(t('Save this document first. Renaming changes it on the server.'));
  }
}

const getNothingToRenameMessage = (): string => t("This element can't be renamed.");

const getNotOnServerMessage = (name: string): string =>
  t('"{0}" isn\'t in a known datamodel. Change its name in the text.', name);
