import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PrunedKind } from '../../../../src/project/plan/compareProject.ts';
import { type JsonObject, getMember } from '../../../../src/base/json.ts';
import { getObjects } from '../../../../src/changes/model/jsonMembers.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { isSoak } from '../../../support/soak.ts';
import { defaultProjectSettings, limitSettings } from '../../../../src/project/settings/projectSettings.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { formatItemKey } from '../../../../src/project/item.ts';
import { type Lock, type LockEntry, emptyLock } from '../../../../src/project/pull/lock.ts';
import { PulledProject } from '../pull/pullSupport.ts';
import { UndoFixture, pulledNothing } from './undoSupport.ts';

const tables = 'datamodels/Retail/tables';
const rules = 'datamodels/Retail/rules';
const newSql = 'SELECT [Store] FROM [Stores]';
const prunedKinds: readonly PrunedKind[] = [
  'datamodel',
  'dataset',
  'table',
  'column',
  'relation',
  'rules',
  'viewpoint',
];

const categoriesPath = `${tables}/Categories.table.json`;
const calendarPath = `${tables}/Calendar.table.json`;

type Edit = (project: PulledProject) => void;

const replaceInAll = ({ texts }: PulledProject, from: string, to: string, pattern = /./): void => {
  for (const [path, text] of texts) {
    if (pattern.test(path)) {
      texts.set(path, text.replaceAll(from, to));
    }
  }
};

const removeAll = ({ texts }: PulledProject, pattern: RegExp): void =>
  [...texts.keys()].filter((path) => pattern.test(path)).forEach((path) => texts.delete(path));

/** What people do to a project and a pull keeps after the undo of its apply, each of them to something else. */
const edits: Readonly<Record<string, Edit>> = {
  'describes a table': (project) =>
    project.edit(`${tables}/Stores.table.json`, '"type": "base"', '"type": "base",\n  "description": "Mine"'),
  'hides a column': (project) =>
    project.edit(
      `${tables}/Customers.table.json`,
      '"hidden": false,\n      "indexed": true',
      '"hidden": true,\n      "indexed": true',
    ),
  'changes rules': (project) => project.edit(`${rules}/Regions.Region.rules.json`, '"Alps"', '"West"'),
  'adds rules': ({ texts }) =>
    texts.set(
      `${rules}/Stores.City.rules.json`,
      JSON.stringify([
        {
          table: 'Stores',
          column: 'City',
          datatype: 'text',
          members: [],
          allMembers: false,
          shares: [{ type: 'default' }],
        },
      ]),
    ),
  'changes SQL of a column': (project) =>
    project.edit(`${tables}/Stores/Store Label.datamodel.sql`, "' ('", "' - ('"),
  'changes SQL of a table': ({ texts }) => texts.set(`${tables}/Store Ranking.datamodel.sql`, `${newSql}\n`),
  'adds a column': (project) => {
    project.edit(
      `${tables}/Products.table.json`,
      '"columns": [',
      '"columns": [\n    { "name": "Label", "id": "Label", "type": 18, "isCustom": true, "expression": { "$file": "Products/Label.datamodel.sql" } },',
    );
    project.texts.set(`${tables}/Products/Label.datamodel.sql`, '[Product]\n');
  },
  'adds a table': ({ texts }) =>
    texts.set(
      `${tables}/Targets.table.json`,
      JSON.stringify({
        name: 'Targets',
        id: 'stores.csv',
        dataset: 'Master Data',
        type: 'base',
        configOptions: { Table: 'stores.csv' },
        columns: [{ name: 'City', id: 'City', type: 18 }],
      }),
    ),
};

