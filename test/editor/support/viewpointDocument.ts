import assert from 'node:assert/strict';
import type { Viewpoint } from '../../../src/contract/viewpoint.ts';
import type { JourneySandbox } from './journeySandbox.ts';
import type { Studio } from './studio.ts';

/** A viewpoint of the demo. */
export const demoViewpointName = 'Revenue by Region';
/** Documents open as text: forms are tested in separate journeys. */
export const textEditorSettings = { 'datamodelStudio.documents.openAs': 'text', 'files.autoSave': 'off' };

/** Returns the viewpoint as stored in the sandbox. */
export async function fetchViewpoint(
  sandbox: JourneySandbox,
  called = demoViewpointName,
): Promise<Viewpoint> {
  const { id } = await findListedViewpoint(sandbox, called);
  return (await sandbox.request('GET', `/api/v1/infusion/viewpoints/${id}`)) as Viewpoint;
}

async function findListedViewpoint(sandbox: JourneySandbox, called: string): Promise<Viewpoint> {
  const search = encodeURIComponent(JSON.stringify({ name: called }));
  const answer = await sandbox.request('GET', `/api/v1/infusion/viewpoints?search=${search}`);
  const lists = Array.isArray(answer) ? [answer] : Object.values(answer as object);
  const found = (lists.find(Array.isArray) as Viewpoint[]).find((one) => one.name === called);
  assert.ok(found);
  return found;
}

/** Changes the description of the viewpoint as another user. */
export const setViewpointDescription = async (
  sandbox: JourneySandbox,
  description: string,
  called = demoViewpointName,
): Promise<void> => {
  const { id } = await findListedViewpoint(sandbox, called);
  await sandbox.request('PUT', `/api/v1/infusion/viewpoints/${id}`, { description });
};

/** On one line: the editor would indent typed line breaks. */
export const getDescribedText = async (
  sandbox: JourneySandbox,
  description: string,
  called = demoViewpointName,
): Promise<string> => JSON.stringify({ ...(await fetchViewpoint(sandbox, called)), description });

/** Opens the viewpoint from the explorer, as text. */
export async function openViewpointAsText(studio: Studio, called = demoViewpointName): Promise<void> {
  await studio.openView();
  await studio.tree.click(['Sandbox', 'Viewpoints', called]);
  await studio.openedEditor(`${called}.viewpoint.json`);
  await studio.editorShows(/"description"/);
}
