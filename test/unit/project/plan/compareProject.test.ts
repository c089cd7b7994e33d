import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonObject, parseLossless, stringify } from '../../../../src/base/json.ts';
import type { ItemChange } from '../../../../src/project/compare/itemChange.ts';
import { formatItemKey } from '../../../../src/project/item.ts';
import type { PrunedKind } from '../../../../src/project/plan/compareProject.ts';
import { hashPlan } from '../../../../src/project/plan/planHash.ts';
import { getObjects, omitMembers } from '../../../../src/changes/model/jsonMembers.ts';
import { countRemainingDifferences } from '../../../../src/project/apply/finishApply.ts';
import { emptyLock } from '../../../../src/project/pull/lock.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { PulledProject, createRetailDocuments, paths, retail, rule } from '../pull/pullSupport.ts';
import { randomModel } from '../randomModel.ts';
import { compare, nothing, withPrunedKinds, summarize } from './planSupport.ts';

function createProject(instance = createRetailDocuments()): PulledProject {
  const project = new PulledProject();
  project.pull(instance);
  return project;
}

const customersKey = 'table/Retail/Customers';
const regionColumn = '{"oid":"30000000-0000-0000-0000-000000000002","name":"Region","type":18},';

const listDeletedWith = (changes: readonly ItemChange[]): readonly string[] =>
  changes
    .flatMap(({ deletedWith = [] }) => deletedWith)
    .map(
      ({ key, isChangedOnServer, isNeverPulled }) =>
        `${formatItemKey(key)}${isNeverPulled === true ? ' (never pulled)' : isChangedOnServer ? ' (changed)' : ''}`,
    )
    .toSorted();

/** Hashes only what is deleted, as if the state of all of it were the same. */
const hashChanges = (changes: readonly ItemChange[]): string =>
  hashPlan(
    'i',
    {
      changes: changes.map((change) => ({
        ...change,
        isChangedOnServer: false,
        deletedWith: (change.deletedWith ?? []).map((item) => ({ ...item, isChangedOnServer: false })),
      })),
    },
    { prunedKinds: new Set(), keptProtection: [], ignoredErrors: [], writes: [] },
  );

