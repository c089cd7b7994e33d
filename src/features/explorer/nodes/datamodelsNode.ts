import * as vscode from 'vscode';
import type { Catalog } from '../../../catalog/catalog.ts';
import type { NameFilter } from '../../../catalog/nameFilter.ts';
import type { Datamodel } from '../../../contract/datamodel.ts';
import { DatamodelNode } from './datamodelNode.ts';
import { EmptyNode } from './emptyNode.ts';
import { type ExplorerModel, type ExplorerNode, type NodeOfConnection, catalogOf } from './node.ts';
import { nodeIds } from './nodeIds.ts';
import { withUnreadable } from './withUnreadable.ts';

/** The datamodels of a connection, by title. */
export class DatamodelsNode implements NodeOfConnection {
  readonly id: string;
  readonly parent: NodeOfConnection;
  readonly connectionId: string;
  readonly loads = { kind: 'datamodels' } as const;
  readonly #model: ExplorerModel;

  constructor(model: ExplorerModel, parent: NodeOfConnection) {
    this.id = nodeIds.datamodels(parent.connectionId);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#model = model;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Datamodels'), vscode.TreeItemCollapsibleState.Expanded);
    item.iconPath = new vscode.ThemeIcon('library');
    item.contextValue = 'datamodels';
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const catalog = await catalogOf(this.#model, this);
    const datamodels = await catalog.readable.datamodels();
    const isPartial = datamodels.unreadable.length > 0;
    return withUnreadable(this, datamodels, this.#nodes(catalog, datamodels.value, isPartial));
  }

  #nodes(catalog: Catalog, all: readonly Datamodel[], isPartial: boolean): readonly ExplorerNode[] {
    if (all.length === 0 && isPartial) {
      return [];
    }
    if (all.length === 0) {
      return [
        new EmptyNode(this, vscode.l10n.t('No datamodels yet'), {
          title: vscode.l10n.t('New Datamodel…'),
          command: 'datamodelStudio.resources.newDatamodel',
        }),
      ];
    }
    const filter = this.#model.filter.current;
    const shown = all.filter((datamodel) => mayMatch(catalog, datamodel, filter));
    if (shown.length === 0) {
      return [new EmptyNode(this, vscode.l10n.t('No datamodel matches the filter'))];
    }
    const place = { parent: this, connectionId: this.connectionId };
    return shown.map((datamodel) => new DatamodelNode(this.#model, place, datamodel));
  }
}

/** What was not loaded yet may hold a match: it is hidden only when it is known not to. */
function mayMatch(catalog: Catalog, datamodel: Datamodel, filter: NameFilter): boolean {
  if (!filter.isActive || filter.matches(datamodel.title)) {
    return true;
  }
  const datasets = catalog.knownDatamodel(datamodel.oid)?.datasets;
  return (
    !datasets ||
    datasets.some(
      ({ schema }) => !schema?.tables || schema.tables.some((table) => filter.matchesTable(table)),
    )
  );
}
