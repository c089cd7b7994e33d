import * as vscode from 'vscode';
import * as z from 'zod';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type DiagramRelationTarget, type TreeTarget, webviews } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { showInformation } from '../../platform/messages.ts';
import { pickDatamodel } from '../../platform/pickDatamodel.ts';
import { findNearest } from '../../platform/treeTarget.ts';
import { type DiagramDatamodel, diagramDatamodelSchema } from '../../webviews/protocol/diagram.ts';
import type { DiagramFeatureDeps } from './deps.ts';
import { DiagramPanel } from './diagramPanel.ts';

/** The state of a page: released versions store the datamodel with the key `place`. */
const persistedStateSchema = z.object({ place: diagramDatamodelSchema });

/** The open diagrams: one per datamodel. */
export class Diagrams implements Disposable {
  readonly #deps: DiagramFeatureDeps;
  readonly #panels = new Map<string, DiagramPanel>();
  readonly #store = new DisposableStore();

  constructor(deps: DiagramFeatureDeps) {
    this.#deps = deps;
    this.#store.add(
      deps.sessions.onDidChangeCatalog((change) =>
        this.#forEachPanel((panel) => panel.handleCatalogChange(change)),
      ),
    );
    this.#store.add(
      deps.sessions.onDidEnd((connectionId) =>
        this.#forEachPanel((panel) => panel.handleSessionEnd(connectionId)),
      ),
    );
  }

  /**
   * Shows the diagram of the datamodel that a tree node belongs to, and reveals the table that it belongs to, if any.
   * Without a node, the user picks the datamodel.
   */
  async open(node: TreeTarget | undefined): Promise<void> {
    const target = getDiagramTarget(node) ?? (await this.#pickDatamodel());
    if (target !== undefined) {
      this.#getPanel(target).show(findNearest(node, 'table')?.resource.tableId);
    }
  }

  /** Restores a tab after a reload; closes it if its state is invalid or its diagram is already open. */
  restore(tab: vscode.WebviewPanel, state: unknown): void {
    const target = persistedStateSchema.safeParse(state).data?.place;
    if (target !== undefined && !this.#panels.has(getDiagramKey(target))) {
      this.#createPanel(target, tab);
    } else {
      tab.dispose();
    }
  }

  /**
   * Creates the relation that a diagram's context menu requested, or one from the selected table of the active diagram.
   */
  async createRelation(target: DiagramRelationTarget | undefined): Promise<void> {
    if (target !== undefined) {
      await createRelationBetween(target, target.ends);
      return;
    }
    const activePanel = [...this.#panels.values()].find(({ isActive }) => isActive);
    if (activePanel === undefined) {
      await showInformation(vscode.l10n.t('Open a diagram and select a table first.'));
    } else {
      activePanel.requestRelation();
    }
  }

  dispose(): void {
    this.#forEachPanel((panel) => panel.close());
    this.#store.dispose();
  }

  async #pickDatamodel(): Promise<DiagramDatamodel | undefined> {
    const datamodel = await pickDatamodel(this.#deps, vscode.l10n.t('Datamodel Diagram'));
    return (
      datamodel && {
        connectionId: datamodel.connectionId,
        datamodelId: datamodel.datamodelId,
        title: datamodel.title,
      }
    );
  }

  #getPanel(target: DiagramDatamodel): DiagramPanel {
    return this.#panels.get(getDiagramKey(target)) ?? this.#createPanel(target, createTab());
  }

  #createPanel(target: DiagramDatamodel, tab: vscode.WebviewPanel): DiagramPanel {
    const key = getDiagramKey(target);
    const panel = new DiagramPanel(this.#deps, target, tab, {
      onClosed: () => this.#panels.delete(key),
      onCreateRelation: (ends) => createRelationBetween(target, ends),
    });
    this.#panels.set(key, panel);
    return panel;
  }

  #forEachPanel(action: (panel: DiagramPanel) => void): void {
    for (const panel of this.#panels.values()) {
      action(panel);
    }
  }
}

const getDiagramKey = ({ connectionId, datamodelId }: DiagramDatamodel): string =>
  JSON.stringify([connectionId, datamodelId]);

const createTab = (): vscode.WebviewPanel =>
  vscode.window.createWebviewPanel(webviews.diagram, '', vscode.ViewColumn.Active);

function getDiagramTarget(node: TreeTarget | undefined): DiagramDatamodel | undefined {
  const datamodel = findNearest(node, 'datamodel');
  return (
    datamodel && {
      connectionId: datamodel.connectionId,
      datamodelId: datamodel.resource.datamodelId,
      title: datamodel.name,
    }
  );
}

/** Creates a relation after asking for missing details; the catalog change then updates the diagram. */
const createRelationBetween = (
  { connectionId, datamodelId, title }: DiagramDatamodel,
  ends: DiagramRelationTarget['ends'],
): Promise<void> =>
  runCommand('datamodelStudio.resources.newRelation', {
    connectionId,
    resource: { kind: 'datamodel', datamodelId },
    name: title,
    ends,
    skipReveal: true,
  });