describe('a project', () => {
  test('does not differ from the instance that it was pulled from', () => {
    fc.assert(
      fc.property(fc.array(randomModel, { maxLength: 2 }), (models) => {
        const instance = { datamodels: models.map((document) => ({ document, rules: [rule] })) };
        expect(summarize(compare(createProject(instance), instance))).toEqual(nothing);
      }),
      { numRuns: getPropertyRuns(50) },
    );
    const comparison = compare(createProject(), createRetailDocuments());
    expect(summarize(comparison)).toEqual(nothing);
    expect(comparison.unchangedCount).toBe(8);
  });

  test('differs in its changed parts', () => {
    const project = createProject();
    project.edit(paths.customers, '"People"', '"All people"');
    project.edit(paths.customers, '"type": 18', '"type": 4');
    project.edit(paths.fullName, 'First', 'Given');
    project.edit(paths.topSql, 'SELECT 1', 'SELECT 2');
    project.edit(paths.region, 'North', 'South');
    expect(summarize(compare(project, createRetailDocuments()))).toEqual({
      ...nothing,
      changes: [
        'update columnExpression/Retail/Customers/Full Name []',
        'update rules/Retail/Customers/Region []',
        `update ${customersKey} [/description /columns/Region]`,
        'update tableExpression/Retail/Top []',
      ],
    });
  });

  test('has notes about members that only the instance has if others have added them since the last pull', () => {
    const documentsWithMore = createRetailDocuments([
      ['"description":"People"', '"description":"People","hidden":true,"futureMember":1'],
      ['"type":18', '"type":18,"description":"Where"'],
    ]);
    const comparison = compare(createProject(), documentsWithMore);
    expect(summarize(comparison)).toEqual({
      ...nothing,
      notes: [
        `added ${customersKey} /hidden`,
        `added ${customersKey} /futureMember`,
        `added ${customersKey} /columns/Region/description`,
      ],
    });
    expect(comparison.unchangedCount).toBe(8);
    const withoutLock = createProject();
    withoutLock.lock = emptyLock;
    expect(summarize(compare(withoutLock, documentsWithMore))).toEqual({
      ...nothing,
      notes: [
        `instance-only ${customersKey} /hidden`,
        `instance-only ${customersKey} /columns/Region/description`,
      ],
    });
    // The item is also compared without a difference in what the file has.
    const seen = createProject(documentsWithMore);
    seen.edit(paths.customers, '"hidden": true,', '');
    expect(summarize(compare(seen, documentsWithMore))).toEqual({
      ...nothing,
      notes: [`instance-only ${customersKey} /hidden`],
    });
  });

  test('names what only the instance has if a request could change it, unless it is a default', () => {
    const documentsWithMore = createRetailDocuments([
      [
        '"description":"People"',
        '"description":"People","hidden":false,"tags":[],"buildBehavior":{"type":"sync","accumulativeConfig":null},"isMaterialized":true',
      ],
      [
        '"type":18',
        '"type":18,"size":200,"hidden":false,"indexed":true,"import":true,"uncommon":5,"description":"Where"',
      ],
    ]);
    const project = createProject(documentsWithMore);
    const table = JSON.parse(expectDefined(project.texts.get(paths.customers))) as JsonObject;
    const columns = getObjects(table['columns']).map((column) =>
      omitMembers(column, 'size', 'hidden', 'indexed', 'import', 'description', 'uncommon'),
    );
    project.texts.set(
      paths.customers,
      stringify({ name: 'Customers', dataset: table['dataset'] ?? '', columns }),
    );
    const comparison = compare(project, documentsWithMore);
    expect(summarize(comparison)).toEqual({
      ...nothing,
      notes: [
        `instance-only ${customersKey} /description`,
        `instance-only ${customersKey} /columns/Region/description`,
      ],
    });
    expect(countRemainingDifferences({ comparison })).toEqual({
      itemCount: 0,
      itemsToPullCount: 0,
      extraItemKinds: ['property', 'property'],
      setByInstanceCount: 0,
    });
  });

  test('removes a description with an empty text, or with null', () => {
    for (const [text, after] of [
      ['""', ''],
      ['null', null],
    ] as const) {
      const project = createProject();
      project.edit(paths.customers, '"People"', text);
      const { changes } = compare(project, createRetailDocuments());
      expect(changes[0]?.parts).toEqual([{ pointer: '/description', before: 'People', after }]);
      const withoutDescription = createRetailDocuments([['"description":"People"', '"description":null']]);
      expect(summarize(compare(project, withoutDescription))).toEqual(
        after === null
          ? nothing
          : { ...nothing, changes: [`update ${customersKey} [/description] (changed on the server)`] },
      );
    }
  });

  test('removes members of columns with null', () => {
    const instance = createRetailDocuments([['"type":18', '"type":18,"hidden":true,"description":"Where"']]);
    const project = createProject(instance);
    project.edit(paths.customers, '"Where"', 'null, "displayName": null, "indexed": null');
    const { changes } = compare(project, instance);
    expect(changes.map(({ parts }) => parts)).toEqual([
      [
        {
          pointer: '/columns/Region',
          before: expect.objectContaining({ description: 'Where' }) as unknown,
          after: expect.objectContaining({ hidden: true, description: null }) as unknown,
        },
      ],
    ]);
    expect(changes[0]?.parts[0]?.after).not.toHaveProperty('displayName');
  });

  test('has notes about null for what no request can remove', () => {
    const viewpoints = [{ id: 'v', name: 'V', description: 'D', enabled: true }];
    const instance = {
      ...createRetailDocuments([['"title":', '"relationType":"any","title":']]),
      viewpoints,
    };
    const project = createProject(instance);
    project.edit(paths.retail, '"relationType": "any"', '"relationType": null');
    project.edit(paths.customers, '"type": 18', '"type": null');
    project.edit('viewpoints/V.viewpoint.json', '"enabled": true', '"enabled": null');
    project.edit('viewpoints/V.viewpoint.json', '"D"', 'null');
    expect(summarize(compare(project, instance))).toEqual({
      ...nothing,
      changes: ['update viewpoint/V [/description]'],
      notes: [
        'not-writable datamodel/Retail /relationType',
        `not-removable ${customersKey} /columns/Region/type`,
        'not-removable viewpoint/V /enabled',
      ],
    });
  });

  test('has notes about what no request can set', () => {
    const project = createProject();
    project.edit(paths.retail, '"type": "extract"', '"type": "extract", "relationType": "direct"');
    project.edit(paths.customers, '"People",', '"People", "displayName": "C",');
    const dataset = 'datamodels/Retail/datasets/Sales.dataset.json';
    project.edit(
      dataset,
      '"name": "Sales"',
      '"name": "Sales", "schedule": 1, "connection": {"provider": "CSV"}',
    );
    expect(summarize(compare(project, createRetailDocuments()))).toEqual({
      ...nothing,
      notes: [
        'missing datamodel/Retail /relationType',
        'missing dataset/Retail/Sales /schedule',
        'connection dataset/Retail/Sales /connection',
        `missing ${customersKey} /displayName`,
      ],
    });
    const edited = createProject();
    edited.edit(paths.retail, '"type": "extract"', '"type": "live"');
    expect(summarize(compare(edited, createRetailDocuments())).notes).toEqual([
      'not-writable datamodel/Retail /type',
    ]);
    // What a pull has seen was removed by others.
    const seen = createProject(createRetailDocuments([['"title":', '"relationType":"direct","title":']]));
    expect(summarize(compare(seen, createRetailDocuments())).notes).toEqual([
      'not-writable datamodel/Retail /relationType',
    ]);
  });
});

