import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LineOffsets } from '../../../../src/base/lineOffsets.ts';
import { applyEdits } from '../../../../src/base/textEdit.ts';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { createNameFixes } from '../../../../src/project/files/misspelledName.ts';
import type { Finding } from '../../../../src/project/validate/finding.ts';
import { validateProject } from '../../../../src/project/validate/validateProject.ts';
import { formatFile, paths, validFiles } from '../../../support/projectFiles.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'project-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(path: string, content: unknown): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), formatFile(content));
}

/** Writes the valid files with others in place of some of them, and returns the findings. */
async function validate(changes: Readonly<Record<string, unknown>> = {}): Promise<readonly Finding[]> {
  for (const [path, content] of Object.entries({ ...validFiles, ...changes })) {
    await write(path, content);
  }
  return validateProject(folder);
}

/** A valid file with another text in place of all that match. */
const replace = (path: string, from: RegExp, to: string): Readonly<Record<string, unknown>> => ({
  [path]: formatFile(validFiles[path]).replaceAll(from, to),
});

const replaceFirst = (path: string, from: string, to: string): Readonly<Record<string, unknown>> => ({
  [path]: formatFile(validFiles[path]).replace(from, to),
});

const itemsPath = 'datamodels/Retail/tables/Items.table.json';
const cubeSetRule = {
  cubeSet: 'All',
  table: 'Orders',
  column: 'Status',
  datatype: 'text',
  members: [],
  allMembers: true,
  shares: [{ type: 'default' }],
};
const url = 'https://analytics.example.com';
const createSettings = (manage: object): Readonly<Record<string, unknown>> => ({
  'datamodel-studio.json': { version: 1, manage },
});

test('the files without changes have no findings', async () => {
  expect(await validate()).toEqual([]);
});

test.each<[name: string, changes: Readonly<Record<string, unknown>>, intendedName: string]>([
  ['the table of a relation', replace(paths.relation, /"Items"/g, '"Itmes"'), 'Items'],
  ['the column of a relation', replace(paths.relation, /"Order"/g, '"Oder"'), 'Order'],
  ['the dataset of a table', replace(paths.orders, /"Sales"/g, '"Slaes"'), 'Sales'],
  ['the table of a reference', replace(itemsPath, /"table": "Items"/g, '"table": "Item"'), 'Items'],
  ['the column of a reference', replace(itemsPath, /"column": "Order"/g, '"column": "Ordre"'), 'Order'],
  [
    'the datamodel of a reference',
    replace(itemsPath, /"\$ref": \{[^}]*\}/g, '"$ref": {"datamodel": "Retial"}'),
    'Retail',
  ],
  [
    'the dataset of a reference',
    replace(itemsPath, /"\$ref": \{[^}]*\}/g, '"$ref": {"dataset": "Sale"}'),
    'Sales',
  ],
  [
    'the SQL file of a column',
    replace(paths.orders, /Orders\/Label/g, 'Orders/Lable'),
    'Orders/Label.datamodel.sql',
  ],
  ['the SQL file of a table', replace(paths.totals, /Totals\.data/g, 'Total.data'), 'Totals.datamodel.sql'],
  ['the name of a property', replace(paths.orders, /"description"/g, '"descripton"'), 'description'],
  [
    'the name of a property of a rule',
    replaceFirst(paths.rules, '"allMembers"', '"allMember"'),
    'allMembers',
  ],
  ['the name of a property of a share', replaceFirst(paths.rules, '"party"', '"prty"'), 'party'],
  [
    'the name of a property of a rule of a cube set',
    { [paths.cubeSet]: [{ ...cubeSetRule, exclusionry: false }] },
    'exclusionary',
  ],
  ['the datamodel of a viewpoint', replace(paths.viewpoint, /"Retail"/g, '"Retial"'), 'Retail'],
  ['the table of one of several rules', replaceFirst(paths.rules, '"Orders"', '"Order"'), 'Orders'],
  ['the column of one of several rules', replaceFirst(paths.rules, '"Status"', '"Statsu"'), 'Status'],
  ['a managed datamodel', createSettings({ cubeSets: ['All'], datamodels: ['Retial'] }), 'Retail'],
  ['a managed viewpoint', createSettings({ cubeSets: ['All'], viewpoints: ['Slaes'] }), 'Sales'],
  [
    'a managed cube set',
    {
      ...createSettings({ cubeSets: ['Every'] }),
      'cube-sets/Evrey/rules/A.B.rules.json': [{ ...cubeSetRule, cubeSet: 'Evrey' }],
    },
    'Evrey',
  ],
  [
    'a managed custom data object',
    {
      ...createSettings({ cubeSets: ['All'], customData: { Theem: { app: 'settings' } } }),
      'custom-data/Theme.custom-data.json': { name: 'Theme', content: { app: 'settings' } },
    },
    'Theme',
  ],
  [
    'the datamodel of a connection',
    { 'environments/prod.json': { url, connections: { Retial: { Sales: {} } } } },
    'Retail',
  ],
  [
    'the dataset of a connection',
    { 'environments/prod.json': { url, connections: { Retail: { Sale: {} } } } },
    'Sales',
  ],
])('%s is changed to the similar name, which removes the finding', async (_name, changes, intendedName) => {
  const findings = await validate(changes);
  const [finding, ...others] = findings.filter(({ misspelled }) => misspelled !== undefined);
  expect(others).toEqual([]);
  expect(finding?.misspelled?.candidates).toEqual([intendedName]);
  expect(finding?.message).toMatch(new RegExp(`\\. Did you mean "${intendedName}"\\?$`));
  expect(finding?.statement).not.toContain('Did you mean');
  const { path = '', misspelled } = finding ?? {};
  const text = await readFile(join(folder, path), 'utf8');
  const fixes = misspelled === undefined ? [] : createNameFixes(parseJsonTree(text), misspelled);
  // Fixes in rules and relations aren't preferred, because they change access: rules also restrict the tables that a
  // relation links.
  expect(fixes.map(({ newName, isPreferred }) => [newName, isPreferred])).toEqual([
    [intendedName, !/\.(?:rules|relation)\.json$/.test(path)],
  ]);
  // The editor offers a fix where it shows the problem.
  const { line, character } = new LineOffsets(text).positionAt(fixes[0]?.edit.start ?? -1);
  expect([finding?.line, finding?.column]).toEqual([line + 1, character + 1]);
  await write(
    path,
    applyEdits(
      text,
      fixes.map(({ edit }) => edit),
    ),
  );
  const after = await validateProject(folder);
  expect(after.filter(({ code }) => code === finding?.code)).toEqual([]);
  expect(after.length).toBeLessThan(findings.length);
});

