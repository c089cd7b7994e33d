import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonEquals } from '../../../../src/base/canonicalJson.ts';
import type { ItemKey } from '../../../../src/project/item.ts';
import { mergeItem } from '../../../../src/project/pull/mergeItem.ts';
import { hashParts } from '../../../../src/project/compare/parts.ts';
import type { PullInput } from '../../../../src/project/pull/planPull.ts';
import { PulledProject, createRetailDocuments, nothing, paths, rule, summarize } from './pullSupport.ts';

const createProject = (): PulledProject => {
  const project = new PulledProject();
  project.pull(createRetailDocuments());
  return project;
};

const ours: Pick<PullInput, 'getWinner'> = { getWinner: () => 'ours' };
const theirs: Pick<PullInput, 'getWinner'> = { getWinner: () => 'theirs' };

describe('what the instance no longer has', () => {
  const withoutRules = createRetailDocuments([], []);

  test('counts as seen if the files win, and is a new item of the project from then on', () => {
    const project = createProject();
    const { lockText } = project;
    expect(summarize(project.pull(withoutRules, theirs))).toEqual({
      ...nothing,
      deletedOnInstance: ['rules/Retail/Customers/Region'],
    });
    expect(project.lockText).toBe(lockText);
    expect(summarize(project.pull(withoutRules, ours))).toEqual({
      ...nothing,
      deletedOnInstance: ['rules/Retail/Customers/Region'],
    });
    expect(project.lockText).not.toContain('rules/');
    expect(project.texts.has(paths.region)).toBe(true);
    expect(summarize(project.pull(withoutRules))).toEqual(nothing);
  });

  test('counts as seen as a whole if it is a datamodel', () => {
    const project = createProject();
    expect(summarize(project.pull({}, ours))).toEqual({
      ...nothing,
      deletedOnInstance: ['datamodel/Retail'],
    });
    expect(project.lockText).not.toContain('Retail');
    expect(project.texts.size).toBe(createProject().texts.size);
  });
});

describe('a conflict of two changes', () => {
  const changedInstance = createRetailDocuments([
    ['First', 'Name'],
    ['People', 'Persons'],
    ['"Region","type":18', '"Region","type":4'],
  ]);
  const createConflict = (): PulledProject => {
    const project = createProject();
    project.edit(paths.fullName, 'First', 'Given');
    project.edit(paths.customers, '"People"', '"All people"');
    expect(summarize(project.pull(changedInstance)).conflicts).toHaveLength(2);
    return project;
  };

  test('is resolved for the files, which keep their version, get the other changes, and do not conflict again', () => {
    const project = createConflict();
    expect(summarize(project.pull(changedInstance, ours))).toEqual({ ...nothing, writes: [paths.customers] });
    expect(project.texts.get(paths.fullName)).toContain('Given');
    expect(project.texts.get(paths.customers)).toContain('"All people"');
    expect(project.texts.get(paths.customers)).toContain('"type": 4');
    expect(summarize(project.pull(changedInstance))).toEqual(nothing);
  });

  test('is resolved for the instance, whose version replaces only what both sides have changed', () => {
    const project = createConflict();
    project.edit(paths.customers, '{', '// Checked by Ann\n{');
    project.edit(paths.customers, '"type": 8', '"type": 9');
    expect(summarize(project.pull(changedInstance, theirs))).toEqual({
      ...nothing,
      writes: [paths.fullName, paths.customers],
    });
    expect(project.texts.get(paths.fullName)).toBe('Name\n+ Last\n');
    const text = project.texts.get(paths.customers);
    expect(text).toContain('// Checked by Ann\n{');
    expect(text).toContain('"Persons"');
    expect(text).toContain('"type": 9');
    expect(summarize(project.pull(changedInstance))).toEqual(nothing);
  });

  test('is resolved only for the selected table, with its SQL', () => {
    const project = createConflict();
    const getWinner = (table: string) => (key: ItemKey) =>
      key.kind === 'table' && key.table === table ? 'theirs' : undefined;
    expect(summarize(project.pull(changedInstance, { getWinner: getWinner('Top') })).conflicts).toHaveLength(
      2,
    );
    expect(summarize(project.pull(changedInstance, { getWinner: getWinner('Customers') })).conflicts).toEqual(
      [],
    );
  });
});

test('a conflict without a lock is resolved for either side', () => {
  const changedInstance = createRetailDocuments([['People', 'Persons']]);
  for (const [side, text] of [
    [ours, '"People"'],
    [theirs, '"Persons"'],
  ] as const) {
    const project = createProject();
    project.lock = { ...project.lock, entries: new Map() };
    expect(summarize(project.pull(changedInstance, side)).conflicts).toEqual([]);
    expect(project.texts.get(paths.customers)).toContain(text);
    expect(summarize(project.pull(changedInstance))).toEqual(nothing);
  }
});

describe('an item that is deleted locally and changed on the instance', () => {
  const changed = createRetailDocuments([], [{ ...rule, members: ['South'] }]);

  test('stays deleted or is written again, depending on the preferred side', () => {
    const project = createProject();
    project.texts.delete(paths.region);
    const copy = project.copy();
    expect(summarize(project.pull(changed, ours))).toEqual(nothing);
    expect(summarize(project.pull(changed))).toEqual(nothing);
    expect(project.texts.has(paths.region)).toBe(false);
    expect(summarize(copy.pull(changed, theirs))).toEqual({ ...nothing, writes: [paths.region] });
    expect(summarize(copy.pull(changed))).toEqual(nothing);
  });

  test('stays deleted or is written again as a whole if it is a datamodel', () => {
    const project = createProject();
    const { size } = project.texts;
    project.texts.clear();
    const copy = project.copy();
    expect(summarize(project.pull(changed, ours))).toEqual(nothing);
    expect(summarize(project.pull(changed))).toEqual(nothing);
    copy.pull(changed, theirs);
    expect(copy.texts.size).toBe(size);
    expect(copy.problems).toEqual([]);
    expect(summarize(copy.pull(changed))).toEqual(nothing);
  });

  test('stays deleted if it is a datamodel of which the instance has only unchanged parts', () => {
    const project = createProject();
    project.texts.clear();
    expect(summarize(project.pull(createRetailDocuments(), theirs))).toEqual(nothing);
    expect(project.texts.size).toBe(0);
  });
});

