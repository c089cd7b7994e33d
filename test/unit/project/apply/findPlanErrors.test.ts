import { expect, test } from 'vitest';
import { findPlanErrors } from '../../../../src/project/apply/findPlanErrors.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import type { ItemKey } from '../../../../src/project/item.ts';
import { createSelection, defaultProjectSettings } from '../../../../src/project/settings/projectSettings.ts';

const createModel = (title: string): readonly (readonly [string, object])[] => [
  [`datamodels/${title}/${title}.datamodel.json`, { title, type: 'extract' }],
  [`datamodels/${title}/datasets/Sales.dataset.json`, { name: 'Sales', type: 'extract' }],
  [
    `datamodels/${title}/tables/Orders.table.json`,
    { dataset: 'Missing', name: 'Orders', type: 'base', columns: [{ name: 'Id', type: 8 }] },
  ],
];

const project = parseProject({
  texts: new Map(
    [...createModel('Retail'), ...createModel('Marketing')].map(([path, content]) => [
      path,
      JSON.stringify(content),
    ]),
  ),
  faults: [],
});

const findPaths = (...keys: readonly ItemKey[]): readonly string[] => findPathsWithUnknown([], ...keys);

/** @param unknown the items that the plan leaves alone */
const findPathsWithUnknown = (unknown: readonly ItemKey[], ...keys: readonly ItemKey[]): readonly string[] =>
  findPlanErrors(
    project,
    { changes: keys.map((key) => ({ key })), uncomparedItems: unknown },
    createSelection(defaultProjectSettings),
  ).map(({ path }) => path);

const retailPath = 'datamodels/Retail/tables/Orders.table.json';

test('errors in what a plan changes are found, and in what depends on it', () => {
  expect(findPaths({ kind: 'table', datamodel: 'Retail', table: 'Orders' })).toEqual([retailPath]);
  expect(findPaths({ kind: 'datamodel', datamodel: 'Retail' })).toEqual([retailPath]);
});

test('errors are found in a datamodel from which something is deleted', () => {
  expect(findPaths({ kind: 'table', datamodel: 'Retail', table: 'Deleted' })).toEqual([retailPath]);
});

test('errors elsewhere are not found', () => {
  expect(findPaths()).toEqual([]);
  expect(findPaths({ kind: 'viewpoint', viewpoint: 'Revenue' })).toEqual([]);
});

test('errors in a file that is left alone are not found', () => {
  const orders: ItemKey = { kind: 'table', datamodel: 'Retail', table: 'Orders' };
  expect(findPathsWithUnknown([orders], { kind: 'datamodel', datamodel: 'Retail' })).toEqual([]);
});

test('a merge conflict in what a plan changes is an error of the plan', () => {
  const path = 'datamodels/Retail/tables/Orders/Label.datamodel.sql';
  const projectWithConflict = parseProject({
    texts: new Map([
      ...createModel('Retail').map(([name, content]) => [name, JSON.stringify(content)] as const),
      [path, "'a'\n<<<<<<< HEAD\n"],
    ]),
    faults: [],
  });
  const errors = findPlanErrors(
    projectWithConflict,
    { changes: [{ key: { kind: 'datamodel', datamodel: 'Retail' } }], uncomparedItems: [] },
    createSelection(defaultProjectSettings),
  );
  expect(errors).toContainEqual(expect.objectContaining({ path, line: 2, code: 'project/merge-conflict' }));
});
