import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { Viewpoint } from '../../../src/contract/viewpoint.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { fetchViewpoint, textEditorSettings } from '../../editor/support/viewpointDocument.ts';
import type { HostStudio } from './studio.ts';
import { waitFor } from './waiting.ts';

/** Documents open as text, and are saved by the test only; all viewpoints are on one page of the Connections view. */
export const documentSettings = { ...textEditorSettings, 'datamodelStudio.explorer.pageSize': 250 };

/** Creates a viewpoint for one test, with the details of a viewpoint of the demo. */
export async function createViewpoint(
  sandbox: JourneySandbox,
  name: string,
  description = 'First',
): Promise<Viewpoint> {
  const { details } = await fetchViewpoint(sandbox);
  await sandbox.request('POST', '/api/v1/infusion/viewpoints', { name, description, details });
  return fetchViewpoint(sandbox, name);
}

/** Changes a viewpoint as another user; returns it as it was. */
export async function changeViewpoint(
  sandbox: JourneySandbox,
  name: string,
  change: Partial<Viewpoint> = { description: 'Second' },
): Promise<Viewpoint> {
  const before = await fetchViewpoint(sandbox, name);
  await sandbox.request('PUT', `/api/v1/infusion/viewpoints/${before.id}`, change);
  return before;
}

/** Creates a viewpoint and opens it as text from the Connections view. */
export async function openNewViewpoint(
  studio: HostStudio,
  sandbox: JourneySandbox,
  name: string,
): Promise<vscode.TextDocument> {
  await createViewpoint(sandbox, name);
  await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
  // A click would first reveal the row, which the editor does not know yet.
  await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints', name], 'Open as JSON');
  await studio.waitForEditor(`${name}.viewpoint.json`);
  const { document } = await studio.waitForEditorText(/"description": "First"/);
  return document;
}

/** Waits until the document has no unsaved changes. */
export async function waitForSaved(document: vscode.TextDocument): Promise<void> {
  await waitFor(
    () => !document.isDirty,
    () => `${document.uri.path} stays unsaved`,
  );
}

/** Waits after a save that needs a decision: the editor first reports to extensions that the document is saved. */
async function waitForUnsaved(document: vscode.TextDocument): Promise<void> {
  await waitFor(
    () => document.isDirty,
    () => `${document.uri.path} is saved`,
  );
}

/** Saves a document, and expects that the extension accepts the save. */
export async function save(document: vscode.TextDocument): Promise<void> {
  assert.equal(await document.save(), true, `${document.uri.path} is saved`);
  assert.equal(document.isDirty, false);
}

/** Saves a document, and expects that the extension does not accept the save, or not at once. */
export async function expectSaveRefused(document: vscode.TextDocument): Promise<void> {
  assert.equal(await document.save(), false, `${document.uri.path} is not saved`);
  await waitForUnsaved(document);
}

/** The text of the left side of the active comparison. */
export async function readLeftSide(studio: HostStudio, title: RegExp): Promise<string> {
  const { workspace, TabInputTextDiff } = await import('vscode');
  const { input } = await studio.waitForEditor(title);
  assert.ok(input instanceof TabInputTextDiff);
  return (await workspace.openTextDocument(input.original)).getText();
}
