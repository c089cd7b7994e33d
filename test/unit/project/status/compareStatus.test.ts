import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { type JsonObject, stringify } from '../../../../src/base/json.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { type InstanceDocuments, convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { type ItemKey, formatItemKey } from '../../../../src/project/item.ts';
import { planPull } from '../../../../src/project/pull/planPull.ts';
import { StatusComparer } from '../../../../src/project/status/compareStatus.ts';
import { getStatusGroup } from '../../../../src/project/status/itemStatus.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { randomModel } from '../randomModel.ts';
import { PulledProject, createRetailDocuments, paths, rule } from '../pull/pullSupport.ts';

const noDocuments: Omit<InstanceDocuments, 'numberedParties'> = {
  datamodels: [],
  cubeSets: [],
  viewpoints: [],
  customData: [],
  users: [],
  groups: [],
};

const convert = (project: PulledProject, instance: Partial<InstanceDocuments>) =>
  convertInstance({ ...noDocuments, numberedParties: project.lock.numberedParties, ...instance });

function compare(
  project: PulledProject,
  instance: Partial<InstanceDocuments> | undefined,
  {
    isUnknown = () => false,
    isManaged = () => true,
    comparer = new StatusComparer(),
  }: {
    readonly isUnknown?: (key: ItemKey) => boolean;
    readonly isManaged?: (key: ItemKey) => boolean;
    readonly comparer?: StatusComparer;
  } = {},
) {
  return comparer.compare({
    project: parseProject({ texts: project.texts, faults: [] }),
    lock: project.lock,
    server: instance === undefined ? undefined : { pulled: convert(project, instance), isUnknown },
    isManaged,
  }).items;
}

/** The status of what differs, one line for each item. */
const summarize = (...args: Parameters<typeof compare>): readonly string[] =>
  compare(...args).map(
    ({ status }) =>
      `${getStatusGroup(status)}: ${status.path} ${status.here} ${status.server}${status.isConflict ? ' conflict' : ''}`,
  );

function createProject(): PulledProject {
  const project = new PulledProject();
  project.pull(createRetailDocuments());
  return project;
}

const describeTop = (text: string): readonly [string, string] => [
  '"name":"Top",',
  `"name":"Top","description":"${text}",`,
];

describe('without the instance', () => {
  test('nothing differs after a pull', () => {
    expect(summarize(createProject(), undefined)).toEqual([]);
  });

  test.each<readonly [string, (project: PulledProject) => void, readonly string[]]>([
    [
      'a changed table',
      (project) => project.edit(paths.customers, '"People"', '"Persons"'),
      [`here: ${paths.customers} changed unknown`],
    ],
    [
      'changed SQL',
      (project) => project.edit(paths.fullName, 'Last', 'Middle'),
      [`here: ${paths.fullName} changed unknown`],
    ],
    [
      'a new viewpoint',
      (project) => project.texts.set('viewpoints/New.viewpoint.json', '{ "name": "New" }'),
      ['here: viewpoints/New.viewpoint.json added unknown'],
    ],
    [
      'deleted rules',
      (project) => project.texts.delete(paths.region),
      [`here: ${paths.region} deleted unknown`],
    ],
    [
      'a deleted table, with its SQL',
      (project) => project.texts.delete(paths.customers),
      [`here: ${paths.customers} deleted unknown`],
    ],
    ['a comment', (project) => project.edit(paths.customers, '{', '{ // Ours\n'), []],
    [
      'a member that was removed',
      (project) => project.edit(paths.customers, '"description": "People",', ''),
      [],
    ],
    [
      'a renamed file',
      (project) => {
        project.texts.set('datamodels/Retail/rules/Mine.rules.json', project.texts.get(paths.region) ?? '');
        project.texts.delete(paths.region);
      },
      [],
    ],
    ['a broken file', (project) => project.edit(paths.region, '[', '{'), []],
  ])('%s', (_name, change, expected) => {
    const project = createProject();
    change(project);
    expect(summarize(project, undefined)).toEqual(expected);
  });

  test('what is not managed has no status', () => {
    const project = createProject();
    project.edit(paths.customers, '"People"', '"Persons"');
    expect(summarize(project, undefined, { isManaged: ({ kind }) => kind !== 'table' })).toEqual([]);
  });
});

