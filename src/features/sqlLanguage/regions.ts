import * as vscode from 'vscode';
import type { PickedDatamodels } from '../../catalog/pickedDatamodels.ts';
import { tableName } from '../../contract/table.ts';
import { type JsonTrees, treeOf } from '../../json/text/jsonTrees.ts';
import type { JsonDocument } from '../../json/text/parseJson.ts';
import { jsonEscaped } from '../../sql/embedded/jsonString.ts';
import { embeddedContext, expressionsIn } from '../../sql/embedded/tableJson.ts';
import { type Catalog, type ExpressionContext, SqlMemory } from '../../sql/language.ts';
import type { DatamodelId, Datamodels, LoadedDatamodel } from './datamodels.ts';
import { type SqlDocumentKind, sqlDocumentKind } from './documents.ts';
import { type DocumentOrigin, originOf } from './origin.ts';

/** A stretch of a document that is SQL, with its own offsets. */
export interface SqlRegion {
  readonly text: string;
  readonly context: ExpressionContext;
  /** The datamodel it is about; `undefined` where none is picked or it cannot be had. */
  readonly model: LoadedDatamodel | undefined;
  readonly isWholeDocument: boolean;
  rangeOf(extent: { readonly start: number; readonly end: number }): vscode.Range;
  /** The offset of a position; `undefined` outside the region. */
  offsetAt(position: vscode.Position): number | undefined;
  /** Text as it is written into the document. */
  written(text: string): string;
}

/** Nothing is known: no name is reported as unknown. */
const emptyCatalog: Catalog = { complete: false, tables: [] };

/** Finds the SQL of documents and what it sees. */
export class SqlRegions {
  readonly #trees: JsonTrees;
  readonly #datamodels: Datamodels;
  readonly #picks: PickedDatamodels;
  readonly #memories = new WeakMap<vscode.TextDocument, SqlMemory>();

  constructor(trees: JsonTrees, datamodels: Datamodels, picks: PickedDatamodels) {
    this.#trees = trees;
    this.#datamodels = datamodels;
    this.#picks = picks;
  }

  /** The JSON that the SQL of a document is in. */
  jsonOf(document: vscode.TextDocument): JsonDocument {
    return treeOf(this.#trees, document);
  }

  isOurs(document: vscode.TextDocument): boolean {
    return sqlDocumentKind(document) !== undefined;
  }

  /** The datamodel that a document is about: the one it comes from, else the one picked for it. */
  datamodelOf(uri: vscode.Uri): DatamodelId | undefined {
    const origin = originOf(uri);
    if (origin === undefined) {
      return this.#picks.of(uri.toString());
    }
    const { connectionId, resource } = origin;
    return 'datamodelId' in resource ? { connectionId, datamodelId: resource.datamodelId } : undefined;
  }

  /** The SQL of a document; none for documents that are not ours. */
  async of(document: vscode.TextDocument): Promise<readonly SqlRegion[]> {
    const kind = sqlDocumentKind(document);
    if (kind === undefined) {
      return [];
    }
    const id = this.datamodelOf(document.uri);
    const model = id === undefined ? undefined : await this.#datamodels.load(id);
    return regionsIn(document, { trees: this.#trees, kind, model, memory: this.#memoryOf(document) });
  }

  #memoryOf(document: vscode.TextDocument): SqlMemory {
    const memory = this.#memories.get(document) ?? new SqlMemory();
    this.#memories.set(document, memory);
    return memory;
  }

  /** The SQL at a position with the offset in it. */
  async at(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ readonly region: SqlRegion; readonly offset: number } | undefined> {
    for (const region of await this.of(document)) {
      const offset = region.offsetAt(position);
      if (offset !== undefined) {
        return { region, offset };
      }
    }
    return undefined;
  }
}

interface RegionFacts {
  readonly trees: JsonTrees;
  readonly kind: SqlDocumentKind;
  readonly model: LoadedDatamodel | undefined;
  /** Of the query, of which a document has one; the expressions of columns are short. */
  readonly memory: SqlMemory;
}

function regionsIn(
  document: vscode.TextDocument,
  { trees, kind, model, memory }: RegionFacts,
): readonly SqlRegion[] {
  const origin = originOf(document.uri);
  const catalog = model?.catalog ?? emptyCatalog;
  const saved = origin === undefined || model === undefined ? undefined : savedTable(model, origin);
  if (kind === 'sql') {
    const isColumn = origin?.resource.kind === 'columnExpression';
    const context: ExpressionContext = isColumn
      ? { kind: 'column', table: saved ?? '', catalog, memory }
      : { kind: 'table', catalog, memory };
    return [wholeDocument(document, context, model)];
  }
  return expressionsIn(treeOf(trees, document), kind).map((expression) => {
    const { literal } = expression;
    const context = embeddedContext(expression, catalog, saved);
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
      written: jsonEscaped,
    };
  });
}

function wholeDocument(
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

/** The name, as the datamodel has it, of the table that a document is or belongs to. */
function savedTable({ datamodel }: LoadedDatamodel, { resource }: DocumentOrigin): string | undefined {
  if (!('tableId' in resource)) {
    return undefined;
  }
  const tables = (datamodel.datasets ?? []).flatMap(({ schema }) => schema?.tables ?? []);
  const table = tables.find(({ oid }) => oid === resource.tableId);
  return table === undefined ? undefined : tableName(table);
}