describe('a column', () => {
  test('that only the project has is added', () => {
    const { changes } = compare(createProject(), createRetailDocuments([[regionColumn, '']]));
    expect(changes).toMatchObject([
      { action: 'update', parts: [{ pointer: '/columns/Region', after: { name: 'Region', type: 18 } }] },
    ]);
    expect(changes[0]?.parts[0]).not.toHaveProperty('before');
  });

  test('that only the instance has stays, unless columns are pruned', () => {
    const project = createProject(createRetailDocuments([[regionColumn, '']], []));
    expect(summarize(compare(project, createRetailDocuments([], [])))).toEqual({
      ...nothing,
      extras: [`${customersKey} Region`],
    });
    expect(summarize(compare(project, createRetailDocuments([], []), withPrunedKinds('column')))).toEqual({
      ...nothing,
      changes: [`update ${customersKey} [/columns/Region] (changed on the server)`],
    });
  });

  test('that SQL generates is a note if only one side has it', () => {
    const generatedColumn = '{"oid":"40000000-0000-0000-0000-000000000001","name":"Id","type":8}';
    const documentsWithoutColumn = createRetailDocuments([
      [generatedColumn, ''],
      [/** The relation is broken without it. */ stringify(retail.relations), '[]'],
    ]);
    const { changes, ...others } = summarize(compare(createProject(), documentsWithoutColumn));
    expect(changes).toEqual(['create relation/Retail/Customers/Id/Top/Id (changed on the server)']);
    expect(others).toEqual({
      extras: [],
      notes: ['generated-column table/Retail/Top /columns/Id'],
      uncompared: [],
    });
    const projectWithoutColumn = createProject(documentsWithoutColumn);
    const comparison = compare(projectWithoutColumn, createRetailDocuments());
    expect(summarize(comparison)).toEqual({
      ...nothing,
      extras: ['relation/Retail/Customers/Id/Top/Id'],
      notes: ['derived-column table/Retail/Top /columns/Id'],
    });
    expect(comparison.notes[0]).toMatchObject({ before: { type: 8 } });
    expect(comparison.notes[0]).not.toHaveProperty('after');
    expect(
      summarize(compare(projectWithoutColumn, createRetailDocuments(), withPrunedKinds('column'))).changes,
    ).toEqual([]);
  });

  test('that SQL generates has the type that the SQL gives it, and a description of its own', () => {
    const project = createProject();
    project.edit(paths.top, '"type": 8', '"type": 18, "size": 20, "indexed": true');
    const comparison = compare(project, createRetailDocuments());
    expect(summarize(comparison)).toEqual({
      ...nothing,
      notes: ['derived-column table/Retail/Top /columns/Id'],
    });
    expect(comparison.notes[0]).toMatchObject({
      before: { type: 8 },
      after: { type: 18, size: 20, indexed: true },
    });
    project.edit(paths.top, '"type": 18', '"type": 18, "description": "Key"');
    expect(summarize(compare(project, createRetailDocuments())).changes).toEqual([
      'update table/Retail/Top [/columns/Id]',
    ]);
  });

  test('with SQL of its own in a custom table is not generated', () => {
    const custom = '{"oid":"9","name":"Double","isCustom":true,"type":8,"expression":"Id * 2"}';
    const documentsWithMore = createRetailDocuments([
      ['000001","name":"Id","type":8}]}', `000001","name":"Id","type":8},${custom}]}`],
    ]);
    expect(summarize(compare(createProject(documentsWithMore), createRetailDocuments())).changes).toEqual([
      'create columnExpression/Retail/Top/Double (changed on the server)',
      'update table/Retail/Top [/columns/Double] (changed on the server)',
    ]);
    const { extras } = summarize(compare(createProject(), documentsWithMore));
    // The SQL is not listed by itself, because it belongs to the column.
    expect(extras).toEqual(['table/Retail/Top Double']);
  });
});