/** What a pull replaces after the undo of an apply, because the lock doesn't show beyond doubt what it is. */
const replacedEdits: Readonly<Record<string, Edit>> = {
  'deletes rules': ({ texts }) => texts.delete(`${rules}/Employees.Job Title.rules.json`),
  'renames a table with rules': (project) => {
    project.edit(
      `${tables}/Products.table.json`,
      '"name": "Products"',
      '"name": "Goods",\n  "renamedFrom": "Products"',
    );
    replaceInAll(project, '"table": "Products"', '"table": "Goods"');
    replaceInAll(project, '[Products', '[Goods');
  },
  'renames a column with rules': (project) => {
    project.edit(
      `${tables}/Categories.table.json`,
      '"name": "Department"',
      '"name": "Division",\n      "renamedFrom": "Department"',
    );
    replaceInAll(project, '"column": "Department"', '"column": "Division"');
  },
  'deletes a column': ({ texts }) => {
    const path = `${tables}/Orders.table.json`;
    const table = JSON.parse(texts.get(path) ?? '');
    const columns = table.columns.filter(({ name }: { name: string }) => name !== 'Delivery');
    texts.set(path, JSON.stringify({ ...table, columns }));
    texts.delete(`${tables}/Orders/Delivery.datamodel.sql`);
  },
  'deletes a table': (project) => removeAll(project, /Returns\./),
  'deletes a datamodel': (project) => removeAll(project, /^datamodels\/Marketing\//),
  'deletes a viewpoint': (project) => removeAll(project, /Revenue by Region/),
  'renames a viewpoint': (project) =>
    project.edit(
      'viewpoints/Revenue by Category.viewpoint.json',
      '"name": "Revenue by Category"',
      '"name": "Sales by Category",\n  "renamedFrom": "Revenue by Category"',
    ),
};

const listReplacedItems = ({ operation }: HistoryEntry): readonly string[] =>
  expectDefined(operation.project?.replacedItems);

/**
 * Applies edits, undoes that, and expects the project to have the edits as before the apply. A pull brings in only what
 * others have changed in between.
 */
async function expectEditsKept(profile: 'guide' | 'contract', names: readonly string[]): Promise<void> {
  using fixture = await UndoFixture.create(profile, { sql: [newSql], prunedKinds });
  const { project } = fixture;
  names.forEach((name) => edits[name]?.(project));
  const texts = new Map(project.texts);
  const changes = await fixture.listChanges();
  const applied = await fixture.apply();
  expect(listReplacedItems(applied)).toEqual([]);
  await fixture.changeTable('Calendar', { description: 'Theirs' });
  await fixture.undo(applied);
  await fixture.record(applied);
  expect((await fixture.listChanges()).filter((change) => !change.includes('Calendar'))).toEqual(changes);
  expect(await fixture.pull()).toEqual({ ...pulledNothing, changed: [calendarPath] });
  expect(project.texts.get(calendarPath)).toContain('"Theirs"');
  expect(new Map(project.texts).set(calendarPath, texts.get(calendarPath) ?? '')).toEqual(texts);
  expect(await fixture.listChanges()).toEqual(changes);
  await fixture.apply();
  if (names.includes('changes SQL of a table')) {
    await fixture.instance.build();
    await fixture.apply();
  }
  expect(await fixture.listChanges()).toEqual([]);
}

/** Returns a journal as an earlier version has written it. */
const omitFormerItems = ({ operation, ...entry }: HistoryEntry): HistoryEntry => ({
  ...entry,
  operation: {
    ...operation,
    ...(operation.project === undefined ? {} : { project: { ...operation.project, formerItems: undefined } }),
  },
});

/**
 * Expects that a lock says nothing about an instance that it hasn't said before the apply and wouldn't say without what
 * the journal has about that.
 */
function expectNothingNewSeen(
  { entries }: Lock,
  earlier: readonly [unrestored: Lock, beforeApply: Lock],
): void {
  const [unrestored] = earlier;
  for (const [text, { oid, columns = {}, parts }] of entries) {
    const sources = earlier.map((lock) => lock.entries.get(text)).filter((entry) => entry?.oid === oid);
    expect([unrestored.entries.has(text), sources.length > 0], text).toEqual([true, true]);
    for (const [pointer, hash] of parts) {
      expect(
        sources.map((entry) => entry?.parts.get(pointer)),
        text + pointer,
      ).toContain(hash);
    }
    for (const [name, columnOid] of Object.entries(unrestored.entries.get(text)?.columns ?? {})) {
      expect([columnOid, undefined], text + name).toContain(columns[name]);
    }
  }
}

const isDeletion = (change: string): boolean => /^delete |columns\/Delivery/.test(change);
const isOfUnseen = (change: string): boolean => /\((?:never pulled|changed on the server)\)$/.test(change);

/**
 * Applies edits, undoes that, and expects that nothing counts as seen that the project hasn't seen, that every deletion
 * is one of something unseen, and that a pull brings in the state of the instance.
 */
async function expectSafety(profile: 'guide' | 'contract', names: readonly string[]): Promise<void> {
  using fixture = await UndoFixture.create(profile, { sql: [newSql], prunedKinds });
  const { project } = fixture;
  const texts = new Map(project.texts);
  const lockBefore = project.lock;
  names.forEach((name) => (edits[name] ?? replacedEdits[name])?.(project));
  const applied = await fixture.apply();
  await fixture.undo(applied);
  const unrestored = new PulledProject(project.texts, project.lock);
  await fixture.record(omitFormerItems(applied), unrestored);
  await fixture.record(applied);
  expectNothingNewSeen(project.lock, [unrestored.lock, lockBefore]);
  const deletions = (await fixture.listChanges()).filter(isDeletion);
  expect(deletions.filter((change) => !isOfUnseen(change))).toEqual([]);
  const { conflicts } = await fixture.pull();
  if (names.every((name) => name in replacedEdits)) {
    expect(conflicts).toEqual([]);
    expect(await fixture.listChanges()).toEqual([]);
    expect([...project.texts.keys()].toSorted()).toEqual([...texts.keys()].toSorted());
  } else if (conflicts.length === 0) {
    expect((await fixture.listChanges()).filter(isDeletion)).toEqual([]);
  }
}

describe('after the undo of an apply, a pull and a plan keep what someone did:', () => {
  test.each(Object.keys(edits))('%s', async (name) => {
    await expectEditsKept('guide', [name]);
  });

  test.each(['guide', 'contract'] as const)('anything (profile %s)', async (profile) => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(Object.keys(edits), { minLength: 2 }), (chosen) =>
        expectEditsKept(profile, chosen),
      ),
      { numRuns: isSoak ? 100 : 2, endOnFailure: true },
    );
  });
});

