import type { ValueStorage } from '../../base/valueStorage.ts';
import type { Pins } from '../../catalog/pins.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { CommandId, NodeTarget } from '../../contributions.ts';
import type { CommandHandler } from '../../platform/commands.ts';
import type { ViewVisibility } from '../../platform/viewVisibility.ts';
import type { TreeSelection } from '../../platform/treeSelection.ts';
import type { ExplorerNode, ExplorerNodeDeps } from './nodes/node.ts';

/** The dependencies of the Connections view. */
export type ExplorerDeps = Omit<ExplorerNodeDeps, 'filter' | 'pins'> & {
  readonly currentConnection: CurrentConnection;
  readonly loadPins: () => Promise<Pins>;
  /** Persists the expanded and selected nodes across window reloads. */
  readonly treeStorage: ValueStorage;
  readonly selection: TreeSelection;
  readonly shownViews: ViewVisibility;
};

/** The dependencies of the Connections view once it is open. */
export type ExplorerContext = ExplorerDeps & ExplorerNodeDeps;

/** The IDs of the commands of the Connections view. */
export type ExplorerCommandId = Extract<CommandId, `datamodelStudio.explorer.${string}`>;

/** The implementations of the commands of the Connections view. */
export type ExplorerHandlers = { readonly [Id in ExplorerCommandId]: CommandHandler<Id> };

/** Resolves the nodes that a command applies to from the arguments of its menu or keybinding. */
export type ResolveNodes = (
  node?: NodeTarget,
  selectedNodes?: readonly NodeTarget[],
) => readonly ExplorerNode[];
