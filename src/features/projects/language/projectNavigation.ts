import * as vscode from 'vscode';
import { basename } from 'node:path/posix';
import { showWarning } from '../../../platform/messages.ts';
import { type FileCatalog, toEditorRange } from '../../../platform/projects/fileCatalog.ts';
import { createRenameLocation } from '../../../platform/renameLocation.ts';
import type { FileCatalogs } from '../../../platform/projects/fileCatalogs.ts';
import type { FileEdit, TableOrColumnName, RenameRefusal } from '../../../project/language/languageCalls.ts';

const t = vscode.l10n.t;

/** A table or column at a position, with the project that it belongs to. */
interface NameAtPosition {
  readonly catalog: FileCatalog;
  readonly name: TableOrColumnName;
  readonly range: vscode.Range;
}

/** Finds and renames tables and columns in all files of a project. */
export class ProjectNavigationProvider
  implements vscode.DefinitionProvider, vscode.ReferenceProvider, vscode.RenameProvider
{
  readonly #catalogs: FileCatalogs;

  constructor(catalogs: FileCatalogs) {
    this.#catalogs = catalogs;
  }

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.LocationLink[] | undefined> {
    const found = await this.#findName(document, position);
    const location = await found?.catalog.query('findDefinition', found.name);
    if (found === undefined || location === undefined) {
      return undefined;
    }
    const { uri, range } = found.catalog.toLocation(location);
    return [{ originSelectionRange: found.range, targetUri: uri, targetRange: range }];
  }

  async provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
    { includeDeclaration }: vscode.ReferenceContext,
  ): Promise<vscode.Location[]> {
    const found = await this.#findName(document, position);
    const locations = await found?.catalog.query('findReferences', {
      name: found.name,
      includesDeclaration: includeDeclaration,
    });
    return (locations ?? [])
      .map((location) => found?.catalog.toLocation(location))
      .filter((location) => location !== undefined);
  }

  async prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ range: vscode.Range; placeholder: string }> {
    const found = await this.#findName(document, position);
    if (found === undefined) {
      throw new Error(t("This element can't be renamed."));
    }
    return createRenameLocation(document, found.range, getOwnName(found.name));
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
  ): Promise<vscode.WorkspaceEdit | undefined> {
    const found = await this.#findName(document, position);
    if (found === undefined) {
      return undefined;
    }
    const { catalog, name } = found;
    // The edits must fit the current texts, and a watcher may not have reported all changes yet.
    await catalog.readUnreportedChanges();
    const result = await catalog.query('rename', { name, newName });
    if ('refusal' in result) {
      throw new Error(describeRefusal(result.refusal, name, newName));
    }
    const { edits, unreadablePaths } = result;
    if (unreadablePaths.length > 0) {
      warnAboutUnreadableFiles(unreadablePaths);
    }
    return createWorkspaceEdit(catalog, edits);
  }

  async #findName(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<NameAtPosition | undefined> {
    const file = await this.#catalogs.findItemFile(document.uri);
    const found = await file?.catalog.query('findName', {
      path: file.path,
      offset: document.offsetAt(position),
    });
    return file === undefined || found === undefined
      ? undefined
      : { catalog: file.catalog, name: found.name, range: toEditorRange(found.span) };
  }
}

const getOwnName = ({ table, column }: TableOrColumnName): string => column ?? table;

function createWorkspaceEdit(catalog: FileCatalog, edits: readonly FileEdit[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  const certain: vscode.WorkspaceEditEntryMetadata = {
    label: t('References in the project'),
    needsConfirmation: false,
  };
  const uncertain: vscode.WorkspaceEditEntryMetadata = {
    label: t('Rules of cube sets'),
    description: t('Several datamodels have this table'),
    needsConfirmation: true,
  };
  const hasUncertain = edits.some(({ isUncertain }) => isUncertain);
  for (const { path, span, newText, isUncertain } of edits) {
    const metadata = isUncertain === true ? uncertain : certain;
    // Without labels, the preview lists the edits by file.
    edit.replace(catalog.getUri(path), toEditorRange(span), newText, hasUncertain ? metadata : undefined);
  }
  return edit;
}

function warnAboutUnreadableFiles(paths: readonly string[]): void {
  const [path = ''] = paths;
  // Not awaited: the message stays until it is dismissed.
  void showWarning(
    paths.length === 1
      ? t("{0} can't be read, so the former name might still be in it.", path)
      : paths.length === 2
        ? t("{0} and 1 more file can't be read, so the former name might still be in them.", path)
        : t(
            "{0} and {1} more files can't be read, so the former name might still be in them.",
            path,
            paths.length - 1,
          ),
  );
}

function describeRefusal(refusal: RenameRefusal, name: TableOrColumnName, newName: string): string {
  switch (refusal.reason) {
    case 'empty':
      return t('Enter a name.');
    case 'same':
      return t('Enter another name.');
    case 'taken':
      return name.column === undefined
        ? t('The datamodel already has a table "{0}".', newName)
        : t('The table already has a column "{0}".', newName);
    case 'not-found':
      return t('"{0}" isn\'t in the project files. Change its name in the text.', getOwnName(name));
    case 'star':
      return t(
        'The query of the table selects "{0}" with *. Name the column in the query first.',
        getOwnName(name),
      );
    case 'renamed-before':
      return t(
        'In some environments, "{0}" still has its former name, "{1}". Apply that rename there first.',
        getOwnName(name),
        refusal.formerName,
      );
    case 'conflict':
      return t(
        'Can\'t rename to "{0}": in {1}, line {2}, "{3}" would refer to something else.',
        newName,
        basename(refusal.path),
        refusal.line,
        refusal.conflict.name,
      );
  }
}