describe('after the undo of an apply, nothing is deleted unseen, and a pull brings in what it has restored:', () => {
  test.each(Object.keys(replacedEdits))('%s', async (name) => {
    await expectSafety('guide', [name]);
  });

  test.each(['guide', 'contract'] as const)(
    'SQL that follows a rename, but not SQL with other changes (profile %s)',
    async (profile) => {
      using fixture = await UndoFixture.create(profile);
      const { project } = fixture;
      const [followingPath, changedPath] = ['Customer Value', 'Monthly Store Sales'].map(
        (name) => `${tables}/${name}.datamodel.sql`,
      ) as [string, string];
      const following = project.texts.get(followingPath);
      project.edit(
        `${tables}/Orders.table.json`,
        '"name": "Orders"',
        '"name": "Sales", "renamedFrom": "Orders"',
      );
      replaceInAll(project, '"table": "Orders"', '"table": "Sales"');
      replaceInAll(project, '[Orders] o', '[Sales] o');
      project.edit(changedPath, "'Canceled'", "'Cancelled'");
      const applied = await fixture.apply();
      expect(listReplacedItems(applied)).toEqual([
        'table/Retail/Sales',
        'tableExpression/Retail/Customer Value',
      ]);
      await fixture.undo(applied);
      await fixture.record(applied);
      await fixture.pull();
      expect(project.texts.get(followingPath)).toBe(following);
      expect(project.texts.get(changedPath)).toContain('[Sales] o');
    },
  );

  test('the review lists what the pull replaces', async () => {
    const lists = await Promise.all(
      Object.entries(replacedEdits).map(async ([name, edit]) => {
        using fixture = await UndoFixture.create('guide', { prunedKinds });
        edit(fixture.project);
        return [name, listReplacedItems(await fixture.apply())];
      }),
    );
    expect(Object.fromEntries(lists)).toEqual({
      'deletes rules': ['rules/Retail/Employees/Job Title'],
      'renames a table with rules': ['columnExpression/Retail/Order Items/Cost', 'table/Retail/Goods'],
      'renames a column with rules': ['table/Retail/Categories'],
      'deletes a column': ['table/Retail/Orders'],
      'deletes a table': ['table/Retail/Returns'],
      'deletes a datamodel': ['datamodel/Marketing'],
      'deletes a viewpoint': ['viewpoint/Revenue by Region'],
      'renames a viewpoint': ['viewpoint/Sales by Category'],
    });
  });

  test.each(['guide', 'contract'] as const)('anything (profile %s)', async (profile) => {
    // Such an instance accepts the rules of a restored datamodel only after a build.
    const names = Object.keys({ ...edits, ...replacedEdits }).filter(
      (name) => profile === 'guide' || name !== 'deletes a datamodel',
    );
    await fc.assert(
      fc.asyncProperty(fc.subarray(names, { minLength: 2 }), (chosen) => expectSafety(profile, chosen)),
      { numRuns: isSoak ? 100 : 2, endOnFailure: true },
    );
  });
});

