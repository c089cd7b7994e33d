import * as vscode from 'vscode';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { getTableName } from '../../contract/table.ts';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import type { JsonDocument } from '../../json/text/parseJsonTree.ts';
import { escapeJson } from '../../sql/embedded/jsonString.ts';
import { createEmbeddedContext, findEmbeddedExpressions } from '../../sql/embedded/tableJson.ts';
import { type Catalog, type ExpressionContext, SqlParseCache } from '../../sql/language.ts';
import type { DatamodelIdentity, DatamodelLoader, LoadedDatamodel } from './datamodelLoader.ts';
import type { SqlLanguageDeps } from './deps.ts';
import type { SqlFileDatamodels } from './sqlFileDatamodels.ts';
import { type ProjectExpression, findProjectExpression } from './projectExpressions.ts';
import { type SqlDocumentKind, getSqlDocumentKind } from './documents.ts';
import { getResourceIdentity, getExpressionKey } from './resourceIdentity.ts';

/** A range of a document that contains SQL; offsets are relative to its text. */
export interface SqlRegion {
  readonly text: string;
  readonly context: ExpressionContext;
  /** The datamodel of the document; `undefined` if none is picked or it cannot be loaded. */
  readonly loadedDatamodel: LoadedDatamodel | undefined;
  readonly isWholeDocument: boolean;
  /**
   * Identifies the expression in every document that shows it ({@link getExpressionKey}); `undefined` if it is not on a
   * server.
   */
  readonly expressionKey: string | undefined;
  /** Set for a file of a project; its names refer to tables and columns in the files of the project. */
  readonly isInProject?: true;
  toRange(extent: { readonly start: number; readonly end: number }): vscode.Range;
  /** Returns the offset of a position; `undefined` outside the region. */
  offsetAt(position: vscode.Position): number | undefined;
  /** Escapes text for insertion into the document. */
  escapeForDocument(text: string): string;
}

/** The catalog used without a datamodel; since it is incomplete, no name is reported as unknown. */
const emptyCatalog: Catalog = { complete: false, tables: [] };

/** Finds the SQL in documents, with the context that its names refer to. */
export class SqlRegions {
  readonly #trees: JsonTrees;
  readonly #datamodelLoader: DatamodelLoader;
  readonly #fileDatamodels: SqlFileDatamodels;
  readonly #loadFileCatalogs: SqlLanguageDeps['loadFileCatalogs'];
  readonly #parseCaches = new WeakMap<vscode.TextDocument, SqlParseCache>();

  constructor(
    { jsonTrees, loadFileCatalogs }: Pick<SqlLanguageDeps, 'jsonTrees' | 'loadFileCatalogs'>,
    datamodelLoader: DatamodelLoader,
    fileDatamodels: SqlFileDatamodels,
  ) {
    this.#trees = jsonTrees;
    this.#loadFileCatalogs = loadFileCatalogs;
    this.#datamodelLoader = datamodelLoader;
    this.#fileDatamodels = fileDatamodels;
  }

