import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import type { InstanceDocuments } from '../../../../src/project/instance/convertInstance.ts';
import type { ProjectStatus } from '../../../../src/project/status/statusCalls.ts';
import { getStatusGroup } from '../../../../src/project/status/itemStatus.ts';
import type { InstanceReading, ReadScope } from '../../../../src/project/source/readInstance.ts';
import { PulledProject, retailTitle } from '../pull/pullSupport.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Writes a project that has pulled from an instance to a folder. */
export function writePulledProject(
  instance: Partial<InstanceDocuments>,
): PulledProject & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'status-'));
  folders.push(folder);
  const project = Object.assign(new PulledProject(), { folder });
  project.pull(instance);
  for (const [path, text] of project.texts) {
    writeProjectFile(folder, path, text);
  }
  writeProjectFile(folder, 'environments/test.lock.json', project.lockText);
  return project;
}

export function writeProjectFile(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

export const scope: ReadScope = {
  unreadParts: [],
  listedIds: [],
  listedTitles: [retailTitle],
  listedViewpoints: [],
};

/** Returns a reading of an instance that has only some documents. */
export const createReading = (
  instance: Partial<InstanceDocuments>,
): Pick<InstanceReading, 'documents' | 'scope'> => ({
  documents: {
    datamodels: [],
    cubeSets: [],
    viewpoints: [],
    customData: [],
    users: [],
    groups: [],
    ...instance,
  },
  scope,
});

/** The items of a status, one line for each. */
export const summarizeStatus = ({ items }: ProjectStatus): readonly string[] =>
  items.map((item) => `${getStatusGroup(item)}: ${item.path} ${item.here} ${item.server}`);