/** Changes the content of a JSON file. */
function editJson<Content>(
  { texts }: PulledProject,
  path: string,
  edit: (content: Content) => Content,
): void {
  texts.set(path, JSON.stringify(edit(JSON.parse(expectDefined(texts.get(path), path)))));
}

/** Changes the entry of an item in the lock of a project. */
function editEntry(project: PulledProject, key: string, edit: (entry: LockEntry) => LockEntry): void {
  const { entries } = project.lock;
  project.lock = {
    ...project.lock,
    entries: new Map(entries).set(key, edit(expectDefined(entries.get(key)))),
  };
}

const omitMember = <Value>(record: Readonly<Record<string, Value>> = {}, name: string) =>
  Object.fromEntries(Object.entries(record).filter(([other]) => other !== name));

const customersPath = `${tables}/Customers.table.json`;
const customersKey = 'table/Retail/Customers';

interface TableContent {
  readonly columns: readonly { readonly name: string; readonly hidden?: boolean }[];
}

const hideSegment: Edit = (project) =>
  editJson<TableContent>(project, customersPath, (table) => ({
    ...table,
    columns: table.columns.map((column) =>
      column.name === 'Segment' ? { ...column, hidden: column.hidden !== true } : column,
    ),
  }));

describe('what the review of an undo lists is what a pull replaces:', () => {
  /** Applies edits, undoes that, and pulls. Returns what the review lists, and the files that the pull has changed. */
  async function undoAndPull(fixture: UndoFixture) {
    const applied = await fixture.apply();
    await fixture.undo(applied);
    await fixture.record(applied);
    const { changed } = await fixture.pull();
    return { listed: listReplacedItems(applied), changed };
  }

  test('a column that the lock file did not have is kept, and its change is in conflict', async () => {
    using fixture = await UndoFixture.create('guide');
    const { project } = fixture;
    editEntry(project, customersKey, (entry) => ({
      ...entry,
      columns: omitMember(entry.columns, 'Segment'),
      parts: new Map([...entry.parts].filter(([pointer]) => pointer !== '/columns/Segment')),
    }));
    hideSegment(project);
    const changes = await fixture.listChanges();
    const text = project.texts.get(customersPath);
    expect(await undoAndPull(fixture)).toEqual({ listed: [], changed: [] });
    expect(project.texts.get(customersPath)).toBe(text);
    expect(await fixture.listChanges()).toEqual(changes);
    expect((await fixture.pull()).conflicts).toEqual([`both-changed ${customersPath}`]);
  });

  test('a table, a column, and a viewpoint that others have deleted and created again', async () => {
    using fixture = await UndoFixture.create('guide');
    const { project } = fixture;
    const viewpointPath = 'viewpoints/Revenue by Region.viewpoint.json';
    describeStores(project);
    hideSegment(project);
    editJson<JsonObject>(project, viewpointPath, (viewpoint) => ({ ...viewpoint, description: 'Mine' }));
    const otherOid = { oid: 'another' };
    editEntry(project, 'table/Retail/Stores', (entry) => ({ ...entry, ...otherOid }));
    editEntry(project, 'viewpoint/Revenue by Region', (entry) => ({ ...entry, ...otherOid }));
    editEntry(project, customersKey, (entry) => ({
      ...entry,
      columns: { ...entry.columns, Segment: 'another' },
    }));
    expect(await undoAndPull(fixture)).toEqual({
      listed: [customersKey, 'table/Retail/Stores', 'viewpoint/Revenue by Region'],
      changed: [customersPath, storesPath, viewpointPath],
    });
  });

  test('not a table with a new column beside one that only the instance has', async () => {
    using fixture = await UndoFixture.create('guide');
    const { project } = fixture;
    replacedEdits['deletes a column']?.(project);
    editJson<TableContent>(project, `${tables}/Orders.table.json`, (table) => ({
      ...table,
      columns: [...table.columns, { name: 'Note', id: 'Note', type: 18 }],
    }));
    expect(await undoAndPull(fixture)).toEqual({ listed: [], changed: [] });
  });

  test('not what waits to be deleted by another apply', async () => {
    using fixture = await UndoFixture.create('guide', { prunedKinds });
    const { project } = fixture;
    replacedEdits['renames a column with rules']?.(project);
    editJson<readonly JsonObject[]>(project, `${rules}/Categories.Department.rules.json`, (list) =>
      list.map((rule) => ({ ...rule, members: ['Other'], allMembers: null })),
    );
    edits['changes rules']?.(project);
    replacedEdits['deletes rules']?.(project);
    replacedEdits['deletes a column']?.(project);
    replacedEdits['deletes a table']?.(project);
    const { listed, changed } = await undoAndPull(fixture);
    expect(listed).toEqual(['table/Retail/Categories']);
    // The rules on the column belong to its table.
    expect(changed).toEqual([`${rules}/Categories.Department.rules.json`, categoriesPath]);
  });

  test('not what others have deleted and the apply creates again', async () => {
    using fixture = await UndoFixture.create('guide');
    const { client } = fixture.instance.fixture;
    const key = 'viewpoint/Revenue by Region';
    const viewpointId = expectDefined(fixture.project.lock.entries.get(key)?.oid);
    await client.viewpoints.delete({ viewpointId });
    expect(await fixture.listChanges()).toContainEqual(expect.stringContaining(`create ${key}`));
    expect(await undoAndPull(fixture)).toEqual({ listed: [], changed: [] });
  });
});