describe('with the instance', () => {
  test.each<
    readonly [string, (project: PulledProject) => void, Partial<InstanceDocuments>, readonly string[]]
  >([
    ['nothing', () => undefined, createRetailDocuments(), []],
    [
      'a change there',
      () => undefined,
      createRetailDocuments([['"People"', '"Humans"']]),
      [`server: ${paths.customers} unchanged changed`],
    ],
    [
      'a change of SQL there',
      () => undefined,
      createRetailDocuments([['First', 'Initial']]),
      [`server: ${paths.fullName} unchanged changed`],
    ],
    [
      'new rules there',
      () => undefined,
      createRetailDocuments([], [rule, { ...rule, column: 'Id' }]),
      ['server: datamodels/Retail/rules/Customers.Id.rules.json unchanged added'],
    ],
    [
      'deleted rules there',
      () => undefined,
      createRetailDocuments([], []),
      [`server: ${paths.region} unchanged deleted`],
    ],
    [
      'a change here',
      (project) => project.edit(paths.customers, '"People"', '"Persons"'),
      createRetailDocuments(),
      [`here: ${paths.customers} changed unchanged`],
    ],
    [
      'the same change on both sides',
      (project) => project.edit(paths.customers, '"People"', '"Persons"'),
      createRetailDocuments([['"People"', '"Persons"']]),
      [],
    ],
    [
      'changes in the same place',
      (project) => project.edit(paths.customers, '"People"', '"Persons"'),
      createRetailDocuments([['"People"', '"Humans"']]),
      [`both: ${paths.customers} changed changed conflict`],
    ],
    [
      'changes in different places',
      (project) => project.edit(paths.top, '"type": "custom"', '"type": "custom", "hidden": true'),
      createRetailDocuments([describeTop('Best')]),
      [`both: ${paths.top} changed changed`],
    ],
    [
      'deleted here and changed there',
      (project) => project.texts.delete(paths.region),
      createRetailDocuments([], [{ ...rule, members: ['South'] }]),
      [`both: ${paths.region} deleted changed conflict`],
    ],
    [
      'changed here and deleted there',
      (project) => project.edit(paths.region, 'North', 'South'),
      createRetailDocuments([], []),
      [`both: ${paths.region} changed deleted conflict`],
    ],
    [
      'deleted on both sides',
      (project) => project.texts.delete(paths.region),
      createRetailDocuments([], []),
      [],
    ],
    [
      'the order of members, which has no meaning',
      (project) => project.edit(paths.region, '"North"', '"North", "East"'),
      createRetailDocuments([], [{ ...rule, members: ['East', 'North'] }]),
      [],
    ],
    [
      'a member that only the instance has',
      (project) => project.edit(paths.customers, '"description": "People",', ''),
      createRetailDocuments(),
      [],
    ],
    [
      'what the instance derives from SQL',
      (project) => project.edit(paths.top, '"type": 8', '"type": 18'),
      createRetailDocuments(),
      [],
    ],
    [
      'what the instance has derived again from SQL',
      (project) => project.edit(paths.top, '"type": 8', '"type": 18'),
      createRetailDocuments([
        ['000001","name":"Id","type":8}]}', '000001","name":"Id","type":5,"size":9}]}'],
      ]),
      [`server: ${paths.top} unchanged changed`],
    ],
    ['a broken file', (project) => project.edit(paths.region, '[', '{'), createRetailDocuments([], []), []],
  ])('%s', (_name, change, instance, expected) => {
    const project = createProject();
    change(project);
    expect(summarize(project, instance)).toEqual(expected);
  });

  test('an item that both sides have and no pull has seen is in conflict if it differs', () => {
    const project = new PulledProject(
      new Map([['viewpoints/A.viewpoint.json', '{ "name": "A", "description": "x" }']]),
    );
    const createDocuments = (description: string): Partial<InstanceDocuments> => ({
      viewpoints: [{ name: 'A', description }],
    });
    expect(summarize(project, createDocuments('x'))).toEqual([]);
    expect(summarize(project, createDocuments('y'))).toEqual([
      'both: viewpoints/A.viewpoint.json added added conflict',
    ]);
  });

  test('what could not be read is unknown, not deleted', () => {
    const project = createProject();
    const isUnknown = ({ kind }: ItemKey): boolean => kind === 'rules';
    expect(summarize(project, createRetailDocuments([], []), { isUnknown })).toEqual([]);
    project.edit(paths.region, 'North', 'South');
    expect(summarize(project, createRetailDocuments([], []), { isUnknown })).toEqual([
      `here: ${paths.region} changed unknown`,
    ]);
  });

  test('a table that was renamed there is changed there', () => {
    const project = createProject();
    const renamed = summarize(project, createRetailDocuments([['"name":"Customers"', '"name":"Clients"']]));
    expect(renamed).toContain(`server: ${paths.customers} unchanged changed`);
    expect(renamed.some((line) => line.includes('added'))).toBe(false);
  });
});

