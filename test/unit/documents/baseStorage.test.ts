import { expect, test } from 'vitest';
import { getStableStoragePath } from '../../../src/documents/baseStorage.ts';

test.each([
  [
    '/data/workspaceStorage/4f2ab0-1/datamodel-studio.datamodel-studio',
    '/data/workspaceStorage/4f2ab0/datamodel-studio.datamodel-studio',
  ],
  ['/data/workspaceStorage/4f2ab0-12/a.b/', '/data/workspaceStorage/4f2ab0/a.b/'],
  // A workspace ID in a browser editor may look like a number itself.
  ['/data/workspaceStorage/-44188617/a.b', '/data/workspaceStorage/-44188617/a.b'],
  ['/data/workspaceStorage/-44188617-1/a.b', '/data/workspaceStorage/-44188617/a.b'],
  ['/data/workspaceStorage/4f2ab0/a.b-2', '/data/workspaceStorage/4f2ab0/a.b-2'],
  ['/data-1/workspaceStorage/ext-dev/a.b', '/data-1/workspaceStorage/ext-dev/a.b'],
  ['/data-1/globalStorage/a.b', '/data-1/globalStorage/a.b'],
])('the number that VS Code adds to a locked storage folder is removed: %s', (path, stablePath) => {
  expect(getStableStoragePath(path)).toBe(stablePath);
});