  /** Returns the JSON tree of a document. */
  getJson(document: vscode.TextDocument): JsonDocument {
    return getJsonTree(this.#trees, document);
  }

  isSupported(document: vscode.TextDocument): boolean {
    return getSqlDocumentKind(document) !== undefined;
  }

  /**
   * Returns the datamodel of a document: the one that a server document belongs to, or else the one of a workspace
   * file.
   */
  getDatamodelIdentity(uri: vscode.Uri): (DatamodelIdentity & { readonly title?: string }) | undefined {
    const identity = getResourceIdentity(uri);
    if (identity === undefined) {
      return this.#fileDatamodels.get(uri.toString());
    }
    const { connectionId, resource } = identity;
    return 'datamodelId' in resource ? { connectionId, datamodelId: resource.datamodelId } : undefined;
  }

  /** Returns the SQL of a project in a document; `undefined` for other documents. */
  findProjectExpression(document: vscode.TextDocument): Promise<ProjectExpression | undefined> {
    return findProjectExpression(this.#loadFileCatalogs, document);
  }

  /**
   * Returns whether there is the name of a table or column at a position in a file of a project. Such a name is renamed
   * in all files of the project.
   */
  async isTableOrColumnNameAt(document: vscode.TextDocument, position: vscode.Position): Promise<boolean> {
    const file = await (await this.#loadFileCatalogs()).findItemFile(document.uri);
    const name = await file?.catalog.query('findName', {
      path: file.path,
      offset: document.offsetAt(position),
    });
    return name !== undefined;
  }

  /** Returns the SQL regions of a document; none for unrelated documents. */
  async getRegions(document: vscode.TextDocument): Promise<readonly SqlRegion[]> {
    const kind = getSqlDocumentKind(document);
    if (kind === undefined) {
      return [];
    }
    const projectExpression = await this.findProjectExpression(document);
    if (projectExpression !== undefined) {
      const context = { ...projectExpression.context, cache: this.#getParseCache(document) };
      return [
        {
          ...createWholeDocumentRegion(document, context, undefined),
          expressionKey: undefined,
          isInProject: true,
        },
      ];
    }
    const id = this.getDatamodelIdentity(document.uri);
    const loadedDatamodel = id === undefined ? undefined : await this.#datamodelLoader.load(id);
    return findRegions(document, {
      trees: this.#trees,
      resource:
        getResourceIdentity(document.uri)?.resource ??
        this.#fileDatamodels.get(String(document.uri))?.resource,
      kind,
      loadedDatamodel,
      parseCache: this.#getParseCache(document),
    });
  }

  #getParseCache(document: vscode.TextDocument): SqlParseCache {
    const parseCache = this.#parseCaches.get(document) ?? new SqlParseCache();
    this.#parseCaches.set(document, parseCache);
    return parseCache;
  }

  /** Returns the region at a position, and the offset in its text. */
  async findRegionAt(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ readonly region: SqlRegion; readonly offset: number } | undefined> {
    for (const region of await this.getRegions(document)) {
      const offset = region.offsetAt(position);
      if (offset !== undefined) {
        return { region, offset };
      }
    }
    return undefined;
  }
}

interface RegionContext {
  readonly trees: JsonTrees;
  readonly kind: SqlDocumentKind;
  /** The resource that the document shows, or that the workspace file is a copy of. */
  readonly resource: ResourceRef | undefined;
  readonly loadedDatamodel: LoadedDatamodel | undefined;
  /**
   * Caches the parsed query of a table, of which a document has at most one; column expressions are short and not
   * cached.
   */
  readonly parseCache: SqlParseCache;
}

function findRegions(
  document: vscode.TextDocument,
  { trees, kind, resource, loadedDatamodel, parseCache }: RegionContext,
): readonly SqlRegion[] {
  const identity = getResourceIdentity(document.uri);
  const catalog = loadedDatamodel?.catalog ?? emptyCatalog;
  const savedTableName =
    resource === undefined || loadedDatamodel === undefined
      ? undefined
      : getSavedTableName(loadedDatamodel, resource);
  if (kind === 'sql') {
    const isColumnExpression = resource?.kind === 'columnExpression';
    const context: ExpressionContext = isColumnExpression
      ? { kind: 'column', table: savedTableName ?? '', catalog, cache: parseCache }
      : { kind: 'table', catalog, cache: parseCache };
    const expressionKey = identity && getExpressionKey(identity);
    return [{ ...createWholeDocumentRegion(document, context, loadedDatamodel), expressionKey }];
  }
  return findEmbeddedExpressions(getJsonTree(trees, document), kind).map((expression) => {
    const { literal } = expression;
    const context = createEmbeddedContext(expression, catalog, savedTableName);
    return {
      text: literal.text,
      context: context.kind === 'table' ? { ...context, cache: parseCache } : context,
      loadedDatamodel,
      isWholeDocument: false,
      expressionKey: identity && getExpressionKey(identity, expression.columnId),
      toRange: ({ start, end }) =>
        new vscode.Range(
          document.positionAt(literal.toDocumentOffset(start)),
          document.positionAt(literal.toDocumentOffset(end)),
        ),
      offsetAt: (position) => {
        const offset = document.offsetAt(position);
        return offset < literal.start || offset > literal.end ? undefined : literal.toValueOffset(offset);
      },
      escapeForDocument: escapeJson,
    };
  });
}

function createWholeDocumentRegion(
  document: vscode.TextDocument,
  context: ExpressionContext,
  loadedDatamodel: LoadedDatamodel | undefined,
): Omit<SqlRegion, 'expressionKey'> {
  return {
    text: document.getText(),
    context,
    loadedDatamodel,
    isWholeDocument: true,
    toRange: ({ start, end }) => new vscode.Range(document.positionAt(start), document.positionAt(end)),
    offsetAt: (position) => document.offsetAt(position),
    escapeForDocument: (text) => text,
  };
}

/** Returns the stored name of the table that a document shows or belongs to. */
export function getSavedTableName({ datamodel }: LoadedDatamodel, resource: ResourceRef): string | undefined {
  if (!('tableId' in resource)) {
    return undefined;
  }
  const tables = (datamodel.datasets ?? []).flatMap(({ schema }) => schema?.tables ?? []);
  const table = tables.find(({ oid }) => oid === resource.tableId);
  return table === undefined ? undefined : getTableName(table);
}
