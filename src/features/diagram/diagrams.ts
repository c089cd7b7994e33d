import * as vscode from 'vscode';
import * as z from 'zod';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import {
  type DiagramRelationTarget,
  type TreeTarget,
  type UriTarget,
  webviews,
} from '../../contributions.ts';
import { getActiveDocumentUri } from '../../platform/activeForm.ts';
import { runCommand } from '../../platform/commands.ts';
import { showInformation } from '../../platform/messages.ts';
import { pickDatamodel } from '../../platform/pickDatamodel.ts';
import { findNearest } from '../../platform/treeTarget.ts';
import {
  type DiagramDatamodel,
  type DiagramFileDatamodel,
  diagramDatamodelSchema,
  diagramFilesSchema,
} from '../../webviews/protocol/diagram.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import { pickFileDatamodel } from '../../platform/projects/pickFileDatamodel.ts';
import type { DiagramFeatureDeps } from './deps.ts';
import { DiagramPanel } from './diagramPanel.ts';
import { FileDiagramPanel } from './fileDiagramPanel.ts';

/** The state of a page: released versions store the datamodel with the key `place`. */
const persistedStateSchema = z.object({ place: z.union([diagramDatamodelSchema, diagramFilesSchema]) });

/** The open diagrams: one per datamodel. */
export class Diagrams implements Disposable {
  readonly #deps: DiagramFeatureDeps;
  readonly #panels = new Map<string, DiagramPanel>();
  readonly #filePanels = new Map<string, FileDiagramPanel>();
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

  /**
   * Shows the diagram of the datamodel in the folder of a file, or of the file in the active editor. If there is none,
   * the user picks the datamodel.
   */
  async openFileDiagram(uri: UriTarget | undefined): Promise<void> {
    const file = uri === undefined ? getActiveDocumentUri() : vscode.Uri.parse(String(uri));
    const catalogs = await this.#deps.loadFileCatalogs();
    const target =
      (file && (await findFileDatamodel(catalogs, file))) ?? (await this.#pickFileDatamodel(uri));
    if (target === undefined) {
      return;
    }
    const panel =
      this.#filePanels.get(getFileDiagramKey(target)) ?? this.#createFilePanel(target, catalogs, createTab());
    panel.show();
  }

  async #pickFileDatamodel(uri: UriTarget | undefined): Promise<DiagramFileDatamodel | undefined> {
    if (uri !== undefined) {
      await showInformation(vscode.l10n.t('Select a file of a datamodel in a project.'));
      return undefined;
    }
    const picked = await pickFileDatamodel(
      await this.#deps.loadFileCatalogs(),
      vscode.l10n.t('Show Diagram from Files'),
    );
    return picked && { folder: picked.folder, title: picked.datamodel };
  }

  /** Restores a tab after a reload; closes it if its state is invalid or its diagram is already open. */
  async restore(tab: vscode.WebviewPanel, state: unknown): Promise<void> {
    const target = persistedStateSchema.safeParse(state).data?.place;
    if (target !== undefined && 'folder' in target) {
      await this.#restoreFileDiagram(tab, target);
    } else if (target !== undefined && !this.#panels.has(getDiagramKey(target))) {
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
    const panels = [...this.#panels.values(), ...this.#filePanels.values()];
    const activePanel = panels.find(({ isActive }) => isActive);
    if (activePanel === undefined) {
      await showInformation(vscode.l10n.t('Open a diagram and select a table first.'));
    } else {
      await activePanel.requestRelation();
    }
  }

  dispose(): void {
    this.#forEachPanel((panel) => panel.close());
    this.#filePanels.forEach((panel) => panel.close());
    this.#store.dispose();
  }

  async #pickDatamodel(): Promise<DiagramDatamodel | undefined> {
    const datamodel = await pickDatamodel(this.#deps, vscode.l10n.t('Datamodel Diagram'), {
      selection: this.#deps.selection,
    });
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

  async #restoreFileDiagram(tab: vscode.WebviewPanel, target: DiagramFileDatamodel): Promise<void> {
    const catalogs = await this.#deps.loadFileCatalogs();
    const project = await catalogs.findProject(vscode.Uri.parse(target.folder));
    if (project === undefined || this.#filePanels.has(getFileDiagramKey(target))) {
      tab.dispose();
    } else {
      this.#createFilePanel(target, catalogs, tab);
    }
  }

  #createFilePanel(
    target: DiagramFileDatamodel,
    catalogs: FileCatalogs,
    tab: vscode.WebviewPanel,
  ): FileDiagramPanel {
    const key = getFileDiagramKey(target);
    const panel = new FileDiagramPanel(this.#deps, target, catalogs, tab, () => this.#filePanels.delete(key));
    this.#filePanels.set(key, panel);
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

const getFileDiagramKey = ({ folder, title }: DiagramFileDatamodel): string =>
  JSON.stringify([folder, title]);

/** Returns the datamodel in whose folder a file is; `undefined` if it's in none. */
async function findFileDatamodel(
  catalogs: FileCatalogs,
  uri: vscode.Uri,
): Promise<DiagramFileDatamodel | undefined> {
  const found = await catalogs.findItemFile(uri);
  const title = found && (await found.catalog.getFileContext(found.path)).datamodel;
  return found === undefined || title === undefined
    ? undefined
    : { folder: String(found.catalog.folder), title };
}

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
