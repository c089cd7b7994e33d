import { expect, test } from 'vitest';
import { readAffectedDocuments } from '../../../../src/changes/endpoints/readAffectedDocuments.ts';
import { loadWriteKind } from '../../../../src/changes/endpoints/writeKinds.ts';
import { DocumentReader } from '../../../../src/changes/model/documentReader.ts';
import { type WriteEndpointId, writeEndpoints } from '../../../../src/changes/model/operation.ts';
import { getWriteExample } from '../../../support/endpoints/examples.ts';
import { Bench, operation } from '../run/support.ts';
import { thereAndBack } from './thereAndBack.ts';

test.each(writeEndpoints)('%s: the write is planned, and its result is undone', async (endpoint) => {
  const { write } = getWriteExample(endpoint);
  {
    using bench = new Bench();
    const wanted = operation([await write(bench.client)]);
    expect(wanted.writes.map((each) => each.endpoint)).toEqual([endpoint]);
    const { plan } = await bench.open().writer.plan(wanted);
    expect([...plan.created, ...plan.changed, ...plan.deleted]).not.toEqual([]);
  }
  await thereAndBack(async ({ client }) => [await write(client)]);
});

/** Their items have no name or document of their own by which a created one could be recognized. */
const unrecognizable: ReadonlySet<WriteEndpointId> = new Set([
  'extractRules.createMany',
  'customData.create',
]);

test.each(writeEndpoints)('%s: if the response is lost, the server shows the outcome', async (endpoint) => {
  using bench = new Bench();
  const write = await getWriteExample(endpoint).write(bench.client);
  const kind = await loadWriteKind(write);
  const before = await readAffectedDocuments([write], new DocumentReader(bench.client));
  const verify = async () => (await kind.verifyOutcome(write, { client: bench.client, before })).state;
  const wasSentBefore = await verify();
  await kind.send(bench.client, write);
  expect([wasSentBefore, await verify()]).toEqual(
    unrecognizable.has(endpoint) ? ['unknown', 'unknown'] : ['not-happened', 'happened'],
  );
});

test.each(writeEndpoints)('%s: the catalog is informed about the change', async (endpoint) => {
  using bench = new Bench();
  const write = await getWriteExample(endpoint).write(bench.client);
  expect((await loadWriteKind(write)).getCatalogChanges(write)).not.toEqual([]);
});
