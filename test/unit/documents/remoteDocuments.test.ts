import { expect, test } from 'vitest';
import type { ApiResponse } from '../../../src/client/apiResponse.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { type BaseStorage, noBaseStorage } from '../../../src/documents/baseStorage.ts';
import { createDocumentPath } from '../../../src/documents/documentAddress.ts';
import { RemoteDocuments } from '../../../src/documents/remoteDocuments.ts';
import { RuleAliases } from '../../../src/documents/ruleAliases.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

const path = createDocumentPath({
  connectionId: 'c',
  resource: { kind: 'viewpoint', viewpointId: 'v' },
  name: 'V',
  within: [],
});

/** Opens the documents of a server that has one viewpoint. */
function openDocuments(options: { readonly baseStorage?: BaseStorage } = {}) {
  const clock = new FakeClock();
  const dirtyPaths = new Set<string>();
  const server: { description: string; requests: number; hold: (() => Promise<void>) | undefined } = {
    description: 'first',
    requests: 0,
    hold: undefined,
  };
  const get = async (): Promise<ApiResponse<unknown>> => {
    server.requests += 1;
    const json = { id: 'v', description: server.description };
    await server.hold?.();
    return { value: undefined, text: JSON.stringify(json), json, status: 200 };
  };
  const documents = new RemoteDocuments({
    sessions: {
      get: () => Promise.resolve({ client: { viewpoints: { get } } as unknown as PlatformClient }),
    },
    getWriter: () => Promise.reject(new Error('Nothing is saved here')),
    clock,
    editor: { isDirty: (documentPath) => dirtyPaths.has(documentPath) },
    baseStorage: options.baseStorage ?? noBaseStorage,
    aliases: new RuleAliases({ read: () => 'not ours', write: () => undefined }),
  });
  const readText = async (): Promise<string> => new TextDecoder().decode(await documents.read(path));
  return { documents, clock, dirtyPaths, server, readText };
}

test('a read that started before a change is not used after it', async () => {
  const { documents, server, readText } = openDocuments();
  const [requested, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  server.hold = () => {
    requested.resolve();
    return released.promise;
  };
  const earlyRead = readText();
  await requested.promise;
  server.description = 'second';
  documents.handleServerChange(path);
  server.hold = undefined;
  expect(await readText()).toContain('second');
  released.resolve();
  expect(await earlyRead).toContain('first');
  expect(await readText()).toContain('second');
});

test('simultaneous calls share a request, and later ones send another', async () => {
  const { documents, server, readText, clock } = openDocuments();
  await Promise.all([documents.stat(path), documents.stat(path), readText()]);
  expect(server.requests).toBe(1);
  await clock.advance(2000);
  await documents.stat(path);
  expect(server.requests).toBe(2);
});

test('the editor gets the latest version when it is about to write', async () => {
  const { documents, dirtyPaths, server, readText, clock } = openDocuments();
  await readText();
  const opened = await documents.stat(path);
  server.description = 'somebody else was here';
  await clock.advance(500);
  // A recent response is good enough for reading.
  expect((await documents.stat(path)).mtime).toBe(opened.mtime);
  dirtyPaths.add(path);
  expect((await documents.stat(path)).mtime).toBeGreaterThan(opened.mtime);
});

test("the modification time stays while the server's content is the same, and otherwise follows the clock", async () => {
  const { documents, server, clock } = openDocuments();
  const before = await documents.stat(path);
  await clock.advance(5000);
  expect(await documents.stat(path)).toEqual(before);
  server.description = 'second';
  await clock.advance(5000);
  expect((await documents.stat(path)).mtime).toBe(before.mtime + 10_000);
  // Twice within one tick of the clock.
  server.description = 'third';
  documents.handleServerChange(path);
  expect((await documents.stat(path)).mtime).toBe(before.mtime + 10_001);
});

test('a text without a stored base does not get one when it is compared with the server', async () => {
  const { documents, dirtyPaths, readText } = openDocuments();
  dirtyPaths.add(path);
  await readText();
  const saving = documents.write(path, new TextEncoder().encode('{}'), { isExplicit: true });
  await expect(saving).rejects.toMatchObject({ name: 'DocumentConflictError', base: undefined });
});

test('a recalled base has the stored modification time and size', async () => {
  const baseStorage: BaseStorage = {
    ...noBaseStorage,
    read: () => Promise.resolve({ text: '{"description":"first","id":"v"}', mtime: 77, size: 32 }),
  };
  const { documents, dirtyPaths, server } = openDocuments({ baseStorage });
  // The editor may read before it has reported changes.
  await documents.stat(path);
  dirtyPaths.add(path);
  expect(await documents.stat(path)).toMatchObject({ mtime: 77, size: 32 });
  server.description = 'other';
  documents.handleServerChange(path);
  expect((await documents.stat(path)).mtime).toBeGreaterThan(77);
});

test('a path that is not a document is reported as such', async () => {
  const { documents } = openDocuments();
  await expect(documents.stat('/nothing')).rejects.toMatchObject({ code: 'not-opened' });
});

test('bytes that are not UTF-8 are rejected: characters would be lost on the server', async () => {
  const { documents } = openDocuments();
  await documents.read(path);
  const bytes = Buffer.from('{"id":"v","description":"Köln"}', 'latin1');
  await expect(documents.write(path, bytes, { isExplicit: true })).rejects.toMatchObject({
    code: 'not-utf-8',
  });
});
