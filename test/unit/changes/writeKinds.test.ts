import { expect, test } from 'vitest';
import { loadWriteKinds } from '../../../src/changes/endpoints/writeKinds.ts';
import { mayHoldConnection } from '../../../src/changes/model/maskWrite.ts';
import { getRuleAction } from '../../../src/changes/rules/ruleAction.ts';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { writeEndpoints } from '../../../src/changes/model/operation.ts';

const kindOf = await loadWriteKinds(writeEndpoints.map((endpoint) => ({ endpoint })));

test.each(writeEndpoints)('%s affects its document as its method says', (endpoint) => {
  const { action } = kindOf({ endpoint });
  const byMethod = {
    POST: ['create'],
    PUT: ['update'],
    PATCH: ['update', 'update-many'],
    DELETE: ['delete', 'delete-many'],
  };
  const { method } = endpoints[endpoint];
  expect(byMethod[method]).toContain(action);
});

test.each(writeEndpoints.filter((endpoint) => /Rules\./.test(endpoint)))(
  '%s affects rules the same way wherever it is called',
  (endpoint) => {
    expect(getRuleAction({ endpoint })).toBe(kindOf({ endpoint }).action);
  },
);

test('changes of datamodels, datasets and tables are stored with their secrets masked', () => {
  const masked = writeEndpoints.filter((endpoint) => mayHoldConnection({ endpoint }));
  expect(masked).toEqual(
    writeEndpoints.filter((endpoint) => /^(datamodels|datasets|tables)\./.test(endpoint)),
  );
});

test('a write that can be undone by one write is; rules and custom data are undone together', () => {
  const without = writeEndpoints.filter((endpoint) => kindOf({ endpoint }).addInverse === undefined);
  expect(without.every((endpoint) => endpoint.startsWith('customData.'))).toBe(true);
});
