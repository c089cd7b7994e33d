import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import { type JsonObject, parseLossless } from '../../../../src/base/json.ts';
import { asObject, getObjects } from '../../../../src/changes/model/jsonMembers.ts';
import { describeHiddenAfterAbandoning } from '../../../../src/changes/messages/describeHidden.ts';
import type { PrunedKind } from '../../../../src/project/plan/compareProject.ts';
import { readTables } from '../../../../src/project/instance/identifiers.ts';
import { profileNames, type ProfileName } from '../../../../src/sandbox/profiles/profile.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { testPeople } from './randomInstance.ts';
import { UndoFixture } from './undoSupport.ts';

const createOid = (number: number): string => `abcd0000-5eed-4000-8000-${String(number).padStart(12, '0')}`;
const datamodelId = createOid(1);
const datasetId = createOid(2);
const tableId = createOid(4);

const createContent = () => ({
  ...testPeople,
  liveRules: [],
  viewpoints: [],
  datamodels: [
    {
      oid: datamodelId,
      title: 'Model',
      type: 'extract',
      server: 'LocalHost',
      relations: [],
      datasets: [
        {
          oid: datasetId,
          name: 'Set',
          fullname: 'CSV:Set',
          type: 'extract',
          connection: { oid: createOid(3), provider: 'CSV', parameters: { folder: '/data' } },
          schema: {
            tables: [
              {
                oid: tableId,
                id: 'orders.csv',
                name: 'Orders',
                type: 'base',
                buildBehavior: { type: 'sync' },
                columns: [
                  { oid: createOid(10), id: 'Status', name: 'Status', type: 18, hidden: false },
                  { oid: createOid(11), id: 'Total', name: 'Total', type: 5, hidden: false },
                ],
              },
            ],
          },
        },
      ],
    },
  ],
  extractRules: [
    {
      _id: 'abcd00000000000000000001',
      server: 'LocalHost',
      elasticube: 'Model',
      table: 'Orders',
      column: 'Status',
      datatype: 'text',
      members: ['Open', 'Closed'],
      allMembers: null,
      exclusionary: false,
      shares: [{ type: 'default' }],
    },
  ],
});

async function createFixture(profile: ProfileName, prunedKinds: readonly PrunedKind[]): Promise<UndoFixture> {
  const fixture = await UndoFixture.create(profile, { content: createContent(), prunedKinds });
  // The rule gets narrower, so whatever else changes is hidden first.
  editFiles(fixture, '.rules.json', (text) => text.replace(/"Closed",\s*|,\s*"Closed"/, ''));
  return fixture;
}

function editFiles({ project }: UndoFixture, ending: string, edit: (text: string) => string): void {
  for (const [path, text] of project.texts) {
    if (path.endsWith(ending)) {
      const edited = edit(text);
      expect(edited).not.toBe(text);
      project.texts.set(path, edited);
    }
  }
}

const editColumns = (fixture: UndoFixture, edit: (columns: readonly JsonObject[]) => readonly JsonObject[]) =>
  editFiles(fixture, '.table.json', (text) => {
    const table = asObject(parseLossless(text));
    return JSON.stringify({ ...table, columns: edit(getObjects(table['columns'])) });
  });

const readColumns = ({ instance }: UndoFixture): readonly JsonObject[] =>
  getObjects(instance.fixture.sandbox.store.datamodels.getDocument(datamodelId)?.['datasets'])
    .flatMap(readTables)
    .flatMap(({ columns }) => getObjects(columns));

const isHidden = (fixture: UndoFixture, name: string): boolean =>
  expectDefined(readColumns(fixture).find((column) => column['name'] === name))['hidden'] === true;

/** Returns whether a plan says that others have changed or added columns that it deletes. */
const isDeletionOfChanged = async (fixture: UndoFixture): Promise<boolean> => {
  const { changes } = (await fixture.load()).prepared.comparison;
  const change = expectDefined(changes.find(({ key }) => key.kind === 'table'));
  return change.isChangedOnServer;
};

describe.each(profileNames)('an abandoned apply (%s)', (profile) => {
  test('says which new columns stay hidden, and how to show them', async () => {
    using fixture = await createFixture(profile, []);
    editColumns(fixture, (columns) => [...columns, { name: 'Amount', id: 'amount', type: 5 }]);
    const entry = await fixture.abandonApply();
    expect(isHidden(fixture, 'Amount')).toBe(true);
    expect(describeHiddenAfterAbandoning(english, entry)).toEqual([
      'The change has hidden these tables and columns, and they stay hidden: Orders.Amount. To show them again, set "hidden" to false.',
    ]);
    await fixture.record(entry);
    editColumns(fixture, (columns) =>
      columns.map((column) => (column['name'] === 'Amount' ? { ...column, hidden: false } : column)),
    );
    await fixture.apply();
    expect(isHidden(fixture, 'Amount')).toBe(false);
  });

  test('has not changed what it has hidden to delete it as another user would', async () => {
    using fixture = await createFixture(profile, ['column']);
    editColumns(fixture, (columns) => columns.slice(0, 1));
    const entry = await fixture.abandonApply();
    expect(isHidden(fixture, 'Total')).toBe(true);
    expect(describeHiddenAfterAbandoning(english, entry).join()).toContain(': Orders.Total. ');
    await fixture.record(entry);
    expect(await isDeletionOfChanged(fixture)).toBe(false);
    await fixture.apply();
    expect(readColumns(fixture).map(({ name }) => name)).toEqual(['Status']);
  });

  test('does not hide that others have changed a column that it has hidden', async () => {
    using fixture = await createFixture(profile, ['column']);
    editColumns(fixture, (columns) => columns.slice(0, 1));
    const entry = await fixture.abandonApply();
    const { client } = fixture.instance.fixture;
    const columns = readColumns(fixture).map((column) =>
      column['name'] === 'Total' ? { ...column, description: 'By another user' } : column,
    );
    await client.tables.update({ datamodelId, datasetId, tableId }, { columns });
    await fixture.record(entry);
    expect(await isDeletionOfChanged(fixture)).toBe(true);
  });
});
