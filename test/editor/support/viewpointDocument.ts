import assert from 'node:assert/strict';
import type { Viewpoint } from '../../../src/contract/viewpoint.ts';
import type { JourneySandbox } from './journeySandbox.ts';
import type { Studio } from './studio.ts';

/** A viewpoint of the demo. */
export const demoViewpointName = 'Revenue by Region';
/** Documents open as text: forms are tested in separate journeys. */
export const textEditorSettings = { 'datamodelStudio.documents.openAs': 'text', 'files.autoSave': 'off' };

/** Returns the viewpoint as stored in the sandbox. */
export async function fetchViewpoint(sandbox: JourneySandbox, name = demoViewpointName): Promise<Viewpoint> {
  const { id } = await findListedViewpoint(sandbox, name);
  return (await sandbox.request('GET', `/api/v1/infusion/viewpoints/${id}`)) as Viewpoint;
}

async function findListedViewpoint(sandbox: JourneySandbox, name: string): Promise<Viewpoint> {
  const search = encodeURIComponent(JSON.stringify({ name }));
  const response = await sandbox.request('GET', `/api/v1/infusion/viewpoints?search=${search}`);
  const lists = Array.isArray(response) ? [response] : Object.values(response as object);
  const found = (lists.find(Array.isArray) as Viewpoint[]).find((viewpoint) => viewpoint.name === name);
  assert.ok(found);
  return found;
}

/** Changes the description of the viewpoint as another user. */
export const setViewpointDescription = async (
  sandbox: JourneySandbox,
  description: string,
  name = demoViewpointName,
): Promise<void> => {
  const { id } = await findListedViewpoint(sandbox, name);
  await sandbox.request('PUT', `/api/v1/infusion/viewpoints/${id}`, { description });
};

/** Returns the viewpoint with another description, as JSON on one line, since the editor would indent line breaks. */
export const getTextWithDescription = async (
  sandbox: JourneySandbox,
  description: string,
  name = demoViewpointName,
): Promise<string> => JSON.stringify({ ...(await fetchViewpoint(sandbox, name)), description });

/** Opens the viewpoint from the Connections view, as text. */
export async function openViewpointAsText(studio: Studio, name = demoViewpointName): Promise<void> {
  await studio.openView();
  await studio.tree.click(['Sandbox', 'Viewpoints', name]);
  await studio.waitForEditor(`${name}.viewpoint.json`);
  await studio.waitForEditorText(/"description"/);
}
