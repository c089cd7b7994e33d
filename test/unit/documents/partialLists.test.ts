import { expect, test } from 'vitest';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { createDocumentPath } from '../../../src/documents/documentAddress.ts';
import { noBaseStorage } from '../../../src/documents/baseStorage.ts';
import { RemoteDocuments } from '../../../src/documents/remoteDocuments.ts';
import { RuleAliases } from '../../../src/documents/ruleAliases.ts';
import { DocumentReader } from '../../../src/changes/model/documentReader.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { json, createTestClient } from '../client/support.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const readableRule = { _id: 'good', table: 'T', column: 'C', members: ['a'], shares: [{ type: 'default' }] };
const unreadableRule = {
  _id: 'unreadableRule',
  table: 'T',
  column: 'C',
  members: 'not a list',
  shares: [{ type: 'default' }],
};

function readText(client: PlatformClient, resource: Parameters<typeof createDocumentPath>[0]['resource']) {
  const documents = new RemoteDocuments({
    sessions: { get: () => Promise.resolve({ client }) },
    getWriter: () => Promise.reject(new Error('Nothing is saved here')),
    clock: new FakeClock(),
    editor: { isDirty: () => false },
    baseStorage: noBaseStorage,
    aliases: new RuleAliases({ read: () => 'not ours', write: () => undefined }),
  });
  const path = createDocumentPath({ connectionId: 'c', resource, name: 'R', within: [] });
  return documents.read(path).then((bytes) => new TextDecoder().decode(bytes));
}

test('a rule opens although another one in its list cannot be read', async () => {
  const { client } = createTestClient(json([readableRule, unreadableRule]));
  const text = await readText(client, { kind: 'rule', subject, ruleId: 'good' });
  expect(JSON.parse(text)).toMatchObject({ _id: 'good', members: ['a'] });
});

test('the rules of a column include one that cannot be read, so that a save does not treat it as deleted', async () => {
  const { client } = createTestClient(json([readableRule, unreadableRule]));
  const text = await readText(client, { kind: 'columnRules', subject, table: 'T', column: 'C' });
  expect(JSON.parse(text)).toMatchObject([readableRule, unreadableRule]);
});

test('the snapshot before a write is the complete, unchanged list', async () => {
  const { client } = createTestClient(json([readableRule, unreadableRule]));
  const reader = new DocumentReader(client);
  expect(await reader.readDocument({ kind: 'rules', subject })).toEqual([readableRule, unreadableRule]);
  expect(await reader.readDocument({ kind: 'rule', subject, ruleId: 'unreadableRule' })).toEqual(
    unreadableRule,
  );
});

test('a document of an unexpected shape does not open', async () => {
  const { client } = createTestClient(json({ oid: 'm', title: 5 }));
  await expect(readText(client, { kind: 'viewpoint', viewpointId: 'v' })).rejects.toMatchObject({
    code: 'answer-wrong-shape',
  });
});
