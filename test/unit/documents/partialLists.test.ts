import { expect, test } from 'vitest';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { createDocumentPath } from '../../../src/documents/documentAddress.ts';
import { noMemory } from '../../../src/documents/baseMemory.ts';
import { RemoteDocuments } from '../../../src/documents/remoteDocuments.ts';
import { RuleAliases } from '../../../src/documents/ruleAliases.ts';
import { DocumentReader } from '../../../src/changes/model/documentReader.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { json, makeClient } from '../client/support.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const good = { _id: 'good', table: 'T', column: 'C', members: ['a'], shares: [{ type: 'default' }] };
const bad = { _id: 'bad', table: 'T', column: 'C', members: 'not a list', shares: [{ type: 'default' }] };

function readText(client: PlatformClient, resource: Parameters<typeof createDocumentPath>[0]['resource']) {
  const documents = new RemoteDocuments({
    sessions: { get: () => Promise.resolve({ client }) },
    getWriter: () => Promise.reject(new Error('Nothing is saved here')),
    clock: new FakeClock(),
    editor: { isDirty: () => false },
    memory: noMemory,
    aliases: new RuleAliases({ read: () => 'not ours', write: () => undefined }),
  });
  const path = createDocumentPath({ connectionId: 'c', resource, name: 'R', within: [] });
  return documents.read(path).then((bytes) => new TextDecoder().decode(bytes));
}

test('a rule opens although another one in its list cannot be read', async () => {
  const { client } = makeClient(json([good, bad]));
  const text = await readText(client, { kind: 'rule', subject, ruleId: 'good' });
  expect(JSON.parse(text)).toMatchObject({ _id: 'good', members: ['a'] });
});

test('the rules of a column include one that cannot be read, so that a save does not treat it as deleted', async () => {
  const { client } = makeClient(json([good, bad]));
  const text = await readText(client, { kind: 'columnRules', subject, table: 'T', column: 'C' });
  expect(JSON.parse(text)).toMatchObject([good, bad]);
});

test('the snapshot before a write is the complete, unchanged list', async () => {
  const { client } = makeClient(json([good, bad]));
  const reader = new DocumentReader(client);
  expect(await reader.readDocument({ kind: 'rules', subject })).toEqual([good, bad]);
  expect(await reader.readDocument({ kind: 'rule', subject, ruleId: 'bad' })).toEqual(bad);
});

test('a document of an unexpected shape does not open', async () => {
  const { client } = makeClient(json({ oid: 'm', title: 5 }));
  await expect(readText(client, { kind: 'viewpoint', viewpointId: 'v' })).rejects.toMatchObject({
    code: 'answer-wrong-shape',
  });
});
