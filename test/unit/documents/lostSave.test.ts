import { expect, test } from 'vitest';
import { parseLossless, stringify } from '../../../src/base/json.ts';
import { noMemory } from '../../../src/documents/baseMemory.ts';
import { createDocumentPath } from '../../../src/documents/documentAddress.ts';
import { RemoteDocuments } from '../../../src/documents/remoteDocuments.ts';
import { RuleAliases } from '../../../src/documents/ruleAliases.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { Bench, connectionId, failure } from '../changes/run/support.ts';
import { createSingleSession } from '../../fakes/fakeSessions.ts';

/** An open viewpoint of the demo. */
async function opened(bench: Bench) {
  const { writer, history } = bench.open();
  const documents = new RemoteDocuments({
    sessions: createSingleSession(() => ({ client: bench.client, catalog: bench.catalog })),
    getWriter: () => Promise.resolve(writer),
    clock: bench.sandbox.clock,
    editor: { isDirty: () => false },
    memory: noMemory,
    aliases: new RuleAliases({ read: () => undefined, write: () => undefined }),
  });
  const viewpointId = (await bench.client.viewpoints.list({ limit: 1 })).value.viewpoints[0]?.id ?? '';
  const resource = { kind: 'viewpoint', viewpointId } as const;
  const path = createDocumentPath({ connectionId, resource, name: 'V', within: [] });
  const read = async (): Promise<JsonObject> => {
    await documents.stat(path);
    return parseLossless(new TextDecoder().decode(await documents.read(path))) as JsonObject;
  };
  const before = await read();
  const save = () => {
    const mine = stringify({ ...before, description: 'Mine' });
    return documents.write(path, new TextEncoder().encode(mine), { byHand: true });
  };
  return { history, resource, save };
}

test('a save that never arrived while another user saved is a conflict, and nothing is overwritten', async () => {
  using bench = new Bench();
  const { history, resource, save } = await opened(bench);
  const url = `/api/v1/infusion/viewpoints/${resource.viewpointId}`;
  let theirs: Promise<unknown> | undefined;
  bench.lose = (line) => {
    theirs ??= bench.sandbox.send('PUT', url, { description: 'Theirs' });
    return line.startsWith('PUT') ? 'request' : undefined;
  };
  const conflict = await failure(save());
  await theirs;
  expect(conflict).toMatchObject({
    name: 'DocumentConflictError',
    theirs: { value: { description: 'Theirs' } },
  });
  expect(await bench.object(resource)).toMatchObject({ description: 'Theirs' });
  expect(await history.readEntries(connectionId)).toMatchObject([
    { end: 'stopped', writes: [{ state: 'unknown' }] },
  ]);
  // It stays a conflict until the user has reviewed it.
  expect(await failure(save())).toMatchObject({ name: 'DocumentConflictError' });
});

test('a save whose response was lost is saved', async () => {
  using bench = new Bench();
  const { history, resource, save } = await opened(bench);
  bench.lose = () => 'answer';
  await save();
  expect(await bench.object(resource)).toMatchObject({ description: 'Mine' });
  expect(await history.readEntries(connectionId)).toMatchObject([{ end: 'done' }]);
});
