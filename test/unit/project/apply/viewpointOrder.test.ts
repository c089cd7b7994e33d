import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { asObject, getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { readTables } from '../../../../src/project/instance/identifiers.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { ProfileName } from '../../../../src/sandbox/profiles/profile.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { isSoak } from '../../../support/soak.ts';
import type { PulledProject } from '../pull/pullSupport.ts';
import { type WriteFault, advanceUntilSettled } from '../../changes/run/support.ts';
import { testPeople } from './randomInstance.ts';
import { type InstanceContent, TestInstance, pullNew } from './roundTripSupport.ts';
import { UndoFixture } from './undoSupport.ts';

const values = ['1', '2', '3'] as const;
const apps = ['chat', 'sheets'] as const;
const users = testPeople.users.map(({ _id }) => _id);
const prunedKinds = ['column', 'rules', 'viewpoint'] as const;

const viewpointState = fc.record({
  isPublished: fc.boolean(),
  apps: fc.subarray([...apps], { minLength: 1 }),
  users: fc.subarray(users, { minLength: 1 }),
  columns: fc.subarray(['K', 'L', 'Value'], { minLength: 1 }),
  /** The values of K that it's filtered by; 0 for none. */
  filter: fc.constantFrom(0, 0, 1, 2),
});

/** The values that the rules on a column show; `undefined` without rules. */
const ruleState = fc.option(fc.subarray([...values]), { nil: undefined });

const instanceState = fc.record({
  rulesOnK: ruleState,
  rulesOnL: ruleState,
  /** Whether the column Value exists. */
  hasValue: fc.boolean(),
  nameOfL: fc.constantFrom('L', 'L', 'Renamed'),
  viewpoints: fc.tuple(
    fc.option(viewpointState, { nil: undefined }),
    fc.option(viewpointState, { nil: undefined }),
  ),
});
type State<Value> = Value extends fc.Arbitrary<infer Result> ? Result : never;
type InstanceState = State<typeof instanceState>;

const ids = { model: 'abcd0000-5eed-4000-8000-000000000001', columns: ['K', 'L', 'Value'] } as const;
const createOid = (number: number): string => `abcd0000-5eed-4000-8000-${String(number).padStart(12, '0')}`;

/** Creates an instance with a datamodel M that has the table A. */
function createContent({
  rulesOnK,
  rulesOnL,
  hasValue,
  nameOfL,
  viewpoints,
}: InstanceState): InstanceContent & {
  readonly datamodels: readonly JsonObject[];
} {
  const getName = (id: string): string => (id === 'L' ? nameOfL : id);
  const names = ids.columns.filter((id) => hasValue || id !== 'Value');
  return {
    ...testPeople,
    liveRules: [],
    datamodels: [
      {
        oid: ids.model,
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
                  columns: names.map((id) => ({
                    oid: createOid(10 + ids.columns.indexOf(id)),
                    id,
                    name: getName(id),
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
    extractRules: [['K', rulesOnK] as const, ['L', rulesOnL] as const].flatMap(([id, members], index) =>
      members === undefined
        ? []
        : [
            {
              _id: `abcd${String(index).padStart(20, '0')}`,
              server: 'LocalHost',
              elasticube: 'M',
              table: 'A',
              column: getName(id),
              datatype: 'text',
              members,
              allMembers: members.length === 0 ? false : null,
              exclusionary: false,
              shares: [{ type: 'default' }],
            },
          ],
    ),
    viewpoints: viewpoints.flatMap((viewpoint, index) =>
      viewpoint === undefined
        ? []
        : [
            {
              id: `abcd${String(100 + index).padStart(20, '0')}`,
              name: `V${index}`,
              description: '',
              enabled: viewpoint.isPublished,
              visibility: {
                enabled: viewpoint.isPublished,
                apps: viewpoint.apps,
                users: viewpoint.users,
                groups: [],
              },
              details: {
                datasource: { title: 'M', fullname: 'LocalHost/M', modelType: 'external' },
                columns: viewpoint.columns
                  .filter((id) => hasValue || id !== 'Value')
                  .map((id) => ({
                    table: 'A',
                    column: getName(id),
                    dim: `[A.${getName(id)}]`,
                    ...(id === 'K' && viewpoint.filter > 0
                      ? { filter: { members: values.slice(0, viewpoint.filter) } }
                      : {}),
                  })),
              },
            },
          ],
    ),
  };
}

/** Returns what every user sees in every app: a text for each viewpoint, column, and row. */
function listShown({ fixture: { sandbox } }: TestInstance): ReadonlySet<string> {
  const { store } = sandbox;
  const model = asObject(store.datamodels.getDocument(ids.model));
  const columns = getObjects(model['datasets'])
    .flatMap(readTables)
    .flatMap((table) => getObjects(table['columns']));
  const names = new Map(columns.map(({ id, name }) => [getText(id), getText(name)]));
  const rules = store.rules.getAll().map(({ rule }) => rule);
  const isAllowed = (id: string, value: string): boolean => {
    const onColumn = rules.filter(({ table, column }) => table === 'A' && column === names.get(id));
    return (
      onColumn.length === 0 ||
      onColumn.some(
        ({ members, allMembers }) =>
          allMembers === true || (Array.isArray(members) && members.some((member) => member === value)),
      )
    );
  };
  const shown = new Set<string>();
  for (const index of [0, 1]) {
    const id = store.viewpoints.findIdByName(`V${index}`);
    const { enabled, visibility, details } = (id && store.viewpoints.getDocument(id, undefined)) || {};
    const viewpointColumns = getObjects(asObject(details)['columns']);
    const filter = viewpointColumns.flatMap((column) => asObject(column['filter'])['members'] ?? []);
    for (const user of enabled === true ? ((asObject(visibility)['users'] ?? []) as string[]) : []) {
      for (const app of (asObject(visibility)['apps'] ?? []) as string[]) {
        for (const { column } of viewpointColumns) {
          const [shownId] = [...names].find(([, name]) => name === column) ?? [];
          for (const [k, l] of values.flatMap((first) => values.map((second) => [first, second] as const))) {
            if (
              shownId !== undefined &&
              isAllowed('K', k) &&
              isAllowed('L', l) &&
              (filter.length === 0 || filter.includes(k))
            ) {
              shown.add(`V${index} ${user} ${app} ${shownId} K=${k} L=${l}`);
            }
          }
        }
      }
    }
  }
  return shown;
}

/** Changes the files of a project to those of another instance. */
async function edit(project: PulledProject, profile: ProfileName, planned: InstanceState): Promise<void> {
  using instance = new TestInstance(profile, createContent(planned));
  await instance.build();
  const { texts } = await pullNew(instance);
  project.texts.clear();
  texts.forEach((text, path) =>
    project.texts.set(
      path,
      path.endsWith('A.table.json')
        ? text.replace('"name": "Renamed"', '"name": "Renamed",\n      "renamedFrom": "L"')
        : text,
    ),
  );
}

/** Records what is shown before each write request; the one with the number `faultyRequest` meets the fault. */
function watch(
  instance: TestInstance,
  { faultyRequest, fault }: Partial<Pick<State<typeof change>, 'faultyRequest' | 'fault'>> = {},
): { readonly states: ReadonlySet<string>[]; readonly lines: string[] } {
  const states: ReadonlySet<string>[] = [];
  const lines: string[] = [];
  instance.fixture.getWriteFault = (line) => {
    states.push(listShown(instance));
    lines.push(line);
    return states.length === faultyRequest ? fault : undefined;
  };
  return { states, lines };
}

/** Expects that at no time anyone saw what they see neither before nor after a change. */
function expectSafe(
  { states, lines }: ReturnType<typeof watch>,
  ...[before, after]: readonly [ReadonlySet<string>, ReadonlySet<string>]
): void {
  const shown = states.map((state, index) => ({
    before: lines[index],
    unwanted: [...state.difference(before).difference(after)].slice(0, 3),
  }));
  expect(shown.filter(({ unwanted }) => unwanted.length > 0)).toEqual([]);
}

const change = fc.record({
  former: instanceState.map((state) => ({ ...state, nameOfL: 'L' as const })),
  planned: instanceState,
  faultyRequest: fc.integer({ min: 1, max: 8 }),
  fault: fc.constantFrom<WriteFault>('refusal', 'request-lost', 'response-lost'),
  /** Whether the responses to the writes of viewpoints and tables are empty. */
  hasEmptyResponses: fc.boolean(),
  ending: fc.constantFrom('resume' as const, 'rollBack' as const),
});

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  const run = (check: (values: State<typeof change>, fixture: UndoFixture) => Promise<void>) =>
    fc.assert(
      fc.asyncProperty(change, async (generated) => {
        using fixture = await UndoFixture.create(profile, {
          content: createContent(generated.former),
          prunedKinds,
        });
        await edit(fixture.project, profile, generated.planned);
        fixture.instance.fixture.hasEmptyResponse = (line) =>
          generated.hasEmptyResponses && /^(?:PATCH|PUT) /.test(line);
        await check(generated, fixture);
      }),
      { numRuns: isSoak ? 300 : 20, endOnFailure: true },
    );

  test('an apply and its undo show no one what they see neither before nor after it', () =>
    run(async (_generated, fixture) => {
      const { instance } = fixture;
      const before = listShown(instance);
      const applied = watch(instance);
      if ((await fixture.listChanges()).length === 0) {
        return;
      }
      const entry = await fixture.apply();
      const after = listShown(instance);
      expectSafe(applied, before, after);
      const undone = watch(instance);
      await fixture.undo(entry);
      expect(listShown(instance)).toEqual(before);
      expectSafe(undone, after, before);
    }));

  test('a stopped apply that is finished or rolled back shows no one what they see neither before nor after it', () =>
    run(async ({ ending, ...faults }, fixture) => {
      const { instance } = fixture;
      const before = listShown(instance);
      const planned = await fixture.load();
      if (planned.operation.writes.length === 0) {
        return;
      }
      const stopped = watch(instance, faults);
      const error: unknown = await advanceUntilSettled(instance.fixture, fixture.apply()).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error === undefined) {
        expectSafe(stopped, before, listShown(instance));
        return;
      }
      expect(error).toBeInstanceOf(StoppedError);
      const between = listShown(instance);
      const ended = watch(instance);
      const entry = expectDefined(await fixture.readLatest());
      await advanceUntilSettled(instance.fixture, fixture.end(entry, ending));
      const after = listShown(instance);
      if (ending === 'rollBack') {
        expect(after).toEqual(before);
        expectSafe(ended, between, before);
      } else {
        expectSafe(stopped, before, after);
        expectSafe(ended, before, after);
      }
    }));
});
