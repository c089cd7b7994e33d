import assert from 'node:assert/strict';
import type { Viewpoint } from '../../../src/contract/viewpoint.ts';
import type { TestSandbox } from './sandbox.ts';
import type { Studio } from './studio.ts';

/** A viewpoint of the demo. */
export const name = 'Revenue by Region';
/** Forms have journeys of their own. */
export const settings = { 'datamodelStudio.documents.openAs': 'text', 'files.autoSave': 'off' };

/** The viewpoint as the sandbox has it. */
export async function viewpointOf(sandbox: TestSandbox): Promise<Viewpoint> {
  const { id } = await listed(sandbox);
  return (await sandbox.request('GET', `/api/v1/infusion/viewpoints/${id}`)) as Viewpoint;
}

async function listed(sandbox: TestSandbox): Promise<Viewpoint> {
  const search = encodeURIComponent(JSON.stringify({ name }));
  const answer = await sandbox.request('GET', `/api/v1/infusion/viewpoints?search=${search}`);
  const lists = Array.isArray(answer) ? [answer] : Object.values(answer as object);
  const found = (lists.find(Array.isArray) as Viewpoint[]).find((one) => one.name === name);
  assert.ok(found);
  return found;
}

/** Somebody else gives the viewpoint a description. */
export const describe = async (sandbox: TestSandbox, description: string): Promise<void> => {
  const { id } = await listed(sandbox);
  await sandbox.request('PUT', `/api/v1/infusion/viewpoints/${id}`, { description });
};

/** On one line: the editor would indent typed lines, as if a person broke them. */
export const withDescription = async (sandbox: TestSandbox, description: string): Promise<string> =>
  JSON.stringify({ ...(await viewpointOf(sandbox)), description });

/** Opens the viewpoint from the explorer, as text. */
export async function openViewpoint(studio: Studio): Promise<void> {
  await studio.openView();
  await studio.tree.click(['Sandbox', 'Viewpoints', name]);
  await studio.openedEditor(`${name}.viewpoint.json`);
  await studio.editorShows(/"description"/);
}
