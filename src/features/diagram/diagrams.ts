import * as vscode from 'vscode';
import * as z from 'zod';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type RelateTarget, type TreeTarget, webviews } from '../../contributions.ts';
import { runCommand } from '../../platform/commands.ts';
import { showInformation } from '../../platform/messages.ts';
import { pickDatamodel } from '../../platform/pickDatamodel.ts';
import { findNearest } from '../../platform/treeTarget.ts';
import { type DiagramPlace, diagramPlaceSchema } from '../../webviews/protocol/diagram.ts';
import type { DiagramFeatureDeps } from './deps.ts';
import { DiagramPanel } from './diagramPanel.ts';

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

  /** Shows the diagram of a tree node's datamodel, which the user picks without a node, and reveals its table. */
  async open(node: TreeTarget | undefined): Promise<void> {
    const place = getDiagramPlace(node) ?? (await this.#pick());
    if (place !== undefined) {
      this.#getPanel(place).show(findNearest(node, 'table')?.resource.tableId);
    }
  }

  /** Restores a tab after a reload; closes it if its state is invalid or its diagram is already open. */
  restore(tab: vscode.WebviewPanel, kept: unknown): void {
    const read = z.object({ place: diagramPlaceSchema }).safeParse(kept);
    if (read.success && !this.#panels.has(getDiagramKey(read.data.place))) {
      this.#createPanel(read.data.place, tab);
    } else {
      tab.dispose();
    }
  }

  /** Creates the relation of a diagram's context menu, or one from the selected table of the active diagram. */
  async relate(target: RelateTarget | undefined): Promise<void> {
    if (target !== undefined) {
      await createRelationBetween(target, target.ends);
      return;
    }
    const active = [...this.#panels.values()].find(({ isActive }) => isActive);
    if (active === undefined) {
      await showInformation(vscode.l10n.t('Open a diagram and choose a table in it first.'));
    } else {
      active.relate();
    }
  }

  dispose(): void {
    this.#forEachPanel((panel) => panel.close());
    this.#store.dispose();
  }

  async #pick(): Promise<DiagramPlace | undefined> {
    const picked = await pickDatamodel(this.#deps, vscode.l10n.t('Datamodel Diagram'));
    return (
      picked && { connectionId: picked.connectionId, datamodelId: picked.datamodelId, title: picked.title }
    );
  }

  #getPanel(place: DiagramPlace): DiagramPanel {
    return this.#panels.get(getDiagramKey(place)) ?? this.#createPanel(place, createTab());
  }

  #createPanel(place: DiagramPlace, tab: vscode.WebviewPanel): DiagramPanel {
    const key = getDiagramKey(place);
    const panel = new DiagramPanel(this.#deps, place, tab, {
      closed: () => this.#panels.delete(key),
      relate: (ends) => createRelationBetween(place, ends),
    });
    this.#panels.set(key, panel);
    return panel;
  }

  #forEachPanel(act: (panel: DiagramPanel) => void): void {
    for (const panel of this.#panels.values()) {
      act(panel);
    }
  }
}

const getDiagramKey = ({ connectionId, datamodelId }: DiagramPlace): string =>
  JSON.stringify([connectionId, datamodelId]);

const createTab = (): vscode.WebviewPanel =>
  vscode.window.createWebviewPanel(webviews.diagram, '', vscode.ViewColumn.Active);

function getDiagramPlace(node: TreeTarget | undefined): DiagramPlace | undefined {
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
  { connectionId, datamodelId, title }: DiagramPlace,
  ends: RelateTarget['ends'],
): Promise<void> =>
  runCommand('datamodelStudio.resources.newRelation', {
    connectionId,
    resource: { kind: 'datamodel', datamodelId },
    name: title,
    ends,
    stay: true,
  });
