import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { SelectionLimits } from '../../../src/project/settings/projectSettings.ts';
import { createDemoContent } from '../project/apply/demoContent.ts';
import { TestInstance, pullNew } from '../project/apply/roundTripSupport.ts';
import type { PulledProject } from '../project/pull/pullSupport.ts';
import { computePlannedAccess } from './planAccessSupport.ts';

const rulesPath = 'datamodels/Marketing/rules/Leads.Region.rules.json';
const tablePath = 'datamodels/Marketing/tables/Leads.table.json';
const newViewpoint = 'viewpoints/Open Orders.viewpoint.json';
const conflict = '<<<<<<< HEAD\n{}\n=======\n[]\n>>>>>>> theirs\n';
const incompleteText = 'Not all rules and viewpoints could be compared.';
const lossText = '3 users and groups lose access to some data.';

/** Takes all values from everyone who sees any. */
function restrict({ texts }: PulledProject): void {
  const rules = JSON.parse(texts.get(rulesPath) ?? '') as readonly JsonObject[];
  const denyingRules = rules.map((rule) => ({ ...rule, members: [], allMembers: false }));
  texts.set(rulesPath, JSON.stringify(denyingRules));
}

/** Plans a change that only restricts, together with other changes of the files. */
async function planRestriction(change: (project: PulledProject) => void, limits: SelectionLimits = {}) {
  using instance = new TestInstance('guide', createDemoContent());
  const project = await pullNew(instance);
  restrict(project);
  change(project);
  return await computePlannedAccess(instance, project, {}, limits);
}

const add =
  (...files: readonly (readonly [path: string, text: string])[]) =>
  ({ texts }: PulledProject) =>
    files.forEach(([path, text]) => texts.set(path, text));

describe('a plan that only restricts', () => {
  test('says that no one gains access if all files can be read', async () => {
    expect((await planRestriction(() => undefined)).summary).toBe(`No one gains access. ${lossText}`);
  });

  test.each([
    ['viewpoint with a syntax error', newViewpoint, '{ "name": '],
    ['empty viewpoint', newViewpoint, ''],
    ['viewpoint with markers of a merge conflict', newViewpoint, conflict],
    ['file of rules', 'datamodels/Marketing/rules/Leads.Source.rules.json', '['],
    ['file of rules of a cube set', 'cube-sets/All/rules/Leads.Source.rules.json', '['],
    ['misplaced file of rules', 'rules/Leads.Source.rules.json', '[]'],
    ['table', 'datamodels/Marketing/tables/Copy.table.json', '{'],
    ['datamodel', 'datamodels/New/New.datamodel.json', '{'],
    ['datamodel without its file', 'datamodels/New/rules/Leads.Region.rules.json', '[]'],
  ])('says that its comparison is incomplete because of a new %s', async (_what, path, text) => {
    const { summary } = await planRestriction(add([path, text]));
    expect(summary).toBe(`${lossText} ${incompleteText}`);
  });

  test.each([
    'viewpoints/Revenue by Region.viewpoint.json',
    'datamodels/Retail/rules/Orders.Status.rules.json',
    tablePath,
  ])('says that its comparison is incomplete if the pulled file %s is broken', async (path) => {
    expect((await planRestriction(add([path, '{']))).summary).toBe(`${lossText} ${incompleteText}`);
  });

  test('says that its comparison is incomplete if two files contain the same new viewpoint', async () => {
    const { summary } = await planRestriction((project) => {
      const text = (project.texts.get('viewpoints/Revenue by Region.viewpoint.json') ?? '').replace(
        /"name": "[^"]*"/,
        '"name": "Open Orders"',
      );
      add([newViewpoint, text], ['viewpoints/Copy.viewpoint.json', text])(project);
    });
    expect(summary).toBe(`${lossText} ${incompleteText}`);
  });

  test('is complete if an unreadable file contains custom data', async () => {
    const { summary } = await planRestriction(add(['custom-data/Notes.custom-data.json', '{']));
    expect(summary).toBe(`No one gains access. ${lossText}`);
  });

  test('is complete if its limits leave out an unreadable file', async () => {
    const marketing = { datamodels: ['Marketing'] };
    const { summary } = await planRestriction(
      add([newViewpoint, '{'], ['datamodels/Retail/rules/Orders.Note.rules.json', '[']),
      marketing,
    );
    expect(summary).toBe(`No one gains access. ${lossText}`);
    const withRules = await planRestriction(
      add(['datamodels/Marketing/rules/Leads.Source.rules.json', '[']),
      marketing,
    );
    expect(withRules.summary).toBe(`${lossText} ${incompleteText}`);
  });
});

describe('a new table', () => {
  const addTable = ({ texts }: PulledProject): void =>
    void texts.set(
      'datamodels/Marketing/tables/Copy.table.json',
      (texts.get(tablePath) ?? '').replace('"name": "Leads"', '"name": "Copy"'),
    );

  /** Plans the table with another file. */
  const planTable = (path: string, text: string) =>
    planRestriction((project) => {
      addTable(project);
      add([path, text])(project);
    });

  test.each([
    ['an unreadable', 'datamodels/Marketing/rules/Copy.Region.rules.json', '['],
    ['a misplaced', 'Copy.Region.rules.json', '[]'],
  ])('might be restricted by %s file of rules', async (_what, path, text) => {
    const { summary, newTables } = await planTable(path, text);
    expect(newTables).toEqual([{ item: 'table/Marketing/Copy', rules: ["rules that couldn't be compared"] }]);
    expect(summary).toBe(
      `1 new table: without rules that are certain to restrict it, so everyone with access to the datamodel might see it. ${lossText} ${incompleteText}`,
    );
  });

  test('is not restricted by an unreadable file of rules of another datamodel', async () => {
    const { newTables } = await planTable('datamodels/Retail/rules/Orders.Note.rules.json', '[');
    expect(newTables).toEqual([{ item: 'table/Marketing/Copy', rules: [] }]);
  });
});
