import { request } from 'undici';
import { PlatformClient } from '../../src/client/platformClient.ts';
import { writableGuard } from '../fakes/guards.ts';
import { UndiciTransport } from '../../src/client/undiciTransport.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { noBaseStorage } from '../../src/documents/baseStorage.ts';
import { createDocumentPath } from '../../src/documents/documentAddress.ts';
import { RemoteDocuments } from '../../src/documents/remoteDocuments.ts';
import { RuleAliases } from '../../src/documents/ruleAliases.ts';
import { compare, measureMs } from './harness/bench.ts';
import { startBareServer } from './support.ts';

/**
 * Opens a table of 2,000 columns the way the editor does (stat, then content), compared with `JSON.parse` and
 * `JSON.stringify` of its text and a bare request for it.
 */
const columnCount = 2000;

const table = {
  oid: '44444444-0000-4000-8000-000000000000',
  id: 'wide.csv',
  name: 'Wide',
  type: 'base',
  columns: Array.from({ length: columnCount }, (_, index) => ({
    oid: `55555555-0000-4000-8000-${String(index).padStart(12, '0')}`,
    id: `column_${index}`,
    name: `Column ${index}`,
    displayName: null,
    type: [8, 18, 31, 40][index % 4],
    size: 10,
    precision: 0,
    scale: 0,
    hidden: false,
    indexed: true,
    isUpsertBy: false,
    import: null,
    isCustom: null,
    expression: null,
    description: `What stands in column ${index}`,
    lastUpdated: '2026-01-02T00:00:00.000Z',
    semanticIndex: null,
    aiGeneratedDescription: null,
  })),
  buildBehavior: { type: 'sync', accumulativeConfig: null },
  vTag: '66666666-0000-4000-8000-000000000000',
};
const text = JSON.stringify(table);
const ref = { kind: 'table', datamodelId: 'm', datasetId: 'd', tableId: table.oid } as const;
const path = createDocumentPath({ connectionId: 'bench', resource: ref, name: 'Wide', within: [] });

await using server = await startBareServer(text);
const client = new PlatformClient({
  baseUrl: server.url,
  tokenSource: () => Promise.resolve('token'),
  transport: new UndiciTransport({}),
  log: silentLog,
  clock: systemClock,
  guard: writableGuard,
});

/** A fresh instance for each run, so that the document is opened for the first time. */
const createDocuments = (): RemoteDocuments =>
  new RemoteDocuments({
    sessions: { get: () => Promise.resolve({ client }) },
    getWriter: () => Promise.reject(new Error('Nothing is saved here')),
    clock: systemClock,
    editor: { isDirty: () => false },
    baseStorage: noBaseStorage,
    aliases: new RuleAliases({ read: () => undefined, write: () => undefined }),
  });

const openDocument = async (documents: RemoteDocuments): Promise<void> => {
  const { size } = await documents.stat(path);
  const bytes = await documents.read(path);
  if (bytes.length !== size) {
    throw new Error('stat() reports another size than read() returns');
  }
};

const reformatText = (): string => JSON.stringify(JSON.parse(text), undefined, 2);
await compare(
  {
    name: 'open',
    what: `Open a table of ${columnCount.toLocaleString('en-US')} columns, request included`,
    baseline: 'reading it and writing the same text, both twice, and a bare request',
    warmups: 5,
    details: { bytes: text.length },
  },
  {
    subject: () => measureMs(() => openDocument(createDocuments())),
    base: () =>
      measureMs(async () => {
        await (await request(server.url)).body.text();
        reformatText();
        reformatText();
      }),
  },
);
client.dispose();
