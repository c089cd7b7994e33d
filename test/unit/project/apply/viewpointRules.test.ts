import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { MissingRulesError } from '../../../../src/changes/run/writeErrors.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { testPeople } from './randomInstance.ts';
import { type InstanceContent, TestInstance, pullNew } from './roundTripSupport.ts';
import { UndoFixture } from './undoSupport.ts';

const users = testPeople.users.map(({ _id }) => _id).slice(0, 2);

/** Creates an instance with a datamodel M that has the table A. */
function createContent({
  hasRule,
  viewpointUsers,
  columns = ['L'],
}: {
  readonly hasRule: boolean;
  /** Whom the viewpoint is shared with; none if there is no viewpoint. */
  readonly viewpointUsers: readonly string[];
  readonly columns?: readonly string[];
}): InstanceContent & { readonly datamodels: readonly JsonObject[] } {
  const createOid = (number: number): string => `abcd0000-5eed-4000-8000-${String(number).padStart(12, '0')}`;
  return {
    ...testPeople,
    liveRules: [],
    datamodels: [
      {
        oid: createOid(1),
        title: 'M',
        type: 'extract',
        server: 'LocalHost',
        datasets: [
          {
            oid: createOid(2),
            name: 'S',
            fullname: 'CSV:S',
            type: 'extract',
            connection: { oid: createOid(3), provider: 'CSV', parameters: { folder: '/data' } },
            schema: {
              tables: [
                {
                  oid: createOid(4),
                  id: 'a.csv',
                  name: 'A',
                  type: 'base',
                  columns: ['K', 'L'].map((id, index) => ({
                    oid: createOid(10 + index),
                    id,
                    name: id,
                    type: 18,
                  })),
                },
              ],
            },
          },
        ],
        relations: [],
      },
    ],
    extractRules: !hasRule
      ? []
      : [
          {
            _id: 'abcd00000000000000000000',
            server: 'LocalHost',
            elasticube: 'M',
            table: 'A',
            column: 'K',
            datatype: 'text',
            members: ['1'],
            allMembers: null,
            exclusionary: false,
            shares: [{ type: 'default' }],
          },
        ],
    viewpoints:
      viewpointUsers.length === 0
        ? []
        : [
            {
              id: 'abcd00000000000000000100',
              name: 'V',
              description: '',
              enabled: true,
              visibility: { enabled: true, apps: ['chat'], users: viewpointUsers, groups: [] },
              details: {
                datasource: { title: 'M', fullname: 'LocalHost/M', modelType: 'external' },
                columns: columns.map((column) => ({ table: 'A', column, dim: `[A.${column}]` })),
              },
            },
          ],
  };
}

type Content = Parameters<typeof createContent>[0];

/** Pulls an instance, and changes the files to those of another. */
async function createFixture(current: Content, planned: Content): Promise<UndoFixture> {
  const fixture = await UndoFixture.create('guide', {
    content: createContent(current),
    prunedKinds: ['rules', 'viewpoint'],
  });
  using instance = new TestInstance('guide', createContent(planned));
  await instance.build();
  const { texts } = await pullNew(instance);
  fixture.project.texts.clear();
  texts.forEach((text, path) => fixture.project.texts.set(path, text));
  return fixture;
}

/** Lets the instance refuse a request with a number. */
function refuseRequest({ instance }: UndoFixture, number: number): void {
  let count = 0;
  instance.fixture.getWriteFault = () => ((count += 1) === number ? 'refusal' : undefined);
}

async function deleteRules({ instance: { fixture } }: UndoFixture): Promise<void> {
  for (const { rule } of fixture.sandbox.store.rules.getAll()) {
    await fixture.client.extractRules.delete({ ruleId: getText(rule['_id']) });
  }
}

const readViewpoint = ({ instance: { fixture } }: UndoFixture): JsonObject | undefined => {
  const { viewpoints } = fixture.sandbox.store;
  const id = viewpoints.findIdByName('V');
  return id === undefined ? undefined : viewpoints.getDocument(id, undefined);
};

describe('a stopped apply is not finished if others have deleted the rules that it has written', () => {
  test.each<[string, Content, Content]>([
    ['a new viewpoint', { hasRule: false, viewpointUsers: [] }, { hasRule: true, viewpointUsers: users }],
    [
      'a viewpoint for more users',
      { hasRule: false, viewpointUsers: users.slice(0, 1) },
      { hasRule: true, viewpointUsers: users },
    ],
    [
      'a viewpoint with more columns',
      { hasRule: false, viewpointUsers: users },
      { hasRule: true, viewpointUsers: users, columns: ['K', 'L'] },
    ],
  ])('%s', async (_title, current, planned) => {
    using fixture = await createFixture(current, planned);
    const { writes } = (await fixture.load()).operation;
    expect(writes.map(({ endpoint }) => endpoint.split('.')[0])).toEqual(['extractRules', 'viewpoints']);
    refuseRequest(fixture, writes.length);
    const before = readViewpoint(fixture);
    await expect(fixture.apply()).rejects.toThrow();
    await deleteRules(fixture);
    const entry = expectDefined(await fixture.readLatest());
    await expect(fixture.end(entry, 'resume')).rejects.toThrow(MissingRulesError);
    expect(readViewpoint(fixture)).toEqual(before);
  });
});

test('a stopped undo is not finished if others have deleted the rules that it has restored', async () => {
  using fixture = await createFixture(
    { hasRule: true, viewpointUsers: users },
    { hasRule: false, viewpointUsers: users.slice(0, 1) },
  );
  const applied = await fixture.apply();
  const before = readViewpoint(fixture);
  refuseRequest(fixture, 2);
  await expect(fixture.undo(applied)).rejects.toThrow();
  await deleteRules(fixture);
  const undo = expectDefined(await fixture.readLatest());
  await expect(fixture.end(undo, 'resume')).rejects.toThrow(MissingRulesError);
  expect(readViewpoint(fixture)).toEqual(before);
});

test('a stopped apply that takes a viewpoint from users is finished even if others have deleted its rules', async () => {
  using fixture = await createFixture(
    { hasRule: false, viewpointUsers: users },
    { hasRule: true, viewpointUsers: users.slice(0, 1) },
  );
  refuseRequest(fixture, 1);
  await expect(fixture.apply()).rejects.toThrow();
  await deleteRules(fixture);
  await fixture.end(expectDefined(await fixture.readLatest()), 'resume');
  expect(readViewpoint(fixture)).toMatchObject({ visibility: { users: users.slice(0, 1) } });
});
