import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import {
  findInstanceRulesWithoutEffect,
  findRulesWithoutEffectAfterApply,
} from '../../../src/cli/rulesWithoutEffect.ts';
import { parseProject } from '../../../src/project/files/parseProject.ts';
import { type InstanceDocuments, convertInstance } from '../../../src/project/instance/convertInstance.ts';
import { compareProject } from '../../../src/project/plan/compareProject.ts';
import { PulledProject } from '../project/pull/pullSupport.ts';

/** Returns a datamodel with a table, rules on a column, and a cube set with the same rules. */
function createDocuments(
  names: { readonly table: string; readonly column: string },
  rulesOn: { readonly table: string; readonly column: string },
): Pick<InstanceDocuments, 'datamodels' | 'cubeSets'> {
  const rules: readonly JsonObject[] = [
    { ...rulesOn, datatype: 'text', members: ['Web'], allMembers: null, shares: [{ type: 'default' }] },
  ];
  const table = {
    oid: '31000000-0000-0000-0000-000000000000',
    id: 'orders.csv',
    name: names.table,
    type: 'base',
    columns: [{ oid: '31000000-0000-0000-0000-000000000001', id: 'c', name: names.column, type: 18 }],
  };
  const dataset = {
    oid: '20000000-0000-0000-0000-000000000000',
    name: 'D',
    type: 'extract',
    connection: { provider: 'CSV' },
    schema: { tables: [table] },
  };
  const document = {
    oid: '10000000-0000-0000-0000-000000000000',
    title: 'M',
    type: 'extract',
    relations: [],
    datasets: [dataset],
  };
  return { datamodels: [{ document, rules }], cubeSets: [{ name: 'All', rules }] };
}

const oldNames = { table: 'Orders', column: 'Channel' };
const path = 'datamodels/M/rules/Orders.Channel.rules.json';
const cubeSetPath = 'cube-sets/All/rules/Orders.Channel.rules.json';
const rulesWithOldNames = [
  { item: 'rules/M/Orders/Channel', path },
  { item: 'cubeSetRules/All/Orders/Channel', path: cubeSetPath },
];

/** Compares a project with the documents of an instance, as a plan does. */
function compareWith({ texts, lock }: PulledProject, documents: ReturnType<typeof createDocuments>) {
  const project = parseProject({ texts, faults: [] });
  const pulled = convertInstance({
    viewpoints: [],
    customData: [],
    users: [],
    groups: [],
    numberedReferences: lock.numberedReferences,
    ...documents,
  });
  const comparison = compareProject({
    project,
    lock,
    pulled,
    isUnknownOnInstance: () => false,
    prunedKinds: new Set(),
  });
  const compiled = { writes: [], problems: [], deferred: [] };
  return {
    project,
    prepared: {
      pulled,
      comparison,
      recompare: () => comparison,
      compiled,
      itemsUnderOtherNames: [],
      unreadItems: [],
      uncomparedItems: [],
    },
    reading: {
      failedParts: [],
      scope: { listedIds: [], unreadParts: [], listedTitles: ['M'], listedViewpoints: [] },
    },
  };
}

function pullOldNames(): PulledProject {
  const project = new PulledProject();
  project.pull(createDocuments(oldNames, oldNames));
  return project;
}

describe.each([
  ['column', { table: 'Orders', column: 'Kanal' }],
  ['table', { table: 'Sales', column: 'Channel' }],
  ['table and a column', { table: 'Sales', column: 'Kanal' }],
])('if the instance has renamed a %s', (_what, names) => {
  test('its rules on the former name restrict nothing until an apply restores that name', () => {
    const loaded = compareWith(pullOldNames(), createDocuments(names, oldNames));
    expect(loaded.prepared.comparison.renamer.isEmpty).toBe(false);
    expect(findInstanceRulesWithoutEffect(loaded)).toEqual(rulesWithOldNames);
    expect(findRulesWithoutEffectAfterApply(loaded)).toEqual([]);
  });

  test('its rules on the new name restrict access, although the project has the former name', () => {
    const loaded = compareWith(pullOldNames(), createDocuments(names, names));
    expect(findInstanceRulesWithoutEffect(loaded)).toEqual([]);
  });
});

test('if only the project has renamed a table, rules restrict access; if they do not, the file with the new name is reported', () => {
  const project = pullOldNames();
  project.edit(
    'datamodels/M/tables/Orders.table.json',
    '"name": "Orders"',
    '"name": "Sales", "renamedFrom": "Orders"',
  );
  project.edit(path, '"table": "Orders"', '"table": "Sales"');
  expect(findInstanceRulesWithoutEffect(compareWith(project, createDocuments(oldNames, oldNames)))).toEqual(
    [],
  );
  const withoutColumn = createDocuments({ ...oldNames, column: 'Other' }, oldNames);
  expect(findInstanceRulesWithoutEffect(compareWith(project, withoutColumn))).toEqual(rulesWithOldNames);
});