const storesPath = `${tables}/Stores.table.json`;
const describeStores = edits['describes a table'] as Edit;
const rulesChange = 'update rules/Retail/Regions/Region []';
const storesChange = 'update table/Retail/Stores [/description]';

describe('after the undo of an apply', () => {
  test('what others have changed since is still changed on the server', async () => {
    using fixture = await UndoFixture.create('guide');
    describeStores(fixture.project);
    const applied = await fixture.apply();
    await fixture.changeTable('Stores', { hidden: true });
    await fixture.changeTable('Regions', { description: 'Theirs' });
    await fixture.undo(applied);
    await fixture.record(applied);
    expect(await fixture.listChanges()).toEqual([
      'update table/Retail/Stores [/description /hidden] (changed on the server)',
    ]);
    expect(await fixture.pull()).toEqual({
      ...pulledNothing,
      changed: [`${tables}/Regions.table.json`, storesPath],
    });
    expect(fixture.project.texts.get(storesPath)).toMatch(
      /"description": "Mine"[^]*"hidden": true,\n  "isMat/,
    );
    expect(await fixture.listChanges()).toEqual([storesChange]);
  });

  test('what the undo has kept of others is still changed on the server', async () => {
    using fixture = await UndoFixture.create('guide');
    describeStores(fixture.project);
    edits['changes rules']?.(fixture.project);
    const applied = await fixture.apply();
    await fixture.changeTable('Stores', { description: 'Theirs' });
    await fixture.undo(applied);
    await fixture.record(applied);
    expect(await fixture.listChanges()).toEqual([rulesChange, `${storesChange} (changed on the server)`]);
    expect(await fixture.pull()).toEqual({ ...pulledNothing, changed: [storesPath] });
    expect(await fixture.listChanges()).toEqual([rulesChange]);
  });

  test('what the apply has overwritten of others is in conflict again', async () => {
    using fixture = await UndoFixture.create('guide');
    describeStores(fixture.project);
    await fixture.changeTable('Stores', { description: 'Theirs' });
    const applied = await fixture.apply();
    await fixture.undo(applied);
    await fixture.record(applied);
    expect(await fixture.listChanges()).toEqual([`${storesChange} (changed on the server)`]);
    expect(await fixture.pull()).toEqual({ ...pulledNothing, conflicts: [`both-changed ${storesPath}`] });
  });

  test('edits are kept if others have changed the item, and a pull has seen that before the undo', async () => {
    using fixture = await UndoFixture.create('guide');
    describeStores(fixture.project);
    const applied = await fixture.apply();
    await fixture.changeTable('Stores', { hidden: true });
    expect((await fixture.pull()).changed).toEqual([storesPath]);
    await fixture.undo(applied);
    await fixture.record(applied);
    expect(await fixture.listChanges()).toEqual([storesChange]);
    expect(await fixture.pull()).toEqual(pulledNothing);
  });

  test('edits are kept if a later apply has changed the same, and the undo overwrites that', async () => {
    using fixture = await UndoFixture.create('guide');
    describeStores(fixture.project);
    const applied = await fixture.apply();
    fixture.project.edit(storesPath, '"Mine"', '"Later"');
    await fixture.apply();
    await fixture.undo(applied, 'everything');
    await fixture.record(applied);
    expect(await fixture.listChanges()).toEqual([storesChange]);
    expect(await fixture.pull()).toEqual(pulledNothing);
    expect(fixture.project.texts.get(storesPath)).toContain('"Later"');
  });

  test('what both sides have changed in the same way before the apply stays seen', async () => {
    using fixture = await UndoFixture.create('guide');
    await fixture.changeTable('Stores', { hidden: true });
    const hidden = ['"hidden": false,\n  "isMat', '"hidden": true,\n  "isMat'] as const;
    fixture.project.edit(storesPath, ...hidden);
    describeStores(fixture.project);
    const applied = await fixture.apply();
    fixture.project.edit(storesPath, hidden[1], hidden[0]);
    await fixture.undo(applied);
    await fixture.record(applied);
    expect(await fixture.listChanges()).toEqual(['update table/Retail/Stores [/description /hidden]']);
  });

  test('an undo of the undo restores what the lock file records', async () => {
    using fixture = await UndoFixture.create('guide');
    describeStores(fixture.project);
    const applied = await fixture.apply();
    const { lockText } = fixture.project;
    const undone = await fixture.undo(applied);
    await fixture.record(applied);
    expect(fixture.project.lockText).not.toBe(lockText);
    await fixture.undo(undone);
    await fixture.record(applied);
    expect(fixture.project.lockText).toBe(lockText);
    expect(await fixture.listChanges()).toEqual([]);
  });

  test('an abandoned apply is undone like a finished one', async () => {
    using fixture = await UndoFixture.create('guide');
    describeStores(fixture.project);
    edits['hides a column']?.(fixture.project);
    const changes = await fixture.listChanges();
    expect(changes).toHaveLength(2);
    const abandoned = await fixture.abandonApply();
    await fixture.record(abandoned);
    expect(await fixture.listChanges()).toHaveLength(1);
    await fixture.undo(abandoned);
    await fixture.record(abandoned);
    expect(await fixture.listChanges()).toEqual(changes);
    expect(await fixture.pull()).toEqual(pulledNothing);
  });

  test('the lock file of another checkout, which has seen less, stays as it is', async () => {
    using fixture = await UndoFixture.create('guide');
    const older = new PulledProject(fixture.project.texts, fixture.project.lock);
    await fixture.changeTable('Stores', { description: 'Theirs' });
    await fixture.pull();
    fixture.project.edit(storesPath, '"Theirs"', '"Mine"');
    const applied = await fixture.apply();
    await fixture.undo(applied);
    const { entries } = older.lock;
    await fixture.record(applied, older);
    expect(older.lock.entries).toEqual(entries);
    expect(await fixture.pull(older)).toEqual({ ...pulledNothing, changed: [storesPath] });
    expect(older.texts.get(storesPath)).toContain('"Theirs"');
  });

  test('the lock file of another checkout that has seen another value stays as it is, too', async () => {
    using fixture = await UndoFixture.create('guide');
    await fixture.changeTable('Stores', { description: 'Earlier' });
    await fixture.pull();
    const older = new PulledProject(fixture.project.texts, fixture.project.lock);
    await fixture.changeTable('Stores', { description: 'Theirs' });
    await fixture.pull();
    fixture.project.edit(storesPath, '"Theirs"', '"Mine"');
    const applied = await fixture.apply();
    await fixture.undo(applied);
    const { entries } = older.lock;
    await fixture.record(applied, older);
    expect(older.lock.entries).toEqual(entries);
  });

  test('what was never pulled before the apply is in conflict again', async () => {
    using fixture = await UndoFixture.create('guide');
    const { instance = '' } = fixture.project.lock;
    await fixture.changeTable('Stores', { description: 'Theirs' });
    fixture.project.lock = { ...emptyLock, instance };
    describeStores(fixture.project);
    const applied = await fixture.apply();
    await fixture.undo(applied);
    await fixture.record(applied);
    expect(await fixture.listChanges()).toEqual([`${storesChange} (never pulled)`]);
    expect(await fixture.pull()).toEqual({ ...pulledNothing, conflicts: [`never-seen ${storesPath}`] });
  });

  test.each([
    ['a few items', /^table\/Retail\/(?:Stores|Customers)$/],
    ['all items', /^/],
  ])(
    'if %s were never pulled before the apply, they still count as never pulled after it is rolled back',
    async (_, unseen) => {
      using fixture = await UndoFixture.create('guide');
      const { project, instance } = fixture;
      const { lock } = project;
      const isUnseen = ([text]: readonly [string, LockEntry]): boolean => unseen.test(text);
      const entries = new Map([...lock.entries].filter((entry) => !isUnseen(entry)));
      project.lock = { ...lock, hasDirectory: true, entries };
      describeStores(project);
      project.edit(storesPath, '"hidden": false', '"hidden": true');
      edits['hides a column']?.(project);
      const { lockText } = project;
      const changes = await fixture.listChanges();
      expect(changes).toEqual([
        'update table/Retail/Customers [/columns/First Name] (never pulled)',
        expect.stringMatching(/^update table\/Retail\/Stores \[.*\/description.*\] \(never pulled\)$/),
      ]);
      let count = 0;
      instance.fixture.getWriteFault = () => ((count += 1) > 1 ? 'refusal' : undefined);
      await expect(fixture.apply()).rejects.toThrow(StoppedError);
      instance.fixture.getWriteFault = () => undefined;
      const stopped = expectDefined(await fixture.readLatest());
      await fixture.end(stopped, 'rollBack');
      await fixture.record(stopped);
      expect(await fixture.listChanges()).toEqual(changes);
      expect(project.lockText).toBe(lockText);
    },
  );

  test('without a lock file, or with a journal of an earlier version, nothing counts as seen', async () => {
    using fixture = await UndoFixture.create('guide');
    describeStores(fixture.project);
    const applied = await fixture.apply();
    await fixture.undo(applied);
    const withoutLock = new PulledProject(fixture.project.texts);
    await fixture.record(applied, withoutLock);
    expect(await fixture.pull(withoutLock)).toMatchObject({ conflicts: [] });
    const { lockText } = fixture.project;
    await fixture.record(omitFormerItems(applied));
    expect(fixture.project.lockText).toBe(lockText);
    expect(await fixture.pull()).toEqual({ ...pulledNothing, changed: [storesPath] });
  });

  test('a table keeps its identity under the new name, even if the file no longer says what it was', async () => {
    using fixture = await UndoFixture.create('guide');
    replacedEdits['renames a table with rules']?.(fixture.project);
    const applied = await fixture.apply();
    fixture.project.edit(`${tables}/Products.table.json`, ',\n  "renamedFrom": "Products"', '');
    await fixture.undo(applied);
    await fixture.record(applied);
    expect(await fixture.listChanges()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^update table\/Retail\/Products -> table\/Retail\/Goods/),
      ]),
    );
  });

  test('a column keeps its identity under the new name, too', async () => {
    using fixture = await UndoFixture.create('guide', { prunedKinds });
    replacedEdits['renames a column with rules']?.(fixture.project);
    const applied = await fixture.apply();
    fixture.project.edit(categoriesPath, ',\n      "renamedFrom": "Department"', '');
    const { entries } = fixture.project.lock;
    await fixture.undo(applied);
    await fixture.record(applied);
    expect(fixture.project.lock.entries).toEqual(entries);
    expect((await fixture.listChanges()).join('\n')).not.toMatch(/^delete|^create|columns\/Department/m);
  });

  test('a column that others have renamed, and the apply has named back, keeps its identity', async () => {
    using fixture = await UndoFixture.create('guide', { prunedKinds });
    const { project } = fixture;
    const path = `${tables}/Customers.table.json`;
    const { columns } = JSON.parse(project.texts.get(path) ?? '');
    const { reading } = await fixture.load();
    const tablesOfRetail = reading.documents.datamodels
      .filter(({ document }) => document['title'] === 'Retail')
      .flatMap(({ document }) => getObjects(document['datasets']))
      .flatMap((dataset) => getObjects(getMember(getMember(dataset, 'schema'), 'tables')));
    const customers = tablesOfRetail.find(({ name }) => name === 'Customers');
    await fixture.changeTable('Customers', {
      columns: getObjects(customers?.['columns']).map((column) =>
        column['name'] === 'Segment' ? { ...column, name: 'Theirs' } : column,
      ),
    });
    const content = JSON.parse(project.texts.get(path) ?? '');
    content.columns = columns.map((column: JsonObject) =>
      column['name'] === 'Segment' ? { ...column, hidden: column['hidden'] !== true } : column,
    );
    project.texts.set(path, JSON.stringify(content));
    const applied = await fixture.apply();
    await fixture.undo(applied);
    await fixture.record(applied);
    const changes = await fixture.listChanges();
    expect(changes).toContainEqual(
      expect.stringMatching(/^update table\/Retail\/Customers .*columns\/Segment/),
    );
    expect(changes.join('\n')).not.toContain('/columns/Theirs');
  });

  test('a checkout from before an item existed pulls the item once its deletion is undone', async () => {
    using fixture = await UndoFixture.create('guide', { prunedKinds });
    const { project } = fixture;
    replacedEdits['deletes rules']?.(project);
    replacedEdits['deletes a table']?.(project);
    const isOfNew = (key: string): boolean => /Returns|Job Title/.test(key);
    const older = new PulledProject(project.texts, {
      ...project.lock,
      entries: new Map([...project.lock.entries].filter(([key]) => !isOfNew(key))),
    });
    const applied = await fixture.apply();
    await fixture.undo(applied);
    await fixture.record(applied, older);
    expect([...older.lock.entries.keys()].filter(isOfNew)).toEqual([]);
    const { changed, conflicts } = await fixture.pull(older);
    expect(conflicts).toEqual([]);
    expect(changed).toEqual(
      expect.arrayContaining([`${tables}/Returns.table.json`, `${rules}/Employees.Job Title.rules.json`]),
    );
  });

  test.each([
    ['a viewpoint', 'deletes a viewpoint', ['delete viewpoint/Revenue by Region']],
    [
      'a table',
      'deletes a table',
      [expect.stringMatching(/^delete [^()]*$/), expect.stringMatching(/^delete [^()]*$/)],
    ],
  ])(
    '%s that was deleted counts as seen again once its file is restored, too',
    async (_, name, deletions) => {
      using fixture = await UndoFixture.create('guide', { prunedKinds });
      const { project } = fixture;
      const texts = new Map(project.texts);
      const keys = [...project.lock.entries.keys()];
      replacedEdits[name]?.(project);
      const applied = await fixture.apply();
      texts.forEach((text, path) => project.texts.set(path, text));
      await fixture.undo(applied);
      await fixture.record(applied);
      expect(await fixture.listChanges()).toEqual([]);
      expect([...project.lock.entries.keys()].toSorted()).toEqual(keys.toSorted());
      replacedEdits[name]?.(project);
      expect((await fixture.listChanges()).filter(isDeletion)).toEqual(deletions);
    },
  );

  test('a datamodel that others have created under the name of a deleted one was never seen', async () => {
    using fixture = await UndoFixture.create('guide', { prunedKinds });
    replacedEdits['deletes a datamodel']?.(fixture.project);
    const applied = await fixture.apply();
    await fixture.instance.fixture.client.datamodels.create({ title: 'Marketing', type: 'extract' });
    await fixture.undo(applied);
    await fixture.record(applied);
    expect([...fixture.project.lock.entries.keys()].filter((key) => key.includes('Marketing'))).toEqual([]);
    expect((await fixture.pull()).conflicts).toEqual([]);
  });

  test('what cannot be read right after the undo is reported as not recorded', async () => {
    using fixture = await UndoFixture.create('guide');
    edits['changes rules']?.(fixture.project);
    const applied = await fixture.apply();
    await fixture.undo(applied);
    const { sandbox } = fixture.instance.fixture;
    sandbox.faults.set([{ kind: 'status', status: 403, methods: ['GET'], pathPrefix: '/api/elasticubes' }]);
    const { lockText } = fixture.project;
    const { unreadItems } = await fixture.record(applied);
    expect(unreadItems.map(formatItemKey)).toEqual(['rules/Retail/Regions/Region']);
    // No pull changes what the project no longer selects.
    fixture.settings = limitSettings(defaultProjectSettings, { datamodels: ['Marketing'] });
    expect((await fixture.record(applied)).unreadItems).toEqual([]);
    fixture.settings = defaultProjectSettings;
    expect(fixture.project.lockText).toBe(lockText);
    sandbox.faults.set([]);
    expect((await fixture.record(applied)).unreadItems).toEqual([]);
    expect(await fixture.listChanges()).toEqual([rulesChange]);
    expect(await fixture.pull()).toEqual(pulledNothing);
  });
});