describe('what only the instance has', () => {
  const createProjectWithDatamodelOnly = (): PulledProject => {
    const project = createProject();
    [...project.texts.keys()]
      .filter((path) => path !== paths.retail && !path.includes('dataset'))
      .forEach((path) => project.texts.delete(path));
    return project;
  };

  test('stays, and is listed without what would be deleted with its table', () => {
    expect(summarize(compare(createProjectWithDatamodelOnly(), createRetailDocuments()))).toEqual({
      ...nothing,
      extras: [
        'relation/Retail/Customers/Id/Top/Id',
        'rules/Retail/Customers/Region',
        customersKey,
        'table/Retail/Top',
      ],
    });
  });

  test.each([
    // A relation goes with its tables, even if its kind isn't pruned.
    [
      'table',
      [
        'delete relation/Retail/Customers/Id/Top/Id',
        'delete table/Retail/Customers',
        'delete table/Retail/Top',
      ],
    ],
    ['relation', ['delete relation/Retail/Customers/Id/Top/Id']],
  ] as const)('is deleted if its kind, %s, is pruned', (kind, changes) => {
    expect(
      summarize(compare(createProjectWithDatamodelOnly(), createRetailDocuments(), withPrunedKinds(kind)))
        .changes,
    ).toEqual(changes);
  });

  test('keeps its rules as long as it stays', () => {
    const project = createProjectWithDatamodelOnly();
    expect(summarize(compare(project, createRetailDocuments(), withPrunedKinds('rules')))).toMatchObject({
      changes: [],
      extras: expect.arrayContaining(['rules/Retail/Customers/Region']),
    });
    expect(
      summarize(compare(project, createRetailDocuments(), withPrunedKinds('rules', 'table'))).changes,
    ).toContain('delete rules/Retail/Customers/Region');
    // The column stays on the instance, although the table is known.
    const projectWithTable = createProject(createRetailDocuments([[regionColumn, '']], []));
    expect(
      summarize(compare(projectWithTable, createRetailDocuments(), withPrunedKinds('rules'))),
    ).toMatchObject({
      changes: [],
    });
    expect(
      summarize(compare(projectWithTable, createRetailDocuments(), withPrunedKinds('rules', 'column')))
        .changes,
    ).toContain('delete rules/Retail/Customers/Region (never pulled)');
  });

  test('keeps its rules in a cube set, too', () => {
    const cubeSets = [{ name: 'All', rules: [rule] }];
    const cubeSetRules = 'cubeSetRules/All/Customers/Region';
    const documentsWithoutColumn = createRetailDocuments([[regionColumn, '']], []);
    const project = createProject({ ...documentsWithoutColumn, cubeSets });
    [...project.texts.keys()]
      .filter((path) => path.startsWith('cube-sets/'))
      .forEach((path) => project.texts.delete(path));
    const summarizePruned = (instance: typeof documentsWithoutColumn, ...kinds: readonly PrunedKind[]) =>
      summarize(compare(project, { ...instance, cubeSets }, withPrunedKinds('cubeSetRules', ...kinds)));
    expect(summarizePruned(createRetailDocuments([], []))).toMatchObject({
      changes: [],
      extras: [cubeSetRules, `${customersKey} Region`],
    });
    expect(summarizePruned(createRetailDocuments([], []), 'column').changes).toContain(
      `delete ${cubeSetRules}`,
    );
    // No datamodel has the column.
    expect(summarizePruned(documentsWithoutColumn).changes).toEqual([`delete ${cubeSetRules}`]);
  });

  test('stays if it is rules on a column of the project, unless rules are pruned', () => {
    const project = createProject();
    project.texts.delete(paths.region);
    expect(summarize(compare(project, createRetailDocuments())).extras).toEqual([
      'rules/Retail/Customers/Region',
    ]);
    expect(summarize(compare(project, createRetailDocuments(), withPrunedKinds('rules'))).changes).toEqual([
      'delete rules/Retail/Customers/Region',
    ]);
  });

  test('is one extra if it is a datamodel, with everything in it', () => {
    const project = new PulledProject();
    expect(summarize(compare(project, createRetailDocuments()))).toEqual({
      ...nothing,
      extras: ['datamodel/Retail'],
    });
    expect(
      summarize(
        compare(
          project,
          createRetailDocuments(),
          withPrunedKinds('datamodel', 'table', 'relation', 'rules', 'dataset'),
        ),
      ),
    ).toEqual({ ...nothing, changes: ['delete datamodel/Retail (never pulled)'] });
    // A kind of its parts alone deletes nothing of a datamodel that the project doesn't know.
    expect(summarize(compare(project, createRetailDocuments(), withPrunedKinds('table', 'rules')))).toEqual({
      ...nothing,
      extras: ['datamodel/Retail'],
    });
  });

  const deleteDatamodel = (instance = createRetailDocuments()) => {
    const project = createProject();
    project.texts.clear();
    return compare(project, instance, withPrunedKinds('datamodel'));
  };

  test('is deleted with everything in it if it is a datamodel', () => {
    const { changes } = deleteDatamodel();
    expect(changes.map(({ action, key }) => `${action} ${formatItemKey(key)}`)).toEqual([
      'delete datamodel/Retail',
    ]);
    expect(listDeletedWith(changes)).toEqual([
      'columnExpression/Retail/Customers/Full Name',
      'dataset/Retail/Sales',
      'relation/Retail/Customers/Id/Top/Id',
      'rules/Retail/Customers/Region',
      'table/Retail/Customers',
      'table/Retail/Top',
      'tableExpression/Retail/Top',
    ]);
  });

  test.each([
    ['a table', createRetailDocuments([['People', 'Persons']]), 'table/Retail/Customers (changed)'],
    ['SQL', createRetailDocuments([['SELECT 1', 'SELECT 2']]), 'tableExpression/Retail/Top (changed)'],
    [
      'rules',
      createRetailDocuments([], [{ ...rule, members: ['South'] }]),
      'rules/Retail/Customers/Region (changed)',
    ],
    [
      'new rules',
      createRetailDocuments([], [rule, { ...rule, column: 'Id' }]),
      'rules/Retail/Customers/Id (never pulled)',
    ],
  ])('is a datamodel that has changed on the server if that has changed: %s', (_, instance, changedItem) => {
    const { changes } = deleteDatamodel(instance);
    expect(changes).toMatchObject([{ action: 'delete', isChangedOnServer: true }]);
    expect(changes[0]).not.toHaveProperty('isNeverPulled');
    expect(listDeletedWith(changes)).toContain(changedItem);
    expect(hashChanges(changes)).not.toBe(hashChanges(deleteDatamodel().changes));
  });

  test.each([
    ['not', 'a build has added columns to a custom table', {}, false],
    ['also', 'a person has hidden a column that a build has added', { hidden: true }, true],
  ])('is %s a datamodel that has changed on the server if %s', (_, _text, members, isChangedOnServer) => {
    const createInstance = (columns: readonly JsonObject[]) => ({
      datamodels: [
        {
          document: {
            oid: 'm',
            title: 'M',
            datasets: [
              {
                oid: 'd',
                name: 'D',
                type: 'custom',
                schema: {
                  tables: [{ oid: 't', name: 'T', type: 'custom', expression: 'SELECT 1', columns }],
                },
              },
            ],
          },
          rules: [],
        },
      ],
    });
    const project = createProject(createInstance([]));
    project.texts.clear();
    const built = createInstance([{ oid: 'c', id: 'c', name: 'C', type: 8, ...members }]);
    expect(compare(project, built, withPrunedKinds('datamodel')).changes).toMatchObject([
      { action: 'delete', isChangedOnServer },
    ]);
  });

  test.each([
    ['table', 'SELECT 1', [paths.top, paths.topSql], 'delete table/Retail/Top'],
    ['table', 'First', [paths.customers, paths.fullName], `delete ${customersKey}`],
  ] as const)('is a %s that has changed on the server if its SQL has, %s', (kind, sql, files, deletion) => {
    const project = createProject();
    files.forEach((path) => project.texts.delete(path));
    const isDeletion = (change: string): boolean => change.startsWith(deletion);
    const unchanged = compare(project, createRetailDocuments(), withPrunedKinds(kind));
    expect(summarize(unchanged).changes.filter(isDeletion)).toEqual([deletion]);
    const changed = compare(project, createRetailDocuments([[sql, 'Others']]), withPrunedKinds(kind));
    expect(summarize(changed).changes.filter(isDeletion)).toEqual([`${deletion} (changed on the server)`]);
    expect(hashChanges(changed.changes)).not.toBe(hashChanges(unchanged.changes));
  });

  test('is a column that has changed on the server if its SQL has', () => {
    const project = createProject();
    const table = parseLossless(project.texts.get(paths.customers) ?? '') as JsonObject;
    const columns = (table['columns'] as readonly JsonObject[]).filter(({ name }) => name !== 'Full Name');
    project.texts.set(paths.customers, stringify({ ...table, columns }));
    project.texts.delete(paths.fullName);
    const update = `update ${customersKey} [/columns/Full Name]`;
    const unchanged = compare(project, createRetailDocuments(), withPrunedKinds('column'));
    expect(summarize(unchanged).changes).toEqual([update]);
    expect(listDeletedWith(unchanged.changes)).toEqual(['columnExpression/Retail/Customers/Full Name']);
    const changed = compare(project, createRetailDocuments([['First', 'Given']]), withPrunedKinds('column'));
    expect(summarize(changed).changes).toEqual([`${update} (changed on the server)`]);
    expect(hashChanges(changed.changes)).not.toBe(hashChanges(unchanged.changes));
  });

  test('stays if it is SQL', () => {
    const project = createProject(createRetailDocuments([[',"expression":"First\\n+ Last"', '']]));
    expect(summarize(compare(project, createRetailDocuments()))).toEqual({
      ...nothing,
      extras: ['columnExpression/Retail/Customers/Full Name'],
    });
  });
});

