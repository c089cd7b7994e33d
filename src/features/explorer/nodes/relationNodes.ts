import * as vscode from 'vscode';
import type { Catalog } from '../../../catalog/catalog.ts';
import { sortedByName } from '../../../catalog/naturalOrder.ts';
import type { Relation, RelationColumn } from '../../../contract/datamodel.ts';
import { columnName, tableName } from '../../../contract/table.ts';
import {
  openLink,
  tooltip,
  type ExplorerModel,
  type ExplorerNode,
  type NodeOfDatamodel,
  catalogOf,
  nodeIds,
} from './node.ts';
import { EmptyNode, withUnreadable } from './listNodes.ts';

/** The relations of a datamodel, as one group. */
export class RelationsNode implements NodeOfDatamodel {
  readonly id: string;
  readonly parent: NodeOfDatamodel;
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly #model: ExplorerModel;

  constructor(model: ExplorerModel, parent: NodeOfDatamodel) {
    this.id = nodeIds.relations(parent.id);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.datamodelId = parent.datamodelId;
    this.#model = model;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Relations'), vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('type-hierarchy');
    item.contextValue = 'relations';
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const catalog = await catalogOf(this.#model, this);
    const { value: relations, ...unread } = await catalog.readable.relations(this.datamodelId);
    if (relations.length === 0 && unread.unreadable.length === 0) {
      return [
        new EmptyNode(this, vscode.l10n.t('No relations yet'), {
          title: vscode.l10n.t('New Relation…'),
          command: 'datamodelStudio.resources.newRelation',
        }),
      ];
    }
    const names = await columnNames(catalog, this.datamodelId);
    const nodes = relations.map((relation) => new RelationNode(this, relation, names));
    return withUnreadable(
      this,
      unread,
      sortedByName(nodes, ({ name }) => name),
    );
  }
}

/** One relation, named by the columns that it joins. */
class RelationNode implements ExplorerNode {
  readonly id: string;
  readonly parent: RelationsNode;
  readonly connectionId: string;
  readonly name: string;
  readonly resource;
  readonly #ends: readonly ColumnName[];

  constructor(parent: RelationsNode, relation: Relation, names: ReadonlyMap<string, ColumnName>) {
    this.id = nodeIds.child(parent.id, relation.oid);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.resource = {
      kind: 'relation',
      datamodelId: parent.datamodelId,
      relationId: relation.oid,
    } as const;
    this.#ends = (relation.columns ?? []).map((end) => names.get(key(end)) ?? { column: end.column });
    this.name = this.#ends.map(({ table }) => table ?? '?').join(' – ');
  }

  item(): vscode.TreeItem {
    const broken = this.#ends.some(({ table }) => table === undefined);
    const item = new vscode.TreeItem(this.name);
    item.iconPath = broken
      ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
      : new vscode.ThemeIcon('link');
    item.description = broken
      ? vscode.l10n.t('refers to a column that is gone')
      : [...new Set(this.#ends.map(({ column }) => column))].join(' = ');
    item.contextValue = 'relation';
    item.command = openLink(this);
    return item;
  }

  tooltip(): vscode.MarkdownString {
    return tooltip(this.#ends.map(({ table, column }) => `${table ?? '?'}.${column}`).join(' = '), []);
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
  for (const dataset of (await catalog.readable.datasets(datamodelId)).value) {
    for (const table of (await catalog.readable.tables(datamodelId, dataset.oid)).value) {
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
