import * as vscode from 'vscode';
import type { PickedDatamodels } from '../../catalog/pickedDatamodels.ts';
import { getTableName } from '../../contract/table.ts';
import { type JsonTrees, getJsonTree } from '../../json/text/jsonTrees.ts';
import type { JsonDocument } from '../../json/text/parseJson.ts';
import { escapeJson } from '../../sql/embedded/jsonString.ts';
import { createEmbeddedContext, findEmbeddedExpressions } from '../../sql/embedded/tableJson.ts';
import { type Catalog, type ExpressionContext, SqlParseCache } from '../../sql/language.ts';
import type { DatamodelId, DatamodelLoader, LoadedDatamodel } from './datamodelLoader.ts';
import { type SqlDocumentKind, getSqlDocumentKind } from './documents.ts';
import { type DocumentOrigin, getDocumentOrigin } from './documentOrigin.ts';

/** A range of a document that contains SQL; offsets are relative to its text. */
export interface SqlRegion {
  readonly text: string;
  readonly context: ExpressionContext;
  /** The datamodel of the document; `undefined` if none is picked or it cannot be loaded. */
  readonly model: LoadedDatamodel | undefined;
  readonly isWholeDocument: boolean;
  rangeOf(extent: { readonly start: number; readonly end: number }): vscode.Range;
  /** Returns the offset of a position; `undefined` outside the region. */
  offsetAt(position: vscode.Position): number | undefined;
  /** Escapes text for insertion into the document. */
  written(text: string): string;
}

/** The catalog used without a datamodel; since it is incomplete, no name is reported as unknown. */
const emptyCatalog: Catalog = { complete: false, tables: [] };

/** Finds the SQL in documents, with the context that its names refer to. */
export class SqlRegions {
  readonly #trees: JsonTrees;
  readonly #datamodels: DatamodelLoader;
  readonly #picks: PickedDatamodels;
  readonly #cache = new WeakMap<vscode.TextDocument, SqlParseCache>();

  constructor(trees: JsonTrees, datamodels: DatamodelLoader, picks: PickedDatamodels) {
    this.#trees = trees;
    this.#datamodels = datamodels;
    this.#picks = picks;
  }

  /** Returns the JSON tree of a document. */
  getJson(document: vscode.TextDocument): JsonDocument {
    return getJsonTree(this.#trees, document);
  }

  isSupported(document: vscode.TextDocument): boolean {
    return getSqlDocumentKind(document) !== undefined;
  }

  /**
   * Returns the datamodel of a document: the one that it belongs to, otherwise the one that the user picked for it.
   */
  getDatamodelId(uri: vscode.Uri): DatamodelId | undefined {
    const origin = getDocumentOrigin(uri);
    if (origin === undefined) {
      return this.#picks.get(uri.toString());
    }
    const { connectionId, resource } = origin;
    return 'datamodelId' in resource ? { connectionId, datamodelId: resource.datamodelId } : undefined;
  }

  /** Returns the SQL regions of a document; none for unrelated documents. */
  async getRegions(document: vscode.TextDocument): Promise<readonly SqlRegion[]> {
    const kind = getSqlDocumentKind(document);
    if (kind === undefined) {
      return [];
    }
    const id = this.getDatamodelId(document.uri);
    const model = id === undefined ? undefined : await this.#datamodels.load(id);
    return findRegions(document, { trees: this.#trees, kind, model, memory: this.#getMemory(document) });
  }

  #getMemory(document: vscode.TextDocument): SqlParseCache {
    const memory = this.#cache.get(document) ?? new SqlParseCache();
    this.#cache.set(document, memory);
    return memory;
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
  readonly model: LoadedDatamodel | undefined;
  /**
   * Caches the parsed query of a table, of which a document has at most one; column expressions are short and not
   * cached.
   */
  readonly memory: SqlParseCache;
}

function findRegions(
  document: vscode.TextDocument,
  { trees, kind, model, memory }: RegionContext,
): readonly SqlRegion[] {
  const origin = getDocumentOrigin(document.uri);
  const catalog = model?.catalog ?? emptyCatalog;
  const saved = origin === undefined || model === undefined ? undefined : getSavedTableName(model, origin);
  if (kind === 'sql') {
    const isColumn = origin?.resource.kind === 'columnExpression';
    const context: ExpressionContext = isColumn
      ? { kind: 'column', table: saved ?? '', catalog, memory }
      : { kind: 'table', catalog, memory };
    return [createWholeDocumentRegion(document, context, model)];
  }
  return findEmbeddedExpressions(getJsonTree(trees, document), kind).map((expression) => {
    const { literal } = expression;
    const context = createEmbeddedContext(expression, catalog, saved);
    return {
      text: literal.text,
      context: context.kind === 'table' ? { ...context, memory } : context,
      model,
      isWholeDocument: false,
      rangeOf: ({ start, end }) =>
        new vscode.Range(
          document.positionAt(literal.toOuter(start)),
          document.positionAt(literal.toOuter(end)),
        ),
      offsetAt: (position) => {
        const offset = document.offsetAt(position);
        return offset < literal.start || offset > literal.end ? undefined : literal.toInner(offset);
      },
      written: escapeJson,
    };
  });
}

function createWholeDocumentRegion(
  document: vscode.TextDocument,
  context: ExpressionContext,
  model: LoadedDatamodel | undefined,
): SqlRegion {
  return {
    text: document.getText(),
    context,
    model,
    isWholeDocument: true,
    rangeOf: ({ start, end }) => new vscode.Range(document.positionAt(start), document.positionAt(end)),
    offsetAt: (position) => document.offsetAt(position),
    written: (text) => text,
  };
}

/** Returns the stored name of the table that a document shows or belongs to. */
function getSavedTableName({ datamodel }: LoadedDatamodel, { resource }: DocumentOrigin): string | undefined {
  if (!('tableId' in resource)) {
    return undefined;
  }
  const tables = (datamodel.datasets ?? []).flatMap(({ schema }) => schema?.tables ?? []);
  const table = tables.find(({ oid }) => oid === resource.tableId);
  return table === undefined ? undefined : getTableName(table);
}
