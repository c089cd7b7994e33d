import { expect, test } from 'vitest';
import { parseLossless, stringify } from '../../../src/base/json.ts';
import { noBaseStorage } from '../../../src/documents/baseStorage.ts';
import { createDocumentPath } from '../../../src/documents/documentAddress.ts';
import { RemoteDocuments } from '../../../src/documents/remoteDocuments.ts';
import { RuleAliases } from '../../../src/documents/ruleAliases.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { ChangeFixture, connectionId, getFailure } from '../changes/run/support.ts';
import { createSharedSessions } from '../../fakes/fakeSessions.ts';

/** Opens a viewpoint of the demo data. */
async function openViewpoint(fixture: ChangeFixture) {
  const { writer, history } = fixture.open();
  const documents = new RemoteDocuments({
    sessions: createSharedSessions(() => ({ client: fixture.client, catalog: fixture.catalog })),
    getWriter: () => Promise.resolve(writer),
    clock: fixture.sandbox.clock,
    editor: { isDirty: () => false },
    baseStorage: noBaseStorage,
    aliases: new RuleAliases({ read: () => undefined, write: () => undefined }),
  });
  const viewpointId = (await fixture.client.viewpoints.list({ limit: 1 })).value.viewpoints[0]?.id ?? '';
  const resource = { kind: 'viewpoint', viewpointId } as const;
  const path = createDocumentPath({ connectionId, resource, name: 'V', within: [] });
  const read = async (): Promise<JsonObject> => {
    await documents.stat(path);
    return parseLossless(new TextDecoder().decode(await documents.read(path))) as JsonObject;
  };
  const before = await read();
  const save = () => {
    const ownText = stringify({ ...before, description: 'Mine' });
    return documents.write(path, new TextEncoder().encode(ownText), { isExplicit: true });
  };
  return { history, resource, save };
}

test('a save that never reached the server while another user saved is a conflict, and nothing is overwritten', async () => {
  using fixture = new ChangeFixture();
  const { history, resource, save } = await openViewpoint(fixture);
  const url = `/api/v1/infusion/viewpoints/${resource.viewpointId}`;
  let otherSave: Promise<unknown> | undefined;
  fixture.getWriteFault = (line) => {
    otherSave ??= fixture.sandbox.send('PUT', url, { description: 'Theirs' });
    return line.startsWith('PUT') ? 'request-lost' : undefined;
  };
  const conflict = await getFailure(save());
  await otherSave;
  expect(conflict).toMatchObject({
    name: 'DocumentConflictError',
    theirs: { value: { description: 'Theirs' } },
  });
  expect(await fixture.readObject(resource)).toMatchObject({ description: 'Theirs' });
  expect(await history.readEntries(connectionId)).toMatchObject([
    { end: 'stopped', writeStates: [{ state: 'unknown' }] },
  ]);
  // The next save is a conflict, too, until the user has reviewed the other version.
  expect(await getFailure(save())).toMatchObject({ name: 'DocumentConflictError' });
});

test('a save whose response was lost has succeeded', async () => {
  using fixture = new ChangeFixture();
  const { history, resource, save } = await openViewpoint(fixture);
  fixture.getWriteFault = () => 'response-lost';
  await save();
  expect(await fixture.readObject(resource)).toMatchObject({ description: 'Mine' });
  expect(await history.readEntries(connectionId)).toMatchObject([{ end: 'done' }]);
});
