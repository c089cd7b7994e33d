import { expect, test } from 'vitest';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createRelationCreationWrite } from '../../../../src/changes/model/relationWrites.ts';
import { createTableDeletionWrite } from '../../../../src/changes/model/tableWrites.ts';
import { formatPath } from '../../../../src/contract/endpoints.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import {
  ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getColumns,
  getFailure,
} from './support.ts';

test('an operation that creates relations and deletes tables of a datamodel that it has already changed can be resumed', async () => {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  const refs = ['Orders', 'Calendar', 'Employees'].map(createTableRef);
  const columns = await Promise.all(
    refs.slice(0, 2).map(async ({ datasetId, tableId, ...ref }) => {
      const [column] = getColumns(await fixture.read({ ...ref, datasetId, tableId }));
      return { dataset: datasetId, table: tableId, column: getText(expectDefined(column, tableId)['oid']) };
    }),
  );
  const operation = createOperation(
    [
      createTableUpdate('Orders', { description: 'New' }),
      createTableUpdate('Returns', { description: 'New' }),
      createRelationCreationWrite(createTableRef('Orders').datamodelId, columns),
      createTableDeletionWrite(createTableRef('Employees')),
    ],
    'apply',
  );
  const pathPrefix = formatPath('tables.update', createTableUpdate('Returns', {}).params);
  fixture.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['PATCH'], pathPrefix }]);
  const { planHash } = await writer.plan(operation);
  const failure = await getFailure(writer.run(operation, { approval: writer.approve(planHash) }));
  const { report } = expectInstance(failure, StoppedError);
  expect(report.writeStates.map(({ state }) => state)).toEqual(['done', 'failed', 'waiting', 'waiting']);
  fixture.sandbox.faults.set([]);
  const [entry] = await history.readEntries(connectionId);
  const resumed = await writer.resume(expectDefined(entry, 'entry'));
  expect(resumed.writeStates.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
  expect(await fixture.read(createTableRef('Employees'))).toBeUndefined();
});
