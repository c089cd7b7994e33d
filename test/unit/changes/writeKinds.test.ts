import { expect, test } from 'vitest';
import { loadWriteKinds } from '../../../src/changes/endpoints/writeKinds.ts';
import { mayHoldConnection } from '../../../src/changes/model/maskWrite.ts';
import { getRuleAction } from '../../../src/changes/rules/ruleAction.ts';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { writeEndpoints } from '../../../src/changes/model/operation.ts';

const kindOf = await loadWriteKinds(writeEndpoints.map((endpoint) => ({ endpoint })));

test.each(writeEndpoints)('%s does to its document what its method says', (endpoint) => {
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
  '%s does the same to rules wherever it is asked',
  (endpoint) => {
    expect(getRuleAction({ endpoint })).toBe(kindOf({ endpoint }).action);
  },
);

test('what changes datamodels, datasets and tables is kept with its secrets masked', () => {
  const masked = writeEndpoints.filter((endpoint) => mayHoldConnection({ endpoint }));
  expect(masked).toEqual(
    writeEndpoints.filter((endpoint) => /^(datamodels|datasets|tables)\./.test(endpoint)),
  );
});

test('what one write can take back by itself, it does; rules and custom data go back together', () => {
  const without = writeEndpoints.filter((endpoint) => kindOf({ endpoint }).addInverse === undefined);
  expect(without.every((endpoint) => endpoint.startsWith('customData.'))).toBe(true);
});