describe('a viewpoint or rule with users', () => {
  const users = [{ id: 'u1', name: 'ann', aliases: ['ann@example.com'] }];
  const shared: JsonObject = { ...rule, shares: [{ type: 'user', party: 'u1' }] };
  const visibility = { apps: [], users: ['u1'], groups: [], enabled: true };
  const viewpoints = [{ id: 'v', name: 'V', enabled: true, visibility }];
  const instance = { ...createRetailDocuments([], [shared]), users, viewpoints };

  test.each([paths.region, 'viewpoints/V.viewpoint.json'])(
    'does not differ if the file has the e-mail address of the user instead of the name: %s',
    (path) => {
      const project = createProject(instance);
      project.edit(path, '"ann"', '"ann@example.com"');
      expect(summarize(compare(project, instance))).toEqual(nothing);
      project.edit(path, '"ann@example.com"', '"bob@example.com"');
      expect(summarize(compare(project, instance)).changes).toHaveLength(1);
    },
  );

  test('gets its publication state changed in its visibility, too', () => {
    const project = createProject(instance);
    const path = 'viewpoints/V.viewpoint.json';
    project.edit(path, '"enabled": true', '"enabled": false');
    project.edit(path, '"enabled": true,', '');
    const { changes } = compare(project, instance);
    expect(changes.map(({ parts }) => parts)).toEqual([
      [
        { pointer: '/enabled', before: true, after: false },
        {
          pointer: '/visibility',
          before: { ...visibility, users: ['ann'] },
          after: { ...visibility, users: ['ann'], enabled: false },
        },
      ],
    ]);
  });

  test('does not differ if the instance has its publication state only in its visibility', () => {
    const withoutOwnState = { ...instance, viewpoints: [{ id: 'v', name: 'V', visibility }] };
    expect(summarize(compare(createProject(instance), withoutOwnState))).toEqual(nothing);
  });

  test('gets its own publication state changed together with that in its visibility', () => {
    const project = createProject(instance);
    const path = 'viewpoints/V.viewpoint.json';
    project.edit(path, '  "enabled": true,\n', '');
    expect(summarize(compare(project, instance))).toEqual(nothing);
    project.edit(path, '"enabled": true', '"enabled": false');
    const [change] = compare(project, instance).changes;
    expect(change?.parts.map(({ pointer }) => pointer)).toEqual(['/visibility', '/enabled']);
  });

  test.each([
    ['the instance', { enabled: true }, { enabled: false }],
    ['the file', { enabled: false }, { enabled: true }],
  ])('differs if its two publication states contradict each other: %s', (title, own, inVisibility) => {
    const contradictory = { ...viewpoints[0], ...own, visibility: { ...visibility, ...inVisibility } };
    const other = { ...instance, viewpoints: [contradictory] };
    const [pulled, current] = title === 'the file' ? [other, instance] : [instance, other];
    expect(summarize(compare(createProject(pulled), current)).changes).toHaveLength(1);
  });

  test.each([
    ['its lists', { apps: [], groups: [], users: ['ann'] }],
    ['the lists that are not empty', { users: ['ann'] }],
    ['null', { users: ['ann'], enabled: null }],
  ])('keeps its publication state if its visibility has only %s', (_title, members) => {
    const project = createProject(instance);
    const path = 'viewpoints/V.viewpoint.json';
    const setVisibility = (content: object): unknown =>
      project.texts.set(path, JSON.stringify({ name: 'V', visibility: content }));
    setVisibility(members);
    expect(summarize(compare(project, instance)).changes).toEqual([]);
    setVisibility({ ...members, apps: ['teams'] });
    expect(compare(project, instance).changes.map(({ parts }) => parts)).toMatchObject([
      [{ pointer: '/visibility', after: { apps: ['teams'], users: ['ann'], enabled: true } }],
    ]);
  });
});