test('at most three names are suggested, and none if no name is similar', async () => {
  const columns = ['State', 'Status', 'Statue', 'Static', 'Stat'].map((name) => ({ name, type: 18 }));
  const table = {
    name: 'Items',
    dataset: 'Sales',
    type: 'base',
    columns: [{ name: 'Order', type: 8 }, ...columns],
  };
  const findCandidates = async (name: string) =>
    (await validate({ [itemsPath]: table, ...replace(paths.relation, /"Order"/g, `"${name}"`) })).map(
      ({ code, misspelled }) => [code, misspelled?.candidates],
    );
  expect(await findCandidates('Statu')).toEqual([
    ['reference/unknown-column', ['State', 'Status', 'Statue']],
  ]);
  expect(await findCandidates('Nothing like it')).toEqual([['reference/unknown-column', undefined]]);
});

test.each([
  [{ table: 'Order' }, 'No datamodel in the project has a table "Order".', 'Orders'],
  [{ column: 'Statsu' }, 'No datamodel in the project has a column "Orders.Statsu".', 'Status'],
])('the rules of a cube set with %o have a suggestion', async (names, statement, intendedName) => {
  const [finding] = await validate({ [paths.cubeSet]: [{ ...cubeSetRule, ...names }] });
  const expected = `${statement} Unless another datamodel in the cube set has it, the rule has no effect.`;
  expect([finding?.statement, finding?.message]).toEqual([
    expected,
    `${expected} Did you mean "${intendedName}"?`,
  ]);
});

test('a pattern for several names is not replaced by a single name', async () => {
  const [finding] = await validate(createSettings({ cubeSets: ['All'], datamodels: ['retai*'] }));
  expect(finding?.message).toBe('No datamodel in the project matches "retai*". Did you mean "Retail"?');
  expect(finding?.misspelled).toBeUndefined();
});

test('connections of datasets that the project has, or does not manage, have no findings', async () => {
  const connections = { Retail: { Sales: {} }, Other: { Sales: {} } };
  const environment = { 'environments/prod.json': { url, connections } };
  expect(
    (await validate(environment)).map(({ line, column, code, subject }) => [line, column, code, subject]),
  ).toEqual([[7, 5, 'settings/unknown-datamodel', 'Other']]);
  const settings = createSettings({ cubeSets: ['All'], datamodels: ['Retail'] });
  expect(await validate({ ...environment, ...settings })).toEqual([]);
});

test('a changed dataset or datamodel affects the connections of environments', async () => {
  await validate({ 'environments/prod.json': { url, connections: { Retail: { Sale: {} }, Retial: {} } } });
  const validateChanged = async (path: string) =>
    (await validateProject(folder, { changedPaths: [path] })).map(({ code }) => code);
  expect(await validateChanged('datamodels/Retail/datasets/Sales.dataset.json')).toEqual([
    'settings/unknown-dataset',
  ]);
  expect(await validateChanged('datamodels/Retail/Retail.datamodel.json')).toEqual([
    'settings/unknown-dataset',
    'settings/unknown-datamodel',
  ]);
  expect(await validateChanged(paths.viewpoint)).toEqual([]);
});
