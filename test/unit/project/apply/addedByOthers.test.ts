import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonObject, type JsonValue, stringify } from '../../../../src/base/json.ts';
import { omitMembers } from '../../../../src/changes/model/jsonMembers.ts';
import { createAppliedLock } from '../../../../src/project/apply/appliedLock.ts';
import { toWrittenItems } from '../../../../src/project/apply/finishApply.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { compare, nothing, summarize } from '../plan/planSupport.ts';
import { PulledProject } from '../pull/pullSupport.ts';

const path = 'datamodels/M/tables/T.table.json';
const tableKey = 'table/M/T';

/** The members of something on the instance and in the file of a project. */
interface MemberChanges {
  /** What a pull has seen. */
  readonly pulled: JsonObject;
  /** What the file has changed or added since. */
  readonly changed: JsonObject;
  /** What the file no longer has. */
  readonly removedNames: readonly string[];
  /** What others have added on the instance since. */
  readonly added: JsonObject;
}

const nothingChanged: MemberChanges = { pulled: {}, changed: {}, removedNames: [], added: {} };

const values: JsonObject = { hidden: true, description: 'Text', note: 7, tags: ['a'] };

/** @param mayMix whether others may add something where the file has removed something */
const createMemberChanges = (mayMix: boolean): fc.Arbitrary<MemberChanges> =>
  fc
    .record({
      fates: fc.tuple(
        ...Object.keys(values).map(() =>
          fc.constantFrom('absent', 'pulled', 'changed', 'new', 'removed', 'added'),
        ),
      ),
      isRemovalKept: fc.boolean(),
    })
    .map(({ fates, isRemovalKept }) => {
      const pick = (...names: readonly string[]): JsonObject =>
        Object.fromEntries(Object.entries(values).filter((_, index) => names.includes(fates[index] ?? '')));
      const removed = mayMix || isRemovalKept ? Object.keys(pick('removed')) : [];
      return {
        pulled: pick('pulled', 'changed', 'removed'),
        changed: Object.fromEntries(
          Object.keys(pick('changed', 'new')).map((name) => [name, `Mine: ${name}`]),
        ),
        removedNames: removed,
        added: removed.length > 0 && !mayMix ? {} : pick('added'),
      };
    });

interface Scenario {
  readonly table: MemberChanges;
  readonly columns: readonly MemberChanges[];
  /** The columns that the project, or others, have added. */
  readonly newColumns: readonly ('project' | 'others')[];
}

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  table: createMemberChanges(true),
  columns: fc.array(createMemberChanges(false), { minLength: 1, maxLength: 3 }),
  newColumns: fc.uniqueArray(fc.constantFrom('project', 'others')),
});

const createColumn = (name: string, members: JsonObject): JsonObject => ({
  name,
  id: name,
  type: 8,
  ...members,
});

/** The instance when it was pulled, when the plan was made, and after the apply. */
type Moment = 'pulled' | 'planned' | 'applied';

function createDocuments({ table, columns, newColumns }: Scenario, moment: Moment) {
  const getMembers = ({ pulled, changed, added }: MemberChanges): JsonObject => ({
    ...pulled,
    ...(moment === 'pulled' ? {} : added),
    ...(moment === 'applied' ? changed : {}),
  });
  const all = [
    ...columns.map((column, index) => createColumn(`c${index}`, getMembers(column))),
    ...(moment !== 'pulled' && newColumns.includes('others') ? [createColumn('Theirs', {})] : []),
    // The instance sets a member of the new column by itself.
    ...(moment === 'applied' && newColumns.includes('project')
      ? [createColumn('Mine', { uncommon: 5 })]
      : []),
  ];
  const oidColumns = all.map((column) => ({ oid: `oid of ${stringify(column['name'] ?? '')}`, ...column }));
  return {
    datamodels: [
      {
        document: {
          oid: 'm',
          title: 'M',
          type: 'extract',
          datasets: [
            {
              oid: 'd',
              name: 'D',
              schema: {
                tables: [{ oid: 't', name: 'T', id: 'T', ...getMembers(table), columns: oidColumns }],
              },
            },
          ],
        },
        rules: [],
      },
    ],
  };
}

