import * as vscode from 'vscode';
import type { Catalog } from '../../../catalog/catalog.ts';
import type { Relation, RelationColumn } from '../../../contract/relation.ts';
import { columnName, tableName } from '../../../contract/table.ts';
import { tooltip } from '../tooltip.ts';
import type { ExplorerModel, ExplorerNode, NodeOfDatamodel } from './node.ts';

/** The relations of a datamodel, as one group. */
export class RelationsNode implements ExplorerNode {
  readonly id: string;
  readonly parent: NodeOfDatamodel;
  readonly #model: ExplorerModel;

  constructor(model: ExplorerModel, parent: NodeOfDatamodel) {
    this.id = `${parent.id}/relations`;
    this.parent = parent;
    this.#model = model;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Relations'), vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('type-hierarchy');
    item.contextValue = 'relations';
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const { catalog } = await this.#model.sessions.get(this.parent.connectionId);
    const relations = await catalog.relations(this.parent.datamodelId);
    const names = await columnNames(catalog, this.parent.datamodelId);
    return relations.map((relation) => new RelationNode(this, relation, names));
  }

  async reload(): Promise<void> {
    await this.parent.reload?.();
  }
}

/** One relation, named by the columns that it joins. */
class RelationNode implements ExplorerNode {
  readonly id: string;
  readonly parent: RelationsNode;
  readonly #relation: Relation;
  readonly #names: ReadonlyMap<string, ColumnName>;

  constructor(parent: RelationsNode, relation: Relation, names: ReadonlyMap<string, ColumnName>) {
    this.id = `${parent.id}/${relation.oid}`;
    this.parent = parent;
    this.#relation = relation;
    this.#names = names;
  }

  item(): vscode.TreeItem {
    const ends = (this.#relation.columns ?? []).map(
      (end) => this.#names.get(key(end)) ?? { column: end.column },
    );
    const broken = ends.some(({ table }) => table === undefined);
    const columns = [...new Set(ends.map(({ column }) => column))].join(' = ');
    const item = new vscode.TreeItem(ends.map(({ table }) => table ?? '?').join(' – '));
    item.iconPath = broken
      ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
      : new vscode.ThemeIcon('link');
    item.description = broken ? vscode.l10n.t('refers to a column that is gone') : columns;
    item.contextValue = 'relation';
    item.tooltip = tooltip(ends.map(({ table, column }) => `${table ?? '?'}.${column}`).join(' = '), []);
    return item;
  }
}

const key = (column: Pick<RelationColumn, 'table' | 'column'>): string => `${column.table}/${column.column}`;

interface ColumnName {
  /** `undefined` when the column is gone. */
  readonly table?: string;
  readonly column: string;
}

/** The names of all columns, by the oids of table and column. */
async function columnNames(catalog: Catalog, datamodelId: string): Promise<ReadonlyMap<string, ColumnName>> {
  const names = new Map<string, ColumnName>();
  for (const dataset of await catalog.datasets(datamodelId)) {
    for (const table of await catalog.tables(datamodelId, dataset.oid)) {
      for (const column of table.columns ?? []) {
        if (column.oid) {
          names.set(key({ table: table.oid, column: column.oid }), {
            table: tableName(table),
            column: columnName(column),
          });
        }
      }
    }
  }
  return names;
}
