import * as vscode from 'vscode';
import { getProjectFileCompletions } from '../../../json/language/completeProjectFile.ts';
import { type JsonTrees, getJsonTree } from '../../../json/text/jsonTrees.ts';
import { toCompletionList } from '../../../platform/jsonCompletions.ts';
import { describeTableOrColumn } from '../../../platform/describeTableOrColumn.ts';
import { toEditorRange } from '../../../platform/projects/fileCatalog.ts';
import type { FileCatalogs } from '../../../platform/projects/fileCatalogs.ts';
import { escapeMarkdownText } from '../../../platform/serverText.ts';
import { getFileKind } from '../../../project/files/fileKinds.ts';
import { DatamodelLookup } from '../../../viewpoints/datamodelLookup.ts';

/** Provides hovers and completions of names in the JSON of datamodels, datasets, tables, and relations. */
export class ModelFileHelp implements vscode.HoverProvider, vscode.CompletionItemProvider {
  readonly #trees: JsonTrees;
  readonly #catalogs: FileCatalogs;

  constructor({ jsonTrees }: { readonly jsonTrees: JsonTrees }, catalogs: FileCatalogs) {
    this.#trees = jsonTrees;
    this.#catalogs = catalogs;
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const file = await this.#catalogs.findItemFile(document.uri);
    const found = await file?.catalog.query('findName', {
      path: file.path,
      offset: document.offsetAt(position),
    });
    const fileDatamodel = found && (await file?.catalog.getDatamodel(found.name.datamodel));
    const lines = fileDatamodel && describeTableOrColumn(fileDatamodel.datamodel, found.name);
    if (found === undefined || lines === undefined) {
      return undefined;
    }
    // Names and descriptions may be those of a server, so they are escaped.
    const content = new vscode.MarkdownString();
    content.appendMarkdown(escapeMarkdownText(lines.filter((line) => line !== '').join('\n\n')));
    return new vscode.Hover(content, toEditorRange(found.span));
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionList | undefined> {
    const file = await this.#catalogs.findItemFile(document.uri);
    const kind = file && getFileKind(file.path);
    if (kind !== 'datamodel' && kind !== 'dataset' && kind !== 'table' && kind !== 'relation') {
      return undefined;
    }
    const { datamodel: title = '' } = (await file?.catalog.getFileContext(file.path)) ?? {};
    const fileDatamodel = await file?.catalog.getDatamodel(title);
    return fileDatamodel === undefined
      ? undefined
      : toCompletionList(
          document,
          getProjectFileCompletions(kind, getJsonTree(this.#trees, document), document.offsetAt(position), {
            model: new DatamodelLookup(fileDatamodel.catalog),
            datasets: (fileDatamodel.datamodel.datasets ?? []).flatMap(({ name }) => name ?? []),
          }),
        );
  }
}