test('a comparison that reuses earlier results has the same result as one that does not', () => {
  fc.assert(
    fc.property(
      randomModel,
      fc.array(
        fc.record({
          file: fc.nat(20),
          edit: fc.constantFrom('delete', 'comment', 'break', 'description', 'pull'),
          server: fc.constantFrom('read', 'changed', 'unread'),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      (model, steps) => {
        const project = new PulledProject();
        const createInstance = (text: string) => ({
          datamodels: [{ document: model, rules: [rule] }],
          viewpoints: [{ id: '1', name: 'V', description: text } as JsonObject],
        });
        project.pull(createInstance('1'));
        const comparer = new StatusComparer();
        const parsed = new Map();
        for (const [index, { file, edit, server }] of steps.entries()) {
          const path = [...project.texts.keys()][file % project.texts.size] ?? '';
          const text = project.texts.get(path) ?? '';
          const texts: Readonly<Record<string, string | undefined>> = {
            comment: path.endsWith('.json') ? `// Comment\n${text}` : `${text}\n`,
            break: `${text}}`,
            description: text.replace('"name":', `"description": "d${index}", "name":`),
          };
          if (edit === 'pull') {
            project.pull(createInstance(`${index}`));
          } else if (edit === 'delete') {
            project.texts.delete(path);
          } else {
            project.texts.set(path, texts[edit] ?? text);
          }
          if (project.texts.size === 0) {
            return;
          }
          const input = {
            lock: project.lock,
            server:
              server === 'unread'
                ? undefined
                : {
                    pulled: convert(project, createInstance(server === 'changed' ? 'changed' : '1')),
                    isUnknown: () => false,
                  },
            isManaged: () => true,
          };
          const files = { texts: project.texts, faults: [] };
          const summarizeItems = (comparison: ReturnType<StatusComparer['compare']>): string =>
            stringify(comparison.items.map(({ status }) => status));
          expect(summarizeItems(comparer.compare({ ...input, project: parseProject(files, parsed) }))).toBe(
            summarizeItems(new StatusComparer().compare({ ...input, project: parseProject(files) })),
          );
        }
      },
    ),
    { numRuns: getPropertyRuns(100) },
  );
});

test('what a pull would write or keep has a status', () => {
  fc.assert(
    fc.property(
      randomModel,
      fc.array(fc.nat(20), { maxLength: 4 }),
      fc.boolean(),
      (model, files, changesServer) => {
        const project = new PulledProject();
        const instance = { datamodels: [{ document: model, rules: [rule] }] };
        project.pull(instance);
        for (const file of files) {
          const path = [...project.texts.keys()][file % project.texts.size] ?? '';
          const text = project.texts.get(path) ?? '';
          project.texts.set(path, text.replace('"name":', '"description": "here", "name":'));
        }
        const changedInstance = changesServer
          ? {
              datamodels: [
                { document: { ...model, description: 'there' }, rules: [{ ...rule, members: ['x'] }] },
              ],
            }
          : instance;
        const plan = planPull({
          project: parseProject({ texts: project.texts, faults: [] }),
          lock: project.lock,
          pulled: convert(project, changedInstance),
          isUnknown: () => false,
        });
        const byGroup = Map.groupBy(compare(project, changedInstance), ({ status }) =>
          getStatusGroup(status),
        );
        const getKeys = (...groups: readonly ('here' | 'server' | 'both')[]) =>
          groups
            .flatMap((group) => (byGroup.get(group) ?? []).map(({ status }) => formatItemKey(status.key)))
            .toSorted();
        const conflicts = plan.conflicts.map(({ key }) => formatItemKey(key));
        expect(getKeys('server', 'both')).toEqual(
          [...plan.writes.map(({ key }) => formatItemKey(key)), ...conflicts].toSorted(),
        );
        expect(getKeys('here', 'both')).toEqual(
          [...plan.localChanges.map(({ key }) => formatItemKey(key)), ...conflicts].toSorted(),
        );
      },
    ),
    { numRuns: getPropertyRuns(100) },
  );
});
