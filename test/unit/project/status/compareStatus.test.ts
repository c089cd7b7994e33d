import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { type JsonObject, stringify } from '../../../../src/base/json.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { type InstanceDocuments, convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { type ItemKey, formatItemKey } from '../../../../src/project/item.ts';
import { emptyLock } from '../../../../src/project/pull/lock.ts';
import { planPull } from '../../../../src/project/pull/planPull.ts';
import { StatusComparer } from '../../../../src/project/status/compareStatus.ts';
import { getStatusGroup } from '../../../../src/project/status/itemStatus.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { randomModel } from '../randomModel.ts';
import { PulledProject, createRetailDocuments, paths, rule } from '../pull/pullSupport.ts';

const relationPath = 'datamodels/Retail/relations/Customers.Id - Top.Id.relation.json';

const noDocuments: Omit<InstanceDocuments, 'numberedReferences'> = {
  datamodels: [],
  cubeSets: [],
  viewpoints: [],
  customData: [],
  users: [],
  groups: [],
};

const convert = (project: PulledProject, instance: Partial<InstanceDocuments>) =>
  convertInstance({ ...noDocuments, numberedReferences: project.lock.numberedReferences, ...instance });

function compare(
  project: PulledProject,
  instance: Partial<InstanceDocuments> | undefined,
  {
    isUnknownOnInstance = () => false,
    isManaged = () => true,
    comparer = new StatusComparer(),
  }: {
    readonly isUnknownOnInstance?: (key: ItemKey) => boolean;
    readonly isManaged?: (key: ItemKey) => boolean;
    readonly comparer?: StatusComparer;
  } = {},
) {
  return comparer.compare({
    project: parseProject({ texts: project.texts, faults: [] }),
    lock: project.lock,
    server:
      instance === undefined ? undefined : { instance: convert(project, instance), isUnknownOnInstance },
    isManaged,
  }).items;
}

/** The status of what differs, one line for each item. */
const summarize = (...args: Parameters<typeof compare>): readonly string[] =>
  compare(...args).map(
    ({ status }) =>
      `${getStatusGroup(status)}: ${status.path} ${status.here} ${status.server}${status.isConflict ? ' conflict' : ''}${
        status.formerName === undefined ? '' : ` from ${status.formerName}`
      }`,
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
  ])('the project is compared with the last pull: %s', (_name, change, expected) => {
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
    ['no change', () => undefined, createRetailDocuments(), []],
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
  ])('both sides are compared: %s', (_name, change, instance, expected) => {
    const project = createProject();
    change(project);
    expect(summarize(project, instance)).toEqual(expected);
  });

  test('an item that both sides have, but no pull has seen, counts as a difference without a conflict', () => {
    const project = new PulledProject(
      new Map([['viewpoints/A.viewpoint.json', '{ "name": "A", "description": "x" }']]),
    );
    const createDocuments = (description: string): Partial<InstanceDocuments> => ({
      viewpoints: [{ name: 'A', description }],
    });
    expect(summarize(project, createDocuments('x'))).toEqual([]);
    expect(summarize(project, createDocuments('y'))).toEqual([
      'differs: viewpoints/A.viewpoint.json added added',
    ]);
  });

  test('SQL that both sides have added to a table that was pulled is in conflict', () => {
    const project = createProject();
    project.edit(
      paths.customers,
      '"name": "Region"',
      '"name": "Region", "expression": { "$file": "R.datamodel.sql" }',
    );
    project.texts.set('datamodels/Retail/tables/R.datamodel.sql', 'Mine');
    expect(
      summarize(
        project,
        createRetailDocuments([['"name":"Region"', '"name":"Region","expression":"Theirs"']]),
      ),
    ).toContain('both: datamodels/Retail/tables/R.datamodel.sql added added conflict');
  });

  test('what could not be read is unknown, and does not count as deleted', () => {
    const project = createProject();
    const isUnknownOnInstance = ({ kind }: ItemKey): boolean => kind === 'rules';
    expect(summarize(project, createRetailDocuments([], []), { isUnknownOnInstance })).toEqual([]);
    project.edit(paths.region, 'North', 'South');
    expect(summarize(project, createRetailDocuments([], []), { isUnknownOnInstance })).toEqual([
      `here: ${paths.region} changed unknown`,
    ]);
  });

  test('a table that was renamed on the instance counts as changed there', () => {
    const project = createProject();
    const renamed = summarize(project, createRetailDocuments([['"name":"Customers"', '"name":"Clients"']]));
    expect(renamed).toContain(`server: ${paths.customers} unchanged changed`);
    expect(renamed.some((line) => line.includes('added'))).toBe(false);
  });
});

