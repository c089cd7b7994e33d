import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { lazy } from '../../base/lazy.ts';
import type { Connection } from '../../connections/connection.ts';
import { schemes } from '../../contributions.ts';
import type { CurrentConnectionDeps } from './deps.ts';

type ShownConnectionDeps = Pick<
  CurrentConnectionDeps,
  'currentConnection' | 'connections' | 'activePanels' | 'log'
>;

type ReadConnectionId = (uri: vscode.Uri) => string | undefined;

/**
 * The connection that the user works on: the one of the active document or page, otherwise the workspace's current one.
 */
export class ShownConnection implements Disposable {
  readonly #deps: ShownConnectionDeps;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;
  readonly #loadReader: () => Promise<void>;
  /** Reads the addresses of documents; loaded when the first one is active. */
  #readConnectionId: ReadConnectionId | undefined;

  constructor(deps: ShownConnectionDeps) {
    this.#deps = deps;
    this.#loadReader = lazy(async () => {
      const { readConnectionId } = await import('./readConnectionId.ts');
      this.#readConnectionId = readConnectionId;
      this.#onDidChange.fire();
    });
    const { tabGroups } = vscode.window;
    const fire = (): void => this.#onDidChange.fire();
    this.#store.add(tabGroups.onDidChangeTabs(fire));
    this.#store.add(tabGroups.onDidChangeTabGroups(fire));
    this.#store.add(deps.activePanels.onDidChange(fire));
    this.#store.add(deps.currentConnection.onDidChange(fire));
    this.#store.add(deps.connections.onDidChange(fire));
  }

  /** `undefined` if there are no connections. */
  get value(): Connection | undefined {
    const { activePanels, connections, currentConnection } = this.#deps;
    const activeId = activePanels.activeConnectionId ?? this.#getActiveDocumentConnectionId();
    return (activeId === undefined ? undefined : connections.find(activeId)) ?? currentConnection.value;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The connection of the document in the active tab; `undefined` if it is not a document of an instance. */
  #getActiveDocumentConnectionId(): string | undefined {
    const uri = getTabUri(vscode.window.tabGroups.activeTabGroup.activeTab?.input);
    if (uri === undefined || !documentSchemes.includes(uri.scheme)) {
      return undefined;
    }
    if (this.#readConnectionId === undefined) {
      this.#loadReader().catch((error: unknown) => {
        this.#deps.log.error('documents', 'Reading addresses did not load', { reason: String(error) });
      });
    }
    return this.#readConnectionId?.(uri);
  }
}

const documentSchemes: readonly string[] = [schemes.document, schemes.view];

function getTabUri(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) {
    return input.modified;
  }
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
    ? input.uri
    : undefined;
}
