import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { Build } from '../../builds/build.ts';
import type { ExplorerModel, ExplorerNode } from './nodes/node.ts';
import { nodeIds } from './nodes/nodeIds.ts';
import type { ExplorerTreeProvider } from './treeProvider.ts';

/** How old the list of datamodels may be when the view is shown again. */
const freshMs = 60_000;

/** Keeps the tree true without being asked: what our own writes and builds change, and what changed meanwhile. */
export function followChanges(
  view: vscode.TreeView<ExplorerNode>,
  provider: ExplorerTreeProvider,
  model: ExplorerModel & { readonly log: Log },
): Disposable {
  const store = new DisposableStore();
  const { connections, sessions, builds, locks, pins, filter } = model;
  store.add(connections.onDidChange(() => provider.redraw()));
  store.add(pins.onDidChange(() => provider.redraw()));
  store.add(filter.onDidChange(() => provider.redraw()));
  store.add(locks.onDidChange((connectionId) => provider.redraw(connectionId)));
  store.add(sessions.onDidEnd((connectionId) => provider.redraw(connectionId)));
  store.add(sessions.onDidChangeCatalog((change) => provider.redrawChanged(change)));
  followBuilds(store, provider, model);
  store.add(builds.onDidEnd(({ build }) => forgetBuilt(model, build)));
  store.add(new Revalidation(view, model));
  return store;
}

/** Draws the datamodels that begin or end to be built, and the list of builds of their connections. */
function followBuilds(
  store: DisposableStore,
  provider: ExplorerTreeProvider,
  { builds }: ExplorerModel,
): void {
  let drawn = new Map<string, string>();
  store.add(
    builds.onDidChange(() => {
      const now = new Map(
        builds.builds.map((build) => [
          `${build.connectionId} ${build.oid}`,
          `${build.phase} ${build.status}`,
        ]),
      );
      const changed = builds.builds.filter((build) => {
        const key = `${build.connectionId} ${build.oid}`;
        return drawn.get(key) !== now.get(key);
      });
      drawn = now;
      for (const { connectionId, datamodelId } of changed) {
        provider.redraw(nodeIds.builds(connectionId));
        if (datamodelId !== undefined) {
          provider.redraw(nodeIds.datamodel(connectionId, datamodelId));
          provider.redraw(`${nodeIds.pins}/${nodeIds.datamodel(connectionId, datamodelId)}`);
        }
      }
    }),
  );
}

/** A build makes columns of custom tables and moves the time of the last build. */
function forgetBuilt({ sessions }: ExplorerModel, { connectionId, datamodelId }: Build): void {
  const catalog = sessions.peek(connectionId)?.catalog;
  catalog?.invalidate({ kind: 'builds' });
  catalog?.invalidate(
    datamodelId === undefined ? { kind: 'datamodels' } : { kind: 'datamodel', datamodelId },
  );
}

/** Looks whether the lists of datamodels still hold when the view is shown again after a while; asks nothing before. */
class Revalidation implements Disposable {
  readonly #view: vscode.TreeView<ExplorerNode>;
  readonly #model: ExplorerModel & { readonly log: Log };
  readonly #store = new DisposableStore();
  readonly #collapsed = new Set<string>();
  #lookedAt: number;

  constructor(view: vscode.TreeView<ExplorerNode>, model: ExplorerModel & { readonly log: Log }) {
    this.#view = view;
    this.#model = model;
    this.#lookedAt = model.clock.now();
    this.#store.add(view.onDidCollapseElement(({ element }) => this.#collapsed.add(element.id)));
    this.#store.add(view.onDidExpandElement(({ element }) => this.#collapsed.delete(element.id)));
    this.#store.add(view.onDidChangeVisibility(() => this.#look()));
    this.#store.add(vscode.window.onDidChangeWindowState(() => this.#look()));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #look(): void {
    const { connections, clock } = this.#model;
    if (!this.#view.visible || !vscode.window.state.focused) {
      return;
    }
    if (clock.now() - this.#lookedAt < freshMs) {
      return;
    }
    this.#lookedAt = clock.now();
    for (const { id } of connections.all) {
      if (!this.#collapsed.has(id) && !this.#collapsed.has(nodeIds.datamodels(id))) {
        void this.#revalidate(id);
      }
    }
  }

  async #revalidate(connectionId: string): Promise<void> {
    try {
      await this.#model.sessions.peek(connectionId)?.catalog.revalidate();
    } catch (error) {
      // What is shown stays; the next load tells the person.
      this.#model.log.warn('explorer', 'Looking for changes failed', { connectionId, reason: String(error) });
    }
  }
}
