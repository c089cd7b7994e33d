import * as vscode from 'vscode';
import type { Connection } from '../../../connections/connection.ts';
import { getRoleLabel } from '../../../platform/roleLabels.ts';
import {
  toDecorationUri,
  createTooltip,
  type ExplorerNodeDeps,
  type ConnectionChildNode,
  type ExplorerNode,
  type DatamodelChildNode,
  getCatalog,
  nodeIds,
} from './node.ts';
import { DatamodelNode } from './datamodelNodes.ts';
import type { Pin, PinnedTable } from '../../../catalog/pins.ts';
import type { TreeTarget } from '../../../contributions.ts';
import type { Datamodel } from '../../../contract/datamodel.ts';
import type { Table } from '../../../contract/table.ts';
import { NoteNode } from './listNodes.ts';
import { toPinnedTable } from './tableContext.ts';
import { createTableItem, TableNode } from './tableNodes.ts';

/** A connection and the contents of its instance. */
export class ConnectionNode implements ConnectionChildNode {
  readonly id: string;
  readonly parent = undefined;
  readonly connectionId: string;
  readonly name: string;
  readonly catalogPart = { kind: 'all' } as const;
  readonly #deps: ExplorerNodeDeps;
  readonly #connection: Connection;

  constructor(deps: ExplorerNodeDeps, connection: Connection) {
    this.id = connection.id;
    this.connectionId = connection.id;
    this.name = connection.name;
    this.#deps = deps;
    this.#connection = connection;
  }

  async getTreeItem(): Promise<vscode.TreeItem> {
    const { name, kind, role } = this.#connection;
    const unlockedUntil = this.#deps.locks.getUnlockedUntil(this.connectionId);
    const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
    item.description = kind === 'sandbox' ? vscode.l10n.t('local') : this.#describeRole(unlockedUntil);
    item.iconPath = new vscode.ThemeIcon(kind === 'sandbox' ? 'beaker' : 'server-environment');
    item.contextValue = `${this.#getContextValue(unlockedUntil)}${await this.#getSignInSuffix()}`;
    if (role === 'production' && unlockedUntil !== undefined) {
      item.resourceUri = toDecorationUri('role-unlocked', this.id);
    } else if (role !== 'development') {
      item.resourceUri = toDecorationUri(`role-${role}`, this.id);
    }
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    const { name, role } = this.#connection;
    const unlockedUntil = this.#deps.locks.getUnlockedUntil(this.connectionId);
    return createTooltip(name, [
      [vscode.l10n.t('Address'), this.#connection.kind === 'remote' ? this.#connection.url : undefined],
      [vscode.l10n.t('Role'), getRoleLabel(role)],
      [
        vscode.l10n.t('Write access'),
        unlockedUntil === undefined
          ? undefined
          : vscode.l10n.t(
              'unlocked until {0}',
              new Date(unlockedUntil).toLocaleTimeString(vscode.env.language),
            ),
      ],
    ]);
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    if (this.#connection.kind === 'sandbox') {
      // Reports a stopped sandbox once instead of in each child node.
      await this.#deps.sessions.get(this.connectionId);
    }
    const { createInstanceNodes } = await import('./instanceNodes.ts');
    return createInstanceNodes(this.#deps, this);
  }

  #describeRole(unlockedUntil: number | undefined): string {
    const { role } = this.#connection;
    if (role !== 'production') {
      return getRoleLabel(role);
    }
    return unlockedUntil === undefined
      ? vscode.l10n.t('{0}, locked', getRoleLabel(role))
      : vscode.l10n.t('{0}, unlocked', getRoleLabel(role));
  }

  #getContextValue(unlockedUntil: number | undefined): string {
    const { kind, role } = this.#connection;
    const lockSuffix = role !== 'production' ? '' : unlockedUntil === undefined ? '.locked' : '.unlocked';
    return `connection.${kind}${lockSuffix}`;
  }

  /** Returns the suffix of the context value with which menus choose between the commands to sign in and out. */
  async #getSignInSuffix(): Promise<string> {
    if (this.#connection.kind === 'sandbox') {
      return '';
    }
    const { tokens, log } = this.#deps;
    try {
      const token = await tokens.get(this.connectionId, new URL(this.#connection.url).origin);
      return token === undefined ? '.signed-out' : '.signed-in';
    } catch (error) {
      // Without a suffix, the menu shows both commands.
      log.warn('explorer', 'The secret storage could not be read', { reason: String(error) });
      return '';
    }
  }
}

/** The pins of all connections. No request is sent until one of them is expanded. */
export class PinsNode implements ExplorerNode {
  readonly id = nodeIds.pins;
  readonly parent = undefined;
  readonly #deps: ExplorerNodeDeps;

