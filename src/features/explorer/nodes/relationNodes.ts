import * as vscode from 'vscode';
import type { InstanceCatalog } from '../../../catalog/instanceCatalog.ts';
import { sortByName } from '../../../catalog/naturalOrder.ts';
import type { Relation, RelationColumn } from '../../../contract/datamodel.ts';
import { getColumnName, getTableName } from '../../../contract/table.ts';
import {
  createOpenCommand,
  createTooltip,
  type ExplorerNodeDeps,
  type ExplorerNode,
  type DatamodelChildNode,
  getCatalog,
  nodeIds,
} from './node.ts';
import { NoteNode, addUnreadableNode, filterList } from './listNodes.ts';

/** The relations of a datamodel, as one group. */
export class RelationsNode implements DatamodelChildNode {
  readonly id: string;
  readonly parent: DatamodelChildNode;
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly #deps: ExplorerNodeDeps;

  constructor(deps: ExplorerNodeDeps, parent: DatamodelChildNode) {
    this.id = nodeIds.relations(parent.id);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.datamodelId = parent.datamodelId;
    this.#deps = deps;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Relations'), vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('type-hierarchy');
    item.contextValue = 'relations';
    return item;
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    const catalog = await getCatalog(this.#deps, this);
    const { value: relations, ...incompleteness } = await catalog.partial.relations(this.datamodelId);
    if (relations.length === 0 && incompleteness.unreadable.length === 0) {
      return [
        new NoteNode(this, vscode.l10n.t('No relations yet'), {
          title: vscode.l10n.t('New Relation…'),
          command: 'datamodelStudio.resources.newRelation',
        }),
      ];
    }
    const columnNames = await loadColumnNames(catalog, this.datamodelId);
    const nodes = relations.map((relation) => new RelationNode(this, relation, columnNames));
    const { matches, notes } = filterList(
      this,
      this.#deps.filter.nameFilter,
      nodes,
      ({ qualifiedName }) => qualifiedName,
    );
    return addUnreadableNode(this, incompleteness, [...sortByName(matches, ({ name }) => name), ...notes]);
  }
}

/** A relation, named after the tables that it joins. */
class RelationNode implements ExplorerNode {
  readonly id: string;
  readonly parent: RelationsNode;
  readonly connectionId: string;
  readonly name: string;
  /** Its columns with their tables. */
  readonly qualifiedName: string;
  readonly resource;
  readonly #columnNames: readonly QualifiedColumnName[];

  constructor(
    parent: RelationsNode,
    relation: Relation,
    columnNames: ReadonlyMap<string, QualifiedColumnName>,
  ) {
    this.id = nodeIds.child(parent.id, relation.oid);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.resource = {
      kind: 'relation',
      datamodelId: parent.datamodelId,
      relationId: relation.oid,
    } as const;
    this.#columnNames = (relation.columns ?? []).map(
      (relationColumn) => columnNames.get(getColumnKey(relationColumn)) ?? { column: relationColumn.column },
    );
    this.name = this.#columnNames.map(({ table }) => table ?? '?').join(' – ');
    this.qualifiedName = this.#columnNames
      .map(({ table, column }) => `${table ?? '?'}.${column}`)
      .join(' = ');
  }

  getTreeItem(): vscode.TreeItem {
    const isBroken = this.#columnNames.some(({ table }) => table === undefined);
    const item = new vscode.TreeItem(this.name);
    item.iconPath = isBroken
      ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
      : new vscode.ThemeIcon('link');
    item.description = isBroken
      ? vscode.l10n.t('missing column')
      : [...new Set(this.#columnNames.map(({ column }) => column))].join(' = ');
    item.contextValue = 'relation';
    item.command = createOpenCommand(this);
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    return createTooltip(this.qualifiedName, []);
  }
}

const getColumnKey = (column: Pick<RelationColumn, 'table' | 'column'>): string =>
  `${column.table}/${column.column}`;

interface QualifiedColumnName {
  /** Absent if the column no longer exists, or its table could not be read. */
  readonly table?: string;
  readonly column: string;
}

/** Loads the names of all columns, by the oids of table and column. */
async function loadColumnNames(
  catalog: InstanceCatalog,
  datamodelId: string,
): Promise<ReadonlyMap<string, QualifiedColumnName>> {
  const names = new Map<string, QualifiedColumnName>();
  for (const dataset of (await catalog.partial.datasets(datamodelId)).value) {
    for (const table of (await catalog.partial.tables(datamodelId, dataset.oid)).value) {
      for (const column of table.columns ?? []) {
        if (column.oid) {
          names.set(getColumnKey({ table: table.oid, column: column.oid }), {
            table: getTableName(table),
            column: getColumnName(column),
          });
        }
      }
    }
  }
  return names;
}
