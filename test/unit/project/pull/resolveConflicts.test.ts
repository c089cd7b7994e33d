import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonEquals } from '../../../../src/base/canonicalJson.ts';
import type { ItemKey } from '../../../../src/project/item.ts';
import { mergeItem } from '../../../../src/project/pull/mergeItem.ts';
import { hashParts } from '../../../../src/project/pull/parts.ts';
import type { PullInput } from '../../../../src/project/pull/planPull.ts';
import { PulledProject, documents, nothing, paths, rule, summarize } from './pullSupport.ts';

const createProject = (): PulledProject => {
  const project = new PulledProject();
  project.pull(documents());
  return project;
};

const ours: Pick<PullInput, 'getWinner'> = { getWinner: () => 'ours' };
const theirs: Pick<PullInput, 'getWinner'> = { getWinner: () => 'theirs' };

describe('a conflict that both sides have changed', () => {
  const there = documents([
    ['First', 'Name'],
    ['People', 'Persons'],
    ['"Region","type":18', '"Region","type":4'],
  ]);
  const createConflict = (): PulledProject => {
    const project = createProject();
    project.edit(paths.fullName, 'First', 'Given');
    project.edit(paths.customers, '"People"', '"All people"');
    expect(summarize(project.pull(there)).conflicts).toHaveLength(2);
    return project;
  };

  test('is resolved for the files: they keep their side, get the rest, and are in no conflict again', () => {
    const project = createConflict();
    expect(summarize(project.pull(there, ours))).toEqual({ ...nothing, writes: [paths.customers] });
    expect(project.texts.get(paths.fullName)).toContain('Given');
    expect(project.texts.get(paths.customers)).toContain('"All people"');
    expect(project.texts.get(paths.customers)).toContain('"type": 4');
    expect(summarize(project.pull(there))).toEqual(nothing);
  });

  test('is resolved for the instance: its side replaces only what both have changed', () => {
    const project = createConflict();
    project.edit(paths.customers, '{', '// Checked by Ann\n{');
    project.edit(paths.customers, '"type": 8', '"type": 9');
    expect(summarize(project.pull(there, theirs))).toEqual({
      ...nothing,
      writes: [paths.fullName, paths.customers],
    });
    expect(project.texts.get(paths.fullName)).toBe('Name\n+ Last\n');
    const text = project.texts.get(paths.customers);
    expect(text).toContain('// Checked by Ann\n{');
    expect(text).toContain('"Persons"');
    expect(text).toContain('"type": 9');
    expect(summarize(project.pull(there))).toEqual(nothing);
  });

  test('is resolved only for the table that is asked for, with its SQL', () => {
    const project = createConflict();
    const getWinner = (table: string) => (key: ItemKey) =>
      key.kind === 'table' && key.table === table ? 'theirs' : undefined;
    expect(summarize(project.pull(there, { getWinner: getWinner('Top') })).conflicts).toHaveLength(2);
    expect(summarize(project.pull(there, { getWinner: getWinner('Customers') })).conflicts).toEqual([]);
  });
});

test('a conflict without a past is resolved for either side', () => {
  const there = documents([['People', 'Persons']]);
  for (const [side, text] of [
    [ours, '"People"'],
    [theirs, '"Persons"'],
  ] as const) {
    const project = createProject();
    project.lock = { ...project.lock, entries: new Map() };
    expect(summarize(project.pull(there, side)).conflicts).toEqual([]);
    expect(project.texts.get(paths.customers)).toContain(text);
    expect(summarize(project.pull(there))).toEqual(nothing);
  }
});

describe('what is deleted here and changed there', () => {
  const changed = documents([], [{ ...rule, members: ['South'] }]);

  test('stays deleted, or comes back', () => {
    const project = createProject();
    project.texts.delete(paths.region);
    const other = new PulledProject(project.texts, project.lock);
    expect(summarize(project.pull(changed, ours))).toEqual(nothing);
    expect(summarize(project.pull(changed))).toEqual(nothing);
    expect(project.texts.has(paths.region)).toBe(false);
    expect(summarize(other.pull(changed, theirs))).toEqual({ ...nothing, writes: [paths.region] });
    expect(summarize(other.pull(changed))).toEqual(nothing);
  });

  test('as a datamodel stays deleted or comes back as a whole', () => {
    const project = createProject();
    const { size } = project.texts;
    project.texts.clear();
    const other = new PulledProject(project.texts, project.lock);
    expect(summarize(project.pull(changed, ours))).toEqual(nothing);
    expect(summarize(project.pull(changed))).toEqual(nothing);
    other.pull(changed, theirs);
    expect(other.texts.size).toBe(size);
    expect(other.problems).toEqual([]);
    expect(summarize(other.pull(changed))).toEqual(nothing);
  });

  test('as a datamodel stays deleted, even if only unchanged parts of it are left there', () => {
    const project = createProject();
    project.texts.clear();
    expect(summarize(project.pull(documents(), theirs))).toEqual(nothing);
    expect(project.texts.size).toBe(0);
  });
});

