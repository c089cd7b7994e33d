import { expect, test } from 'vitest';
import { readViewpointDocuments } from '../../../../src/changes/model/readViewpointDocuments.ts';
import { asObject, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createTableCreationWrite } from '../../../../src/changes/model/tableWrites.ts';
import { createViewpointUpdateWrite } from '../../../../src/changes/model/viewpointWrites.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { readCompleteDatamodel } from '../../../../src/changes/model/readCompleteDatamodel.ts';
import { findAbandonedRelations } from '../../../../src/changes/run/abandonedRelations.ts';
import { findUnfinishedDatamodelChange } from '../../../../src/changes/run/heldBuilds.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import {
  ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  getColumns,
  getFailure,
} from './support.ts';

const stores = createTableRef('Stores');

test.each([
  ['guide', 'rolled back'],
  ['contract', 'rolled back'],
  ['guide', 'abandoned'],
  ['contract', 'abandoned'],
] as const)(
  'a build is held while a rollback is interrupted between a relation and its table (%s), until it is %s',
  async (profile, ending) => {
    const isAbandoned = ending === 'abandoned';
    using fixture = new ChangeFixture({ profile });
    const { writer, history } = fixture.open();
    const { datamodelId, datasetId, tableId } = stores;
    const [first] = getColumns(await fixture.read(stores));
    const viewpointId = getText(asObject((await readViewpointDocuments(fixture.client, {}))[0])['id']);
    const create = createTableCreationWrite(
      { datamodelId, datasetId },
      {
        id: 'stores.csv',
        name: 'Copy',
        type: 'base',
        columns: [{ id: 'Store Id', name: 'Store Id', type: 8 }],
      },
    );
    const relation: Write = {
      endpoint: 'relations.create',
      params: { datamodelId },
      target: { kind: 'datamodel', datamodelId },
      body: {
        columns: [
          { dataset: datasetId, table: tableId, column: getText(first?.['oid']) },
          { dataset: datasetId, table: '', column: '' },
        ],
      },
      outputRefs: [
        { write: 0, from: ['oid'], into: ['body', 'columns', 1, 'table'] },
        { write: 0, from: ['columns', 'Store Id', 'oid'], into: ['body', 'columns', 1, 'column'] },
      ],
    };
    fixture.getWriteFault = (line) => (line.includes('viewpoints') ? 'refusal' : undefined);
    const failure = await getFailure(
      runApproved(
        writer,
        createOperation(
          [create, relation, createViewpointUpdateWrite({ viewpointId }, { description: 'x' })],
          'apply',
        ),
      ),
    );
    expect(failure).toBeInstanceOf(StoppedError);
    await fixture.sandbox.clock.advance(1000);
    const entry = expectDefined((await history.readEntries(connectionId))[0]);
    // All tables and relations have been written.
    expect(
      await findUnfinishedDatamodelChange(history, connectionId, { oid: datamodelId, title: 'Retail' }),
    ).toBeUndefined();
    // The rollback stops after it has deleted the relation, and before it deletes the table.
    fixture.getWriteFault = (line) =>
      line.startsWith('DELETE') && line.includes('/tables/') ? 'refusal' : undefined;
    expect(await getFailure(writer.rollBack(entry))).toBeInstanceOf(StoppedError);
    const findHolder = () =>
      findUnfinishedDatamodelChange(fixture.open().history, connectionId, {
        oid: datamodelId,
        title: 'Retail',
      });
    expect(await findHolder()).toMatchObject({ entry: { id: entry.id } });
    // A second rollback stops at the same write.
    expect(await getFailure(writer.rollBack(entry))).toBeInstanceOf(StoppedError);
    expect(await findHolder()).toMatchObject({ entry: { id: entry.id } });
    fixture.getWriteFault = () => undefined;
    const findMissing = () =>
      findAbandonedRelations(history, connectionId, { oid: datamodelId, title: 'Retail' }, () =>
        readCompleteDatamodel(fixture.client, datamodelId),
      );
    if (isAbandoned) {
      await writer.abandon(entry);
      expect(await findHolder()).toBeUndefined();
      expect(await findMissing()).toMatchObject([{ relations: ['Stores.Store Id – Copy.Store Id'] }]);
      return;
    }
    expect(await findMissing()).toEqual([]);
    await writer.rollBack(entry);
    expect(await findHolder()).toBeUndefined();
  },
);