test.each(['constructor', '__proto__', 'toString'])('a member can be called %s', (name) => {
  const withMember = (value: number) =>
    ({
      customData: [{ name: 'D', objects: [JSON.parse(`{"_id": "d", "kind": "x", "${name}": ${value}}`)] }],
    }) as const;
  const project = createProject(withMember(1));
  expect(summarize(compare(project, withMember(1)))).toEqual(nothing);
  expect(summarize(compare(project, withMember(2))).changes).toEqual([
    `update customData/D [/${name}] (changed on the server)`,
  ]);
  const documentsWithoutMember = { customData: [{ name: 'D', objects: [{ _id: 'd', kind: 'x' }] }] };
  expect(compare(project, documentsWithoutMember).changes).toMatchObject([
    { action: 'update', parts: [{ pointer: `/${name}`, after: 1 }] },
  ]);
  expect(compare(project, documentsWithoutMember).changes[0]?.parts[0]).not.toHaveProperty('before');
});

describe('what is not known', () => {
  const everyKind = withPrunedKinds(
    'datamodel',
    'dataset',
    'table',
    'column',
    'relation',
    'rules',
    'viewpoint',
  );

  test('on the instance never changes', () => {
    const project = createProject();
    project.edit(paths.customers, '"People"', '"All people"');
    project.edit(paths.region, 'North', 'South');
    const options = { ...everyKind, isUnknownOnInstance: () => true };
    expect(summarize(compare(project, createRetailDocuments(), options)).changes).toEqual([]);
    expect(summarize(compare(new PulledProject(), createRetailDocuments(), options)).changes).toEqual([]);
    const rulesOnly = compare(project, createRetailDocuments(), {
      isUnknownOnInstance: ({ kind }) => kind === 'rules',
    });
    expect(summarize(rulesOnly)).toEqual({
      ...nothing,
      changes: [`update ${customersKey} [/description]`],
      uncompared: ['rules/Retail/Customers/Region'],
    });
  });

  test('in the project is not deleted', () => {
    const project = createProject();
    project.texts.set(paths.customers, '{');
    const { changes, extras } = summarize(compare(project, createRetailDocuments(), everyKind));
    expect(changes).toEqual([]);
    expect(extras).toEqual([]);
  });

  test('because of two equal names is neither compared nor deleted', () => {
    const project = createProject();
    const refused = createRetailDocuments([['"name":"Top"', '"name":"Customers"']]);
    expect(summarize(compare(project, refused, everyKind))).toMatchObject({
      changes: [],
      extras: [],
    });
  });
});

