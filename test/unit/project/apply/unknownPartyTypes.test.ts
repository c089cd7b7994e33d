import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import { convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { describeNote } from '../../../../src/project/messages/pullTexts.ts';
import { compare, nothing, summarize, withPrunedKinds } from '../plan/planSupport.ts';
import { nothing as nothingPulled, summarize as summarizePull } from '../pull/pullSupport.ts';
import {
  compile,
  createColumn,
  createInstanceDocuments,
  createRule,
  createTable,
  pullFrom,
  summarizeProblems,
  summarizeWrites,
} from './compileSupport.ts';

const rulesOnK = 'datamodels/M/rules/A.K.rules.json';
const tablePath = 'datamodels/M/tables/A.table.json';
const key = 'rules/M/A/K';
const note = `unknown-party-type ${key} `;
const knownRule = createRule('A.K');
const roleRule = createRule('A.K', { _id: 'role', shares: [{ type: 'role', party: 'r1' }] });
const otherRule = createRule('A.L');
const createDocuments = (rules = [knownRule, roleRule, otherRule], names = ['K', 'L']) =>
  createInstanceDocuments(
    [
      createTable(
        'A',
        names.map((name, index) => createColumn('A', name, { oid: `column ${index}` })),
      ),
    ],
    { rules },
  );

describe('a rule for a type of party that is not known', () => {
  test('has no file, nor have the other rules of its column, and the pull says so', () => {
    const project = pullFrom(createDocuments([]));
    project.pull(createDocuments());
    expect([...project.texts.keys()].filter((path) => path.includes('/rules/'))).toEqual([
      'datamodels/M/rules/A.L.rules.json',
    ]);
    const documents = {
      cubeSets: [],
      viewpoints: [],
      customData: [],
      users: [],
      groups: [],
      numberedReferences: [],
    };
    const { notes } = convertInstance({ datamodels: [], ...documents, ...createDocuments() });
    expect(notes.map((entry) => describeNote(english, entry))).toEqual([
      'M: columns with a rule for something other than users, groups, or everyone else have no rules file, and their rules are never changed: A.K.',
    ]);
    expect(summarize(compare(project, createDocuments()))).toEqual({ ...nothing, notes: [note] });
  });

  test('prevents the deletion of its datamodel', () => {
    const project = pullFrom(createDocuments([otherRule]));
    project.texts.clear();
    const pruneOptions = withPrunedKinds('datamodel', 'table', 'rules');
    expect(summarize(compare(project, createDocuments(), pruneOptions))).toEqual({
      ...nothing,
      extras: ['datamodel/M'],
      notes: [note],
    });
  });

  test('leaves the file and the lock file as they were', () => {
    const project = pullFrom(createDocuments([knownRule, otherRule]));
    const [text, lockText] = [project.texts.get(rulesOnK), project.lockText];
    const plan = project.pull(createDocuments(), { prunedKinds: new Set(['rules']) });
    expect(summarizePull(plan)).toEqual({ ...nothingPulled, skipped: [key] });
    expect(project.texts.get(rulesOnK)).toBe(text);
    expect(project.lockText).toBe(lockText);
    expect(plan.localChanges).toEqual([]);
  });

  test.each([
    ['a file that differs', '"1"', '"2"'],
    ['a file with the unknown type', '"default"', '"role"'],
  ])('is not changed, even if the project has %s', async (_name, from, to) => {
    const project = pullFrom(createDocuments([knownRule, otherRule]));
    project.edit(rulesOnK, from, to);
    expect(summarize(compare(project, createDocuments()))).toEqual({
      ...nothing,
      notes: [note],
      uncompared: [key],
    });
    expect(summarizeWrites(await compile(project, createDocuments()))).toEqual([]);
  });

  test('is not deleted, even if the project has no rules on its column', async () => {
    const project = pullFrom(createDocuments([otherRule]));
    expect(summarize(compare(project, createDocuments(), withPrunedKinds('rules')))).toEqual({
      ...nothing,
      notes: [note],
    });
    const compiled = await compile(project, createDocuments(), { prunedKinds: ['rules'] });
    expect(summarizeWrites(compiled)).toEqual([]);
  });

  test('does not prevent changes of the rules on other columns', async () => {
    const project = pullFrom(createDocuments([otherRule]));
    project.edit('datamodels/M/rules/A.L.rules.json', '"1"', '"2"');
    const compiled = await compile(project, createDocuments());
    expect(summarizeProblems(compiled)).toEqual([]);
    expect(JSON.stringify(compiled.writes)).toContain('"column":"L"');
    expect(JSON.stringify(compiled.writes)).not.toContain('"column":"K"');
  });

  test.each([
    ['its column', (text: string) => text.replaceAll('"name": "K"', '"name": "New", "renamedFrom": "K"')],
    ['its table', (text: string) => text.replace('"name": "A"', '"name": "B", "renamedFrom": "A"')],
  ])('prevents a rename of %s, because the rule would be left behind', async (_name, rename) => {
    const project = pullFrom(createDocuments([]));
    project.texts.set(tablePath, rename(project.texts.get(tablePath) ?? ''));
    expect(summarizeProblems(await compile(project, createDocuments([roleRule])))).toEqual([
      `unknown-party-type ${key}: A.K`,
    ]);
  });
});
