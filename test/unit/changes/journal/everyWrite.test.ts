import { expect, test } from 'vitest';
import { readAffectedDocuments } from '../../../../src/changes/endpoints/readAffectedDocuments.ts';
import { loadWriteKind } from '../../../../src/changes/endpoints/writeKinds.ts';
import { DocumentReader } from '../../../../src/changes/model/documentReader.ts';
import { type WriteEndpointId, writeEndpoints } from '../../../../src/changes/model/operation.ts';
import { isGroupedRuleWrite } from '../../../../src/changes/rules/ruleAction.ts';
import { getWriteExample } from '../../../support/endpoints/examples.ts';
import { ChangeFixture, createOperation } from '../run/support.ts';
import { checkUndo } from './checkUndo.ts';

test.each(writeEndpoints)('%s: the write is planned, and its result is undone', async (endpoint) => {
  const { createWrite } = getWriteExample(endpoint);
  {
    using fixture = new ChangeFixture();
    const change = createOperation([await createWrite(fixture.client)]);
    expect(change.writes.map((each) => each.endpoint)).toEqual([endpoint]);
    const { plan } = await fixture.open().writer.plan(change);
    expect([...plan.created, ...plan.changed, ...plan.deleted]).not.toEqual([]);
  }
  await checkUndo(async ({ client }) => [await createWrite(client)]);
});

/** Writes whose created items cannot be recognized: they have no name or document of their own. */
const unrecognizable: ReadonlySet<WriteEndpointId> = new Set(['customData.create']);
/** All writes except those of rule changes: the rules on the server show how far a change got, not each outcome. */
const singleWrites = writeEndpoints.filter((endpoint) => !isGroupedRuleWrite({ endpoint }));

test.each(singleWrites)('%s: if the response is lost, the server shows the outcome', async (endpoint) => {
  using fixture = new ChangeFixture();
  const write = await getWriteExample(endpoint).createWrite(fixture.client);
  const kind = await loadWriteKind(write);
  const before = await readAffectedDocuments([write], new DocumentReader(fixture.client));
  const verify = async () => (await kind.verifyOutcome(write, { client: fixture.client, before })).state;
  const stateBefore = await verify();
  await kind.send(fixture.client, write);
  expect([stateBefore, await verify()]).toEqual(
    unrecognizable.has(endpoint) ? ['unknown', 'unknown'] : ['not-happened', 'happened'],
  );
});

test.each(writeEndpoints)(
  '%s: the write names the parts of the catalog that it makes outdated',
  async (endpoint) => {
    using fixture = new ChangeFixture();
    const write = await getWriteExample(endpoint).createWrite(fixture.client);
    expect((await loadWriteKind(write)).getCatalogChanges(write)).not.toEqual([]);
  },
);
