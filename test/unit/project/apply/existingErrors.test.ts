import { expect, test } from 'vitest';
import { findExistingErrors } from '../../../../src/project/apply/existingErrors.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import type { ItemKey } from '../../../../src/project/item.ts';
import { emptyLock } from '../../../../src/project/pull/lock.ts';
import { createSelection, defaultProjectSettings } from '../../../../src/project/settings/projectSettings.ts';
import { checkProject } from '../../../../src/project/validate/validateProject.ts';
import { PulledProject } from '../pull/pullSupport.ts';

const rule = {
  table: 'Orders',
  column: 'Status',
  datatype: 'text',
  members: ['Open'],
  allMembers: null,
  shares: [{ type: 'default' }],
};
const documents = {
  datamodels: [
    {
      document: {
        oid: 'd',
        title: 'Retail',
        type: 'extract',
        datasets: [
          {
            oid: 's',
            name: 'Files',
            type: 'extract',
            schema: {
              tables: [
                {
                  oid: 't1',
                  name: 'Orders',
                  type: 'base',
                  columns: [
                    { oid: 'c1', name: 'Id', type: 8 },
                    { oid: 'c2', name: 'Status', type: 18 },
                  ],
                },
                {
                  oid: 't2',
                  name: 'Top',
                  type: 'custom',
                  expression: 'SELECT Nothing, Id FROM Orders',
                  columns: [{ oid: 'c3', name: 'Id', type: 8 }],
                },
              ],
            },
          },
        ],
      },
      rules: [
        { ...rule, column: 'Gone' },
        { ...rule, members: [] },
      ],
    },
  ],
};
const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
const orders: ItemKey = { kind: 'table', datamodel: 'Retail', table: 'Orders' };
const selection = createSelection(defaultProjectSettings);

/** Edits a project that was pulled, and returns its errors by whether the instance has them, too. */
function findErrors(edit: (project: PulledProject) => void, ...keys: readonly ItemKey[]) {
  return compareErrors(documents, edit, keys);
}

function compareErrors(
  instance: typeof documents,
  edit: (project: PulledProject) => void,
  keys: readonly ItemKey[],
) {
  const pulledProject = new PulledProject();
  pulledProject.pull(instance);
  edit(pulledProject);
  const project = parseProject({ texts: pulledProject.texts, faults: [] });
  const pulled = convertInstance({
    cubeSets: [],
    viewpoints: [],
    customData: [],
    users: [],
    groups: [],
    numberedReferences: emptyLock.numberedReferences,
    ...instance,
  });
  const errors = checkProject(project, selection).filter(({ severity }) => severity === 'error');
  const existing = findExistingErrors(errors, {
    project,
    pulled,
    changes: keys.map((key) => ({ key })),
    selection,
  });
  const format = (isExisting: boolean) =>
    errors
      .filter((error) => existing.has(error) === isExisting)
      .map(({ code, subject }) => `${code} ${subject}`)
      .toSorted();
  return { existing: format(true), own: format(false) };
}

const unclear = 'rules/ambiguous-empty';

test('an error in an item that the plan does not change counts as existing, unless it leaves unclear who sees what', () => {
  const { existing, own } = findErrors(() => undefined, orders);
  expect(existing).toEqual([expect.stringMatching(/^rules\/unknown-column /), 'sql/unknown-column Nothing']);
  expect(own).toEqual([expect.stringContaining(unclear)]);
});

test('an error that a change causes in another item does not count as existing', () => {
  const { existing, own } = findErrors(
    (project) => project.edit(ordersPath, '"name": "Id"', '"name": "Key", "renamedFrom": "Id"'),
    orders,
  );
  expect(existing).toContain('sql/unknown-column Nothing');
  expect(own).toContain('sql/unknown-column Id');
});

test('an error about one table does not count as existing if that of the instance is about the same name in another table', () => {
  const text = JSON.stringify(documents)
    .replace(
      'SELECT Nothing, Id FROM Orders',
      'SELECT o.Note, p.Note, o.Id FROM Orders o JOIN Parts p ON o.Id = p.Id',
    )
    .replace(
      '"tables":[',
      '"tables":[{"oid":"t3","name":"Parts","type":"base","columns":[{"oid":"c4","name":"Id","type":8},{"oid":"c5","name":"Note","type":18}]},',
    );
  const instance = JSON.parse(text) as typeof documents;
  const partsPath = 'datamodels/Retail/tables/Parts.table.json';
  const parts: ItemKey = { ...orders, table: 'Parts' };
  expect(compareErrors(instance, () => undefined, []).existing).toContain('sql/unknown-column Note');
  const { existing, own } = compareErrors(
    instance,
    (project) => {
      project.edit(ordersPath, '"name": "Status"', '"name": "Note"');
      project.edit(partsPath, '"name": "Note"', '"name": "Status"');
    },
    [orders, parts],
  );
  expect(existing).not.toContain('sql/unknown-column Note');
  expect(own).toContain('sql/unknown-column Note');
});

test('an error counts as existing even if the project has a similar name to suggest', () => {
  const { existing } = findErrors(
    (project) => project.edit(ordersPath, '"name": "Status"', '"name": "Nothin"'),
    orders,
  );
  expect(existing).toContain('sql/unknown-column Nothing');
});

test('an error in a changed item does not count as existing, even if the instance has it', () => {
  const { existing, own } = findErrors(
    (project) => project.edit('datamodels/Retail/tables/Top.datamodel.sql', 'Orders', 'Orders -- mine'),
    { kind: 'tableExpression', datamodel: 'Retail', table: 'Top' },
  );
  expect(existing).not.toContain('sql/unknown-column Nothing');
  expect(own).toContain('sql/unknown-column Nothing');
});

test('an error in rules that leaves unclear who sees what does not count as existing, whatever its kind', () => {
  const withoutType = { ...rule, shares: [{ party: 'p1' }] } as unknown as typeof rule;
  const [datamodel] = documents.datamodels;
  const instance = { datamodels: [{ ...datamodel, rules: [withoutType] }] } as typeof documents;
  const { existing, own } = compareErrors(instance, () => undefined, []);
  expect(existing).toEqual(['sql/unknown-column Nothing']);
  expect(own).toEqual(expect.arrayContaining([expect.stringContaining('project/schema')]));
});
