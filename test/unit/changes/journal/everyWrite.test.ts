import { expect, test } from 'vitest';
import { writeEndpoints } from '../../../../src/changes/model/operation.ts';
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