describe('a rename in the project', () => {
  const region = { ...rule, members: ['South'] };
  const renameColumn = (project: PulledProject): void => {
    project.edit(paths.customers, '"name": "Region"', '"name": "Area", "renamedFrom": "Region"');
    project.edit(paths.region, '"column": "Region"', '"column": "Area"');
  };
  const renameTable = (project: PulledProject): void => {
    project.edit(paths.customers, '"name": "Customers"', '"name": "Clients", "renamedFrom": "Customers"');
    project.edit(paths.region, '"table": "Customers"', '"table": "Clients"');
    project.edit(relationPath, '"table": "Customers"', '"table": "Clients"');
  };
  const viewpoint = { viewpoints: [{ id: '1', name: 'Sales', description: 'x' }] };
  const viewpointPath = 'viewpoints/Sales.viewpoint.json';
  const renameViewpoint = (project: PulledProject): void =>
    project.edit(viewpointPath, '"name": "Sales"', '"name": "Revenue", "renamedFrom": "Sales"');

  test.each<
    readonly [string, (project: PulledProject) => void, readonly string[], Partial<InstanceDocuments>]
  >([
    [
      'a column, with its rules',
      renameColumn,
      [`${paths.region} changed`, `${paths.customers} changed`],
      createRetailDocuments(),
    ],
    [
      'a column with SQL, whose file stays as it is',
      (project) => {
        project.edit(paths.customers, '"name": "Full Name"', '"name": "Name", "renamedFrom": "Full Name"');
      },
      [`${paths.customers} changed`],
      createRetailDocuments(),
    ],
    [
      'a column with SQL that has changed, too',
      (project) => {
        project.edit(paths.customers, '"name": "Full Name"', '"name": "Name", "renamedFrom": "Full Name"');
        project.edit(paths.fullName, 'Last', 'Middle');
      },
      [`${paths.customers} changed`, `${paths.fullName} changed`],
      createRetailDocuments(),
    ],
    [
      'a table, with its rules and relations; its SQL stays as it is',
      renameTable,
      [`${relationPath} changed`, `${paths.region} changed`, `${paths.customers} changed from Customers`],
      createRetailDocuments(),
    ],
    [
      'a table that loses the SQL of a column',
      (project) => {
        renameTable(project);
        const text = project.texts.get(paths.customers) ?? '';
        project.texts.set(paths.customers, text.replace(/,\s*"expression": \{[^}]*\}/, ''));
        project.texts.delete(paths.fullName);
      },
      [
        `${relationPath} changed`,
        `${paths.region} changed`,
        `${paths.customers} changed from Customers`,
        `${paths.fullName} deleted`,
      ],
      createRetailDocuments(),
    ],
    [
      'a table, and a column with SQL, whose file stays as it is',
      (project) => {
        renameTable(project);
        project.edit(paths.customers, '"name": "Full Name"', '"name": "Name"');
      },
      [`${relationPath} changed`, `${paths.region} changed`, `${paths.customers} changed from Customers`],
      createRetailDocuments(),
    ],
    ['a viewpoint', renameViewpoint, [`${viewpointPath} changed from Sales`], viewpoint],
    [
      'a viewpoint without its former name, whose file has the new one',
      (project) => project.edit(viewpointPath, '"Sales"', '"Revenue"'),
      [`${viewpointPath} changed from Sales`],
      viewpoint,
    ],
    [
      'a datamodel, whose files stay as they are',
      (project) => project.edit(paths.retail, '"title": "Retail"', '"title": "Shop"'),
      [`${paths.retail} changed from Retail`],
      createRetailDocuments(),
    ],
    [
      'a viewpoint in a new file, without its former name, is another one',
      (project) => {
        project.texts.set('viewpoints/Revenue.viewpoint.json', '{ "name": "Revenue" }');
        project.texts.delete(viewpointPath);
      },
      ['viewpoints/Revenue.viewpoint.json added', `${viewpointPath} deleted`],
      viewpoint,
    ],
    [
      'a viewpoint whose former name does not exist is a new one',
      (project) => {
        project.texts.set(
          'viewpoints/Revenue.viewpoint.json',
          '{ "name": "Revenue", "renamedFrom": "Sails" }',
        );
      },
      ['viewpoints/Revenue.viewpoint.json added'],
      viewpoint,
    ],
  ])('has a status that a pull leaves as it is: %s', (_name, change, expected, instance) => {
    const project = new PulledProject();
    project.pull(instance);
    change(project);
    const format = (server: string) =>
      expected.map((line) => `here: ${line.replace(/(\.\w+ \w+)( from.*)?$/, `$1 ${server}$2`)}`);
    expect(summarize(project, undefined)).toEqual(format('unknown'));
    expect(summarize(project, instance)).toEqual(format('unchanged'));
    // A pull leaves the rename as it is.
    const texts = new Map(project.texts);
    expect(project.pull(instance).conflicts).toEqual([]);
    expect(project.texts).toEqual(texts);
    expect(summarize(project, instance)).toEqual(format('unchanged'));
  });

  test('is in conflict if the instance has changed the item, as for a pull', () => {
    const project = createProject();
    renameColumn(project);
    const instance = createRetailDocuments([], [region]);
    expect(summarize(project, instance)).toEqual([
      `both: ${paths.region} changed changed conflict`,
      `here: ${paths.customers} changed unchanged`,
    ]);
    expect(project.pull(instance).conflicts.map(({ key }) => formatItemKey(key))).toEqual([
      'rules/Retail/Customers/Region',
    ]);
  });

  test.each([
    [
      ['"People"', '"Humans"'],
      `both: ${paths.customers} changed changed conflict from Customers`,
      'table/Retail/Customers',
    ],
    [
      ['First', 'Initial'],
      `both: ${paths.fullName} changed changed conflict`,
      'columnExpression/Retail/Customers/Full Name',
    ],
  ] as const)('of a table is in conflict if the instance has changed %s', (change, row, key) => {
    const project = createProject();
    renameTable(project);
    const instance = createRetailDocuments([change]);
    expect(summarize(project, instance).filter((line) => line.includes('conflict'))).toEqual([row]);
    expect(project.pull(instance).conflicts.map((conflict) => formatItemKey(conflict.key))).toEqual([key]);
  });

  test('of rules that the instance no longer has counts as an addition', () => {
    const project = createProject();
    renameColumn(project);
    expect(summarize(project, createRetailDocuments([], []))).toEqual([
      `here: ${paths.region} added unchanged`,
      `here: ${paths.customers} changed unchanged`,
    ]);
  });

  test('is no longer a change once it was applied, although the file still has the former name', () => {
    const project = new PulledProject();
    project.pull(createRetailDocuments());
    renameColumn(project);
    const renamed = createRetailDocuments(
      [['"name":"Region"', '"name":"Area"']],
      [{ ...rule, column: 'Area' }],
    );
    project.pull(renamed, { getWinner: () => 'ours' });
    expect(project.texts.get(paths.customers)).toContain('renamedFrom');
    expect(summarize(project, undefined)).toEqual([]);
    expect(summarize(project, renamed)).toEqual([]);
  });

  test('of a viewpoint that was never pulled counts as a difference', () => {
    const project = new PulledProject();
    project.pull(viewpoint);
    renameViewpoint(project);
    project.lock = emptyLock;
    expect(summarize(project, viewpoint)).toEqual([`differs: ${viewpointPath} added added from Sales`]);
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
                    instance: convert(project, createInstance(server === 'changed' ? 'changed' : '1')),
                    isUnknownOnInstance: () => false,
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

test('everything that a pull would write or keep has a status', () => {
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
          isUnknownOnInstance: () => false,
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
