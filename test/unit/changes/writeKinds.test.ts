import { expect, test } from 'vitest';
import { loadWriteKinds } from '../../../src/changes/endpoints/writeKinds.ts';
import { maskBody, mayContainDatasetConnection } from '../../../src/changes/model/maskWrite.ts';
import { getRuleAction, isGroupedRuleWrite } from '../../../src/changes/rules/ruleAction.ts';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { createClientWithLastBody } from '../client/support.ts';
import { writeEndpoints } from '../../../src/changes/model/operation.ts';

const getWriteKind = await loadWriteKinds(writeEndpoints.map((endpoint) => ({ endpoint })));

test.each(writeEndpoints)('the action of %s fits its HTTP method', (endpoint) => {
  const { action } = getWriteKind({ endpoint });
  const actionsByMethod = {
    POST: ['create'],
    PUT: ['update'],
    PATCH: ['update', 'update-many'],
    DELETE: ['delete', 'delete-many'],
  };
  const { method } = endpoints[endpoint];
  expect(actionsByMethod[method]).toContain(action);
});

test.each(writeEndpoints.filter((endpoint) => /Rules\./.test(endpoint)))(
  '%s has the same action as a rule write and as a write kind',
  (endpoint) => {
    expect(getRuleAction({ endpoint })).toBe(getWriteKind({ endpoint }).action);
  },
);

test('changes of datamodels, datasets and tables are stored with their secrets masked', () => {
  const maskedEndpoints = writeEndpoints.filter((endpoint) => mayContainDatasetConnection({ endpoint }));
  expect(maskedEndpoints).toEqual(
    writeEndpoints.filter((endpoint) => /^(datamodels|datasets|tables)\./.test(endpoint)),
  );
});

test.each(writeEndpoints)('the body of %s is masked only if it may hold a connection', (endpoint) => {
  const body = { connection: { parameters: { password: 'hunter2' } } };
  const maskedBody = maskBody({ endpoint }, body);
  if (mayContainDatasetConnection({ endpoint })) {
    expect(JSON.stringify(maskedBody)).not.toContain('hunter2');
  } else {
    expect(maskedBody).toEqual(body);
  }
});

test('every write except those of custom data and of rule changes can be undone on its own', () => {
  const endpointsWithoutInverse = writeEndpoints.filter(
    (endpoint) => getWriteKind({ endpoint }).addUndoWrites === undefined,
  );
  expect(endpointsWithoutInverse).toEqual(
    writeEndpoints.filter(
      (endpoint) => endpoint.startsWith('customData.') || isGroupedRuleWrite({ endpoint }),
    ),
  );
});

test('a build is needed after changes of tables and relations, and of datasets that may have tables', () => {
  expect(writeEndpoints.filter((endpoint) => getWriteKind({ endpoint }).needsBuild)).toEqual([
    'datasets.update',
    'datasets.delete',
    'tables.create',
    'tables.update',
    'tables.delete',
    'relations.create',
    'relations.update',
    'relations.delete',
  ]);
});

test('encrypted parameters of a connection are sent only with a write that allows it', async () => {
  const write = {
    endpoint: 'datasets.update',
    params: { datamodelId: 'm', datasetId: 'd' },
    body: { connection: { provider: 'X', parameters: 'ENCRYPTED' } },
  } as const;
  const { client, transport, getBody } = createClientWithLastBody();
  const { send } = getWriteKind(write);
  await expect(send(client, write)).rejects.toThrow('encrypted-parameters');
  expect(transport.requests).toEqual([]);
  await send(client, { ...write, sendEncryptedParameters: true });
  expect(getBody()).toEqual(write.body);
});