/** Returns the table as its file should have it. */
function createFile(
  { table, columns, newColumns }: Scenario,
  isPulled: boolean,
  current: JsonObject,
): JsonObject {
  const getMembers = ({ pulled, changed, removedNames, added }: MemberChanges): JsonObject => ({
    ...omitMembers(pulled, ...removedNames),
    ...changed,
    ...(isPulled ? added : {}),
  });
  return {
    ...omitMembers(current, ...Object.keys(values)),
    ...getMembers(table),
    columns: [
      ...columns.map((column, index) => createColumn(`c${index}`, getMembers(column))),
      ...(isPulled && newColumns.includes('others') ? [createColumn('Theirs', {})] : []),
      ...(newColumns.includes('project') ? [createColumn('Mine', isPulled ? { uncommon: 5 } : {})] : []),
    ],
  };
}

const readFile = ({ texts }: PulledProject): JsonObject =>
  JSON.parse(expectDefined(texts.get(path), path)) as JsonObject;

/** Sorts members and columns, whose order has no meaning. */
const sort = (table: JsonObject): JsonValue => ({
  ...table,
  columns: (table['columns'] as readonly JsonObject[]).toSorted((a, b) =>
    stringify(a['name'] ?? '').localeCompare(stringify(b['name'] ?? '')),
  ),
});

/** Returns a project that was applied while others have added something. */
function createApplied(scenario: Scenario): PulledProject {
  const project = new PulledProject();
  project.pull(createDocuments(scenario, 'pulled'));
  project.texts.set(path, stringify(createFile(scenario, false, readFile(project))));
  const plan = compare(project, createDocuments(scenario, 'planned'));
  const instance = createDocuments(scenario, 'applied');
  project.lock = createAppliedLock(project.lock, {
    project: parseProject({ texts: project.texts, faults: [] }),
    pulled: convertInstance({
      cubeSets: [],
      viewpoints: [],
      customData: [],
      users: [],
      groups: [],
      numberedReferences: [],
      ...instance,
    }),
    comparison: compare(project, instance),
    ...toWrittenItems({ prepared: { comparison: plan } }),
  });
  return project;
}

const getCommon = (names: readonly string[], others: readonly string[]): readonly string[] =>
  names.filter((name) => others.includes(name));

function expectReportedAndPulled(scenario: Scenario): void {
  const project = createApplied(scenario);
  const instance = createDocuments(scenario, 'applied');
  /** What the file has removed is named, if a request could change it. */
  const removed = [
    ...getCommon(scenario.table.removedNames, ['hidden', 'description', 'tags']).map((name) => `/${name}`),
    ...scenario.columns.flatMap(({ removedNames }, index) =>
      getCommon(removedNames, ['hidden', 'description']).map((name) => `/columns/c${index}/${name}`),
    ),
  ].map((pointer) => `instance-only ${tableKey} ${pointer}`);
  const after = summarize(compare(project, instance));
  expect(after.changes).toEqual([]);
  expect(after.notes.toSorted()).toEqual(
    [
      ...Object.keys(scenario.table.added).map((name) => `added ${tableKey} /${name}`),
      ...scenario.columns.flatMap(({ added }, index) =>
        Object.keys(added).map((name) => `added ${tableKey} /columns/c${index}/${name}`),
      ),
      ...removed,
    ].toSorted(),
  );
  expect(after.extras).toEqual(scenario.newColumns.includes('others') ? [`${tableKey} Theirs`] : []);
  const before = readFile(project);
  expect(project.pull(instance).conflicts).toEqual([]);
  expect(sort(readFile(project))).toEqual(sort(createFile(scenario, true, before)));
  const pulled = summarize(compare(project, instance));
  expect({ ...pulled, notes: pulled.notes.toSorted() }).toEqual({ ...nothing, notes: removed.toSorted() });
  expect(project.pull(instance).writes).toEqual([]);
}

describe('what others have added while a project was applied', () => {
  test('is reported until a pull brings it, without a conflict', () => {
    expectReportedAndPulled({
      table: nothingChanged,
      columns: [
        { ...nothingChanged, changed: { hidden: 'Mine: hidden' }, added: { description: 'Text' } },
        { ...nothingChanged, added: { note: 7 } },
      ],
      newColumns: [],
    });
  });

  test('property: is reported and pulled exactly', () => {
    fc.assert(fc.property(scenarios, expectReportedAndPulled), { numRuns: getPropertyRuns(300) });
  });
});