describe('a change on the server', () => {
  test('is one that the lock has not seen', () => {
    const project = createProject();
    project.edit(paths.customers, '"People"', '"All people"');
    const theirDocuments = createRetailDocuments([['People', 'Persons']]);
    expect(summarize(compare(project, theirDocuments)).changes).toEqual([
      `update ${customersKey} [/description] (changed on the server)`,
    ]);
    // Another part of the same table.
    const otherPart = compare(project, createRetailDocuments([['"type":18', '"type":4']]));
    expect(summarize(otherPart).changes).toEqual([
      `update ${customersKey} [/description /columns/Region] (changed on the server)`,
    ]);
    expect(otherPart.changes).toMatchObject([{ serverPointers: ['/columns/Region'] }]);
    expect(
      summarize(
        compare(
          project,
          createRetailDocuments([['"description":"People"', '"description":"People","hidden":true']]),
        ),
      ).changes,
    ).toEqual([`update ${customersKey} [/description]`]);
  });

  test('may be anything without a lock: what exists was never pulled', () => {
    const project = createProject();
    project.lock = emptyLock;
    expect(summarize(compare(project, createRetailDocuments())).changes).toEqual([]);
    expect(summarize(compare(project, createRetailDocuments([['People', 'Persons']]))).changes).toEqual([
      `update ${customersKey} [/description] (never pulled)`,
    ]);
    const otherRule: JsonObject = { ...rule, column: 'Id' };
    expect(
      summarize(compare(project, createRetailDocuments([], [rule, otherRule]), withPrunedKinds('rules')))
        .changes,
    ).toEqual(['delete rules/Retail/Customers/Id (never pulled)']);
    // An empty instance has nothing to overwrite.
    expect(compare(project, {}).changes.filter(({ isChangedOnServer }) => isChangedOnServer)).toEqual([]);
  });

  test('is a deletion, a creation, or other SQL', () => {
    const project = createProject();
    expect(summarize(compare(project, {})).changes).toContain(
      'create datamodel/Retail (changed on the server)',
    );
    expect(summarize(compare(project, createRetailDocuments([['First', 'Given']]))).changes).toEqual([
      'update columnExpression/Retail/Customers/Full Name [] (changed on the server)',
    ]);
    const otherRule: JsonObject = { ...rule, column: 'Id' };
    expect(
      summarize(compare(project, createRetailDocuments([], [rule, otherRule]), withPrunedKinds('rules')))
        .changes,
    ).toEqual(['delete rules/Retail/Customers/Id (never pulled)']);
  });

  test('is not a column that a build has generated', () => {
    const project = createProject();
    project.edit(paths.top, '"columns": [', '"columns": [\n{"name": "Sum", "hidden": true},');
    const createBuilt = (settings: string) =>
      createRetailDocuments([
        [
          '000001","name":"Id","type":8}]}',
          `000001","name":"Id","type":8},{"oid":"9","name":"Sum","type":8${settings}}]}`,
        ],
      ]);
    expect(summarize(compare(project, createBuilt(',"hidden":false,"description":""'))).changes).toEqual([
      'update table/Retail/Top [/columns/Sum]',
    ]);
    // A person has described it.
    expect(summarize(compare(project, createBuilt(',"description":"Total"'))).changes).toEqual([
      'update table/Retail/Top [/columns/Sum] (changed on the server)',
    ]);
  });
});

