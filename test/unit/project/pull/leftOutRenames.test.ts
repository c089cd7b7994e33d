import { describe, expect, test } from 'vitest';
import { getPullExitCode } from '../../../../src/cli/pullResult.ts';
import { english } from '../../../../src/base/localize.ts';
import { convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { describeLeftOutItem } from '../../../../src/project/messages/pullTexts.ts';
import type { PullPlan } from '../../../../src/project/pull/planPull.ts';
import {
  PulledProject,
  createRetailDocuments,
  listLeftOut,
  nothing,
  paths,
  rule,
  summarize,
} from './pullSupport.ts';

const theirs = () => 'theirs' as const;
const ours = () => 'ours' as const;
const topRelation = 'datamodels/Retail/relations/Customers.Id - Top.Id.relation.json';
const conflict = 'renamed-here table/Retail/Customers ';

/** A project in which a table that was pulled has another name. */
function createWithRenamedTable(): PulledProject {
  const project = new PulledProject();
  project.pull(createRetailDocuments());
  project.edit(paths.customers, '"name": "Customers"', '"name": "Clients", "renamedFrom": "Customers"');
  project.edit(paths.region, '"Customers"', '"Clients"');
  project.edit(topRelation, '"Customers"', '"Clients"');
  return project;
}

/** Returns the same project without the declaration of the former name. */
function removeFormerName({ texts, lock }: PulledProject, former: string): PulledProject {
  const project = new PulledProject(texts, lock);
  project.edit(paths.customers, `, "renamedFrom": "${former}"`, '');
  return project;
}

const listWrites = ({ writes }: PullPlan): readonly string[] => writes.map(({ path }) => path).toSorted();

const findTexts = ({ texts }: PulledProject, ...parts: readonly string[]): readonly string[] =>
  [...texts].flatMap(([path, text]) => (parts.every((part) => text.includes(part)) ? [path] : []));

const getExitCode = (plan: PullPlan) =>
  getPullExitCode({
    plan,
    failedParts: [],
    pulled: convertInstance({
      datamodels: [],
      cubeSets: [],
      viewpoints: [],
      customData: [],
      users: [],
      groups: [],
      numberedReferences: [],
    }),
    project: { problems: [] },
  });

describe('a table that the project has renamed, with a new column and rules on it', () => {
  const pulled = createRetailDocuments(
    [
      [
        '"name":"Region"',
        '"name":"Region"},{"oid":"30000000-0000-0000-0000-000000000009","name":"Secret","type":18',
      ],
    ],
    [rule, { ...rule, column: 'Secret' }],
  );

  test('stays in conflict if the instance is to win: its rules would get the new name', () => {
    const project = createWithRenamedTable();
    const before = new Map(project.texts);
    const plan = project.pull(pulled, { getWinner: theirs });
    expect(summarize(plan).conflicts).toEqual([conflict]);
    expect(listLeftOut(plan)).toEqual([
      'pending-rename table/Retail/Customers',
      'dependent relation/Retail/Customers/Id/Top/Id',
      'dependent rules/Retail/Clients/Secret',
      'dependent rules/Retail/Customers/Region',
    ]);
    expect(project.texts).toEqual(before);
    expect(summarize(project.pull(pulled)).conflicts).toEqual([conflict]);
  });

  test('keeps back what refers to the new column until its conflict is resolved, but nothing else', () => {
    const project = createWithRenamedTable();
    const before = new Map(project.texts);
    const plan = project.pull(pulled);
    expect(summarize(plan).conflicts).toEqual([conflict]);
    expect(listLeftOut(plan)).toEqual(['dependent rules/Retail/Clients/Secret']);
    expect(project.texts).toEqual(before);
    const { datamodels = [] } = pulled;
    const withOther = datamodels.map(({ document, rules }) => ({
      document,
      rules: [...rules, { ...rule, column: 'Id' }],
    }));
    expect(listWrites(project.pull({ datamodels: withOther }))).toEqual([
      'datamodels/Retail/rules/Clients.Id.rules.json',
    ]);
  });

  test('is no longer in conflict if the project wins', () => {
    const project = createWithRenamedTable();
    project.pull(pulled, { getWinner: theirs });
    const plan = project.pull(pulled, { getWinner: ours });
    expect([plan.conflicts, plan.leftOutItems]).toEqual([[], []]);
    expect(findTexts(project, '"name": "Customers"')).toEqual([]);
    expect(summarize(project.pull(pulled))).toEqual(nothing);
  });

  test('comes with its rules once the project no longer renames it', () => {
    const project = createWithRenamedTable();
    project.pull(pulled, { getWinner: theirs });
    const other = removeFormerName(project, 'Customers');
    expect(listLeftOut(other.pull(pulled, { getWinner: theirs }))).toEqual([]);
    expect(findTexts(other, '"name": "Customers"', '"Secret"')).toHaveLength(1);
    expect(findTexts(other, '"table": "Customers"', '"column": "Secret"')).toHaveLength(1);
    expect(other.problems).toEqual([]);
  });

  test('comes with rules that were pulled under the new name before', () => {
    const project = createWithRenamedTable();
    project.pull(createRetailDocuments([], [rule, { ...rule, column: 'Secret' }]));
    expect(findTexts(project, '"table": "Clients"', '"column": "Secret"')).toHaveLength(1);
    expect(listLeftOut(project.pull(pulled, { getWinner: theirs }))).toEqual([]);
    expect(findTexts(project, '"table": "Customers"', '"column": "Secret"')).toHaveLength(1);
  });

  test('stays in conflict even if the instance also has rules on the new name', () => {
    const project = createWithRenamedTable();
    const secret = { ...rule, column: 'Secret' };
    const plan = project.pull(
      createRetailDocuments(
        [['"name":"Region"', '"name":"Region"},{"oid":"9","name":"Secret","type":18']],
        [rule, secret, { ...secret, table: 'Clients' }],
      ),
      { getWinner: theirs },
    );
    expect(summarize(plan).conflicts).toEqual([conflict]);
    expect(listLeftOut(plan)).toContain('pending-rename table/Retail/Customers');
    expect(findTexts(project, '"name": "Customers"')).toEqual([]);
  });
});

describe('a column that the project has renamed, and that has new rules', () => {
  const pulled = createRetailDocuments([['"name":"Region"', '"name":"Region","hidden":true']], [rule]);
  const pointers = 'both-changed table/Retail/Customers /columns/Region';

  function createWithRenamedColumn(): PulledProject {
    const project = new PulledProject();
    project.pull(createRetailDocuments([], []));
    project.edit(paths.customers, '"name": "Region"', '"name": "Zone", "renamedFrom": "Region"');
    return project;
  }

  test('stays in conflict if the instance is to win, but not if the project is', () => {
    const project = createWithRenamedColumn();
    const before = new Map(project.texts);
    const plan = project.pull(pulled, { getWinner: theirs });
    expect(summarize(plan).conflicts).toEqual([pointers]);
    expect(listLeftOut(plan)).toEqual([
      'pending-rename table/Retail/Customers',
      'dependent rules/Retail/Customers/Zone',
    ]);
    expect(project.texts).toEqual(before);
    expect(listWrites(project.pull(pulled, { getWinner: ours }))).toEqual([
      'datamodels/Retail/rules/Customers.Zone.rules.json',
    ]);
    expect(summarize(project.pull(pulled))).toEqual(nothing);
  });

  test('stays in conflict even if the table has another change', () => {
    const project = createWithRenamedColumn();
    const changed = createRetailDocuments(
      [
        ['"name":"Region"', '"name":"Region","hidden":true'],
        ['"description":"People"', '"description":"Theirs"'],
      ],
      [rule],
    );
    expect(summarize(project.pull(changed, { getWinner: theirs })).conflicts).toEqual([pointers]);
    expect(project.texts.get(paths.customers)).not.toContain('Theirs');
    project.pull(changed, { getWinner: ours });
    expect(project.texts.get(paths.customers)).toContain('Theirs');
    expect(project.texts.get(paths.customers)).not.toContain('"name": "Region"');
  });

  test('comes with its rules once the project no longer renames it', () => {
    const project = removeFormerName(createWithRenamedColumn(), 'Region');
    expect(listWrites(project.pull(pulled, { getWinner: theirs }))).toEqual([paths.region, paths.customers]);
  });

  test('is pulled only with its rules if no pull has seen it, although there is no conflict', () => {
    const project = new PulledProject();
    project.pull(createRetailDocuments([], []));
    project.edit(
      paths.customers,
      '"columns": [',
      '"columns": [{ "name": "Hidden", "renamedFrom": "Secret", "type": 18 },',
    );
    const before = new Map(project.texts);
    const plan = project.pull(
      createRetailDocuments(
        [['"name":"Region"', '"name":"Region"},{"oid":"9","name":"Secret","type":18']],
        [{ ...rule, column: 'Secret' }],
      ),
    );
    expect(plan.conflicts).toEqual([]);
    expect(listLeftOut(plan)).toContain('pending-rename table/Retail/Customers');
    expect(getExitCode(plan)).toBe(2);
    expect(project.texts).toEqual(before);
  });
});

test('a table that the project has renamed stays in conflict if a new relation on it would be written with the new name', () => {
  const project = createWithRenamedTable();
  const before = new Map(project.texts);
  const pulled = createRetailDocuments([
    ['"description":"People"', '"description":"Theirs"'],
    [
      '{"oid":"40000000-0000-0000-0000-000000000000"',
      '{"oid":"60","name":"New","columns":[{"oid":"61","name":"Id","type":8}]},{"oid":"40000000-0000-0000-0000-000000000000"',
    ],
    [
      '"relations":[',
      '"relations":[{"oid":"70","columns":[{"column":"61"},{"column":"30000000-0000-0000-0000-000000000001"}]},',
    ],
  ]);
  const plan = project.pull(pulled, { getWinner: theirs });
  expect(summarize(plan).conflicts).toEqual([conflict]);
  expect(listLeftOut(plan)).toContain('pending-rename table/Retail/Customers');
  expect(project.texts).toEqual(before);
  const other = removeFormerName(project, 'Customers');
  other.pull(pulled, { getWinner: theirs });
  expect(findTexts(other, '"table": "Customers"', '"table": "New"')).toHaveLength(1);
  expect(listWrites(project.pull(pulled, { getWinner: ours }))).toEqual([
    'datamodels/Retail/relations/Clients.Id - New.Id.relation.json',
    'datamodels/Retail/tables/New.table.json',
  ]);
});

test('the message says what to do', () => {
  const text = describeLeftOutItem(
    english,
    {
      key: { kind: 'table', datamodel: 'Retail', table: 'Customers' },
      reason: 'pending-rename',
      columns: [],
    },
    'Customers',
  );
  expect(text).toMatch(
    /^Customers: not pulled, .* keep your version\. .* remove "renamedFrom" .* pull again\.$/,
  );
});