describe('an item that is changed locally and pruned', () => {
  const prunedKinds = new Set(['rules', 'datamodel'] as const);

  test('is kept in the project or deleted, depending on the preferred side', () => {
    const project = createProject();
    project.edit(paths.region, 'North', 'South');
    const documentsWithoutRules = createRetailDocuments([], []);
    const copy = project.copy();
    expect(summarize(project.pull(documentsWithoutRules, { prunedKinds, ...ours }))).toEqual(nothing);
    expect(summarize(project.pull(documentsWithoutRules, { prunedKinds }))).toEqual(nothing);
    expect(project.texts.get(paths.region)).toContain('South');
    expect(summarize(copy.pull(documentsWithoutRules, { prunedKinds, ...theirs }))).toEqual({
      ...nothing,
      deletions: [paths.region],
    });
  });

  test('is kept or deleted as a whole if it is a datamodel', () => {
    const project = createProject();
    project.edit(paths.topSql, '1', '2');
    const copy = project.copy();
    expect(summarize(project.pull({}, { prunedKinds, ...ours }))).toEqual(nothing);
    expect(summarize(project.pull({}, { prunedKinds }))).toEqual(nothing);
    expect(project.lock.entries.size).toBe(0);
    copy.pull({}, { prunedKinds, ...theirs });
    expect(copy.texts.size).toBe(0);
  });
});

describe('SQL that was added locally to a column that the instance no longer has', () => {
  const column = '{"oid":"30000000-0000-0000-0000-000000000002","name":"Region","type":18},';
  const sqlPath = 'datamodels/Retail/tables/Customers/Region.datamodel.sql';
  const createProjectWithLostColumn = (): PulledProject => {
    const project = createProject();
    project.edit(
      paths.customers,
      '"type": 18',
      '"type": 18, "expression": {"$file": "Customers/Region.datamodel.sql"}',
    );
    project.texts.set(sqlPath, '1');
    return project;
  };

  test('is deleted with the column if the instance wins, and otherwise stays a conflict', () => {
    const project = createProjectWithLostColumn();
    expect(summarize(project.pull(createRetailDocuments([[column, '']]), ours)).conflicts).toHaveLength(1);
    expect(summarize(project.pull(createRetailDocuments([[column, '']]), theirs))).toEqual({
      ...nothing,
      writes: [paths.customers],
      deletions: [sqlPath],
    });
    expect(project.problems).toEqual([]);
  });
});

describe('a column that was renamed on the instance', () => {
  const renamedInstance = createRetailDocuments([['"Full Name"', '"Whole Name"']]);

  test('keeps the file of its SQL, with local changes', () => {
    const project = createProject();
    project.edit(paths.fullName, 'First', 'Given');
    expect(summarize(project.pull(renamedInstance))).toEqual({ ...nothing, writes: [paths.customers] });
    expect(project.texts.get(paths.fullName)).toBe('Given\n+ Last\n');
    expect(project.texts.get(paths.customers)).toContain('"name": "Whole Name"');
    expect(project.texts.get(paths.customers)).toContain('"$file": "Customers/Full Name.datamodel.sql"');
    expect(project.problems).toEqual([]);
    expect(summarize(project.pull(renamedInstance))).toEqual(nothing);
  });

  test('keeps the file of its SQL in a renamed table', () => {
    const project = createProject();
    project.edit(paths.fullName, 'First', 'Given');
    const plan = project.pull(
      createRetailDocuments([
        ['"Full Name"', '"Whole Name"'],
        ['"name":"Customers"', '"name":"Clients"'],
      ]),
    );
    expect(summarize(plan).conflicts).toEqual([]);
    expect(summarize(plan).deletions).toEqual([]);
    expect(project.texts.get(paths.fullName)).toBe('Given\n+ Last\n');
    expect(project.problems).toEqual([]);
  });

  test('does not count as renamed if the instance has a new column with the old name', () => {
    const project = createProject();
    const plan = project.pull(
      createRetailDocuments([
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

test('a preferred side resolves all conflicts, and changes nothing else', () => {
  const value = fc.record(
    {
      a: fc.nat(2),
      b: fc.record({ c: fc.nat(2), d: fc.nat(2) }, { requiredKeys: [] }),
      e: fc.array(fc.nat(1)),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(value, value, value, fc.constantFrom('ours', 'theirs'), (ours, base, other, winner) => {
      const sides = { key: { kind: 'table' }, ours, theirs: other, base: hashParts(base) } as const;
      const merged = mergeItem({ ...sides, winner });
      const undecided = mergeItem(sides);
      expect('merged' in merged).toBe(true);
      if ('merged' in undecided) {
        expect(merged).toEqual(undecided);
      }
      const mergedWithoutLock = mergeItem({ ...sides, base: undefined, winner });
      expect(
        'merged' in mergedWithoutLock &&
          jsonEquals(mergedWithoutLock.merged, winner === 'ours' ? ours : other),
      ).toBe(true);
    }),
  );
});