test('the same plan comes from shuffled documents and files, with the same hash', () => {
  const project = createProject();
  project.edit(paths.customers, '"People"', '"All people"');
  project.edit(paths.topSql, 'SELECT 1', 'SELECT 2');
  project.texts.delete(paths.region);
  const instance = createRetailDocuments();
  const hash = (comparison: ReturnType<typeof compare>, ...kinds: readonly string[]) =>
    hashPlan('i', comparison, {
      prunedKinds: new Set(kinds),
      keptProtection: [],
      writes: [],
      ignoredErrors: [],
    });
  const first = compare(project, instance, withPrunedKinds('rules', 'table'));
  fc.assert(
    fc.property(fc.shuffledSubarray([...project.texts], { minLength: project.texts.size }), (texts) => {
      const [dataset] = retail.datasets;
      const shuffled = {
        datamodels: [
          {
            document: {
              relations: retail.relations.map(({ oid, columns }) => ({ columns: columns.toReversed(), oid })),
              datasets: [{ ...dataset, schema: { tables: dataset.schema.tables.toReversed() } }],
              ...Object.fromEntries(
                Object.entries(retail)
                  .filter(([, value]) => typeof value === 'string')
                  .toReversed(),
              ),
            },
            rules: [rule],
          },
        ],
      };
      const otherComparison = compare(
        new PulledProject(new Map(texts), project.lock),
        shuffled,
        withPrunedKinds('table', 'rules'),
      );
      expect(stringify(otherComparison.changes)).toBe(stringify(first.changes));
      expect(hash(otherComparison, 'table', 'rules')).toBe(hash(first, 'rules', 'table'));
    }),
    { numRuns: 20 },
  );
  expect(first.changes).toHaveLength(3);
  // Each part of a plan counts.
  const changedOnServer = compare(
    project,
    createRetailDocuments([['People', 'Persons']]),
    withPrunedKinds('rules', 'table'),
  );
  const hashes = [
    hash(first, 'rules', 'table'),
    hash(changedOnServer, 'rules', 'table'),
    hash(first, 'rules'),
    hashPlan('other', first, {
      prunedKinds: new Set(['rules', 'table']),
      keptProtection: [],
      writes: [],
      ignoredErrors: [],
    }),
    hashPlan('i', first, {
      prunedKinds: new Set(['rules', 'table']),
      keptProtection: [],
      writes: [{ id: '1' }],
      ignoredErrors: [],
    }),
    hashPlan('i', first, {
      prunedKinds: new Set(['rules', 'table']),
      keptProtection: [],
      writes: [],
      ignoredErrors: [{ path: 'a', code: 'sql/syntax', message: 'Unexpected "("' }],
    }),
    hashPlan('i', first, {
      prunedKinds: new Set(['rules', 'table']),
      keptProtection: [{ item: 'rules/Retail/Customers/Region' }],
      writes: [],
      ignoredErrors: [],
    }),
    hash({ ...first, changes: first.changes.slice(1) }, 'rules', 'table'),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});