  constructor(deps: ExplorerNodeDeps) {
    this.#deps = deps;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('Pinned'), vscode.TreeItemCollapsibleState.Expanded);
    item.iconPath = new vscode.ThemeIcon('pinned');
    item.contextValue = 'pins';
    return item;
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    return getVisiblePins(this.#deps).map((pin) =>
      pin.table === undefined
        ? new PinnedDatamodelNode(this.#deps, this, pin)
        : new PinnedTableNode(this.#deps, this, pin, pin.table),
    );
  }
}

/** Returns the pins of existing connections; pins of a removed connection reappear if it is added again. */
export const getVisiblePins = ({ pins, connections }: ExplorerNodeDeps): readonly Pin[] =>
  pins.all.filter(({ connectionId }) => connections.find(connectionId) !== undefined);

class PinnedDatamodelNode extends DatamodelNode {
  readonly #connectionName: string;

  constructor(deps: ExplorerNodeDeps, parent: PinsNode, pin: Pin) {
    const { connectionId, datamodel } = pin;
    const id = `${parent.id}/${nodeIds.datamodel(connectionId, datamodel.oid)}`;
    super(deps, { parent, connectionId, id }, findKnownDatamodel(deps, pin) ?? datamodel);
    this.#connectionName = getConnectionName(deps, pin);
  }

  override getTreeItem(): vscode.TreeItem {
    const item = super.getTreeItem();
    item.description = [item.description, this.#connectionName].filter((text) => text).join(' · ');
    return item;
  }
}

/** A pinned table. Until its columns are loaded, its data comes from the pin. */
class PinnedTableNode implements DatamodelChildNode {
  readonly id: string;
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly datamodelId: string;
  readonly name: string;
  readonly catalogPart;
  readonly resource;
  readonly reference: { readonly table: string };
  readonly pin: Pin;
  readonly #deps: ExplorerNodeDeps;

  constructor(deps: ExplorerNodeDeps, parent: PinsNode, pin: Pin, table: PinnedTable) {
    const { connectionId, datamodel } = pin;
    this.id = `${parent.id}/${connectionId}/table/${table.oid}`;
    this.parent = parent;
    this.connectionId = connectionId;
    this.datamodelId = datamodel.oid;
    this.name = table.name;
    this.catalogPart = { kind: 'datamodel', datamodelId: datamodel.oid } as const;
    this.resource = {
      kind: 'table',
      datamodelId: datamodel.oid,
      datasetId: table.datasetId,
      tableId: table.oid,
    } as const;
    this.reference = { table: table.name };
    this.pin = pin;
    this.#deps = deps;
  }

  getTreeItem(): vscode.TreeItem {
    const item = createTableItem(this, this.#findKnownTable() ?? this.pin.table ?? {}, {
      isPinned: true,
      isLive: this.pin.datamodel.type === 'live',
    });
    item.description = [this.#getDatamodelTitle(), getConnectionName(this.#deps, this.pin)].join(' · ');
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    return createTooltip(this.name, [
      [vscode.l10n.t('Datamodel'), this.#getDatamodelTitle()],
      [vscode.l10n.t('Connection'), getConnectionName(this.#deps, this.pin)],
    ]);
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    const { datamodelId, datasetId, tableId } = this.resource;
    const catalog = await getCatalog(this.#deps, this);
    const table = (await catalog.partial.tables(datamodelId, datasetId)).value.find(
      ({ oid }) => oid === tableId,
    );
    if (table === undefined) {
      return [new NoteNode(this, vscode.l10n.t('This table no longer exists on the server'))];
    }
    // Updates the values that the pin stores; the tree shows them when it is redrawn.
    this.#deps.pins.updateTable(this.pin, toPinnedTable(table, datasetId));
    return new TableNode(this.#deps, this, table, { datasetId, id: this.id }).getChildren();
  }

  get datamodelTarget(): TreeTarget {
    const { connectionId, datamodelId } = this;
    return {
      connectionId,
      resource: { kind: 'datamodel', datamodelId },
      name: this.#getDatamodelTitle(),
    };
  }

  #getDatamodelTitle(): string {
    return findKnownDatamodel(this.#deps, this.pin)?.title ?? this.pin.datamodel.title;
  }

  /** Returns the table as last loaded, which may be newer than the pin; `undefined` if it was not loaded. */
  #findKnownTable(): Table | undefined {
    const { datasetId, tableId } = this.resource;
    return findKnownDatamodel(this.#deps, this.pin)
      ?.datasets?.find(({ oid }) => oid === datasetId)
      ?.schema?.tables?.find(({ oid }) => oid === tableId);
  }
}

const getConnectionName = ({ connections }: ExplorerNodeDeps, { connectionId }: Pin): string =>
  connections.find(connectionId)?.name ?? '';

/** Returns the pinned datamodel as last loaded from its instance; `undefined` if it was not loaded. */
const findKnownDatamodel = (
  { sessions }: ExplorerNodeDeps,
  { connectionId, datamodel }: Pin,
): Datamodel | undefined => sessions.peek(connectionId)?.catalog.getKnownDatamodel(datamodel.oid);