describe('what is changed here and pruned', () => {
  const prunedKinds = new Set(['rules', 'datamodel'] as const);

  test('stays as an item of the project, or is deleted', () => {
    const project = createProject();
    project.edit(paths.region, 'North', 'South');
    const gone = documents([], []);
    const other = new PulledProject(project.texts, project.lock);
    expect(summarize(project.pull(gone, { prunedKinds, ...ours }))).toEqual(nothing);
    expect(summarize(project.pull(gone, { prunedKinds }))).toEqual(nothing);
    expect(project.texts.get(paths.region)).toContain('South');
    expect(summarize(other.pull(gone, { prunedKinds, ...theirs }))).toEqual({
      ...nothing,
      deletions: [paths.region],
    });
  });

  test('as a datamodel stays or is deleted as a whole', () => {
    const project = createProject();
    project.edit(paths.topSql, '1', '2');
    const other = new PulledProject(project.texts, project.lock);
    expect(summarize(project.pull({}, { prunedKinds, ...ours }))).toEqual(nothing);
    expect(summarize(project.pull({}, { prunedKinds }))).toEqual(nothing);
    expect(project.lock.entries.size).toBe(0);
    other.pull({}, { prunedKinds, ...theirs });
    expect(other.texts.size).toBe(0);
  });
});

describe('SQL that was added here to a column that the instance no longer has', () => {
  const column = '{"oid":"30000000-0000-0000-0000-000000000002","name":"Region","type":18},';
  const sqlPath = 'datamodels/Retail/tables/Customers/Region.datamodel.sql';
  const createLost = (): PulledProject => {
    const project = createProject();
    project.edit(
      paths.customers,
      '"type": 18',
      '"type": 18, "expression": {"$file": "Customers/Region.datamodel.sql"}',
    );
    project.texts.set(sqlPath, '1');
    return project;
  };

  test('is deleted with it, or stays a conflict, because the column has to come back first', () => {
    const project = createLost();
    expect(summarize(project.pull(documents([[column, '']]), ours)).conflicts).toHaveLength(1);
    expect(summarize(project.pull(documents([[column, '']]), theirs))).toEqual({
      ...nothing,
      writes: [paths.customers],
      deletions: [sqlPath],
    });
    expect(project.problems).toEqual([]);
  });
});

describe('a column that was renamed on the instance', () => {
  const renamed = documents([['"Full Name"', '"Whole Name"']]);

  test('keeps the file of its SQL, and what was changed in it', () => {
    const project = createProject();
    project.edit(paths.fullName, 'First', 'Given');
    expect(summarize(project.pull(renamed))).toEqual({ ...nothing, writes: [paths.customers] });
    expect(project.texts.get(paths.fullName)).toBe('Given\n+ Last\n');
    expect(project.texts.get(paths.customers)).toContain('"name": "Whole Name"');
    expect(project.texts.get(paths.customers)).toContain('"$file": "Customers/Full Name.datamodel.sql"');
    expect(project.problems).toEqual([]);
    expect(summarize(project.pull(renamed))).toEqual(nothing);
  });

  test('in a renamed table does, too', () => {
    const project = createProject();
    project.edit(paths.fullName, 'First', 'Given');
    const plan = project.pull(
      documents([
        ['"Full Name"', '"Whole Name"'],
        ['"name":"Customers"', '"name":"Clients"'],
      ]),
    );
    expect(summarize(plan).conflicts).toEqual([]);
    expect(summarize(plan).deletions).toEqual([]);
    expect(project.texts.get(paths.fullName)).toBe('Given\n+ Last\n');
    expect(project.problems).toEqual([]);
  });

  test('is not taken for one if the instance has a new column of the old name', () => {
    const project = createProject();
    const plan = project.pull(
      documents([
        ['"name":"Full Name"', '"name":"Whole Name"'],
        ['"name":"Id","type":8},', '"name":"Id","type":8},{"oid":"9","name":"Full Name","type":18},'],
      ]),
    );
    expect(summarize(plan).writes).toEqual([
      'datamodels/Retail/tables/Customers/Whole Name.datamodel.sql',
      paths.customers,
    ]);
    expect(summarize(plan).deletions).toEqual([paths.fullName]);
    expect(project.problems).toEqual([]);
  });
});

test('a winner leaves no conflict, and changes nothing where there is none', () => {
  const value = fc.record(
    {
      a: fc.nat(2),
      b: fc.record({ c: fc.nat(2), d: fc.nat(2) }, { requiredKeys: [] }),
      e: fc.array(fc.nat(1)),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(value, value, value, fc.constantFrom('ours', 'theirs'), (mine, base, other, winner) => {
      const sides = { mine, theirs: other, lastSeen: hashParts(base) };
      const merged = mergeItem({ ...sides, winner });
      const undecided = mergeItem(sides);
      expect('merged' in merged).toBe(true);
      if ('merged' in undecided) {
        expect(merged).toEqual(undecided);
      }
      const unknown = mergeItem({ ...sides, lastSeen: undefined, winner });
      expect('merged' in unknown && jsonEquals(unknown.merged, winner === 'ours' ? mine : other)).toBe(true);
    }),
  );
});
