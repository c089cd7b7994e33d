import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createRelationCreationWrite } from '../../../../src/changes/model/relationWrites.ts';
import { Documents } from '../../../../src/changes/model/snapshot.ts';
import {
  createViewpointCreationWrite,
  createViewpointDeletionWrite,
  createViewpointUpdateWrite,
} from '../../../../src/changes/model/viewpointWrites.ts';
import { findViewpointsUntilBuild } from '../../../../src/changes/plan/viewpointsUntilBuild.ts';
import { datamodelSchema } from '../../../../src/contract/datamodel.ts';
import { extractRuleSchema } from '../../../../src/contract/rule.ts';

const ids = { viewpointId: 'v' } as const;
const createDetails = (...columns: readonly string[]): JsonObject => ({
  datasource: { title: 'M' },
  columns: columns.map((column) => ({ table: 'A', column })),
});
const viewpoint = { id: 'v', name: 'V', details: createDetails('K', 'L') };
const relation = createRelationCreationWrite('m', []);
const update = (body: JsonObject): Write => createViewpointUpdateWrite(ids, body);

/** Lists the viewpoints that show more until the build. */
function find(writes: readonly Write[], gained: readonly string[] = []): readonly string[] {
  const rule = extractRuleSchema.parse({
    _id: 'r',
    table: 'A',
    column: 'K',
    datatype: 'text',
    members: [],
    shares: [{ type: 'default' }],
  });
  return findViewpointsUntilBuild(
    writes,
    new Documents([{ ref: { kind: 'viewpoint', ...ids }, document: viewpoint }]),
    {
      datamodels: [
        datamodelSchema.parse({ oid: 'm', title: 'M', type: 'extract', datasets: [], relations: [] }),
      ],
      rules: [
        {
          subject: { kind: 'extract', server: 'LocalHost', elasticube: 'M' },
          isCubeSet: false,
          rules: [rule],
        },
      ],
      viewpoints: gained.map((name) => ({
        name,
        differences: [
          {
            effect: 'gains',
            isUncertain: false,
            parties: [{ type: 'default' }],
            before: { isVisible: false, apps: [] },
            after: { isVisible: true, apps: [] },
          },
        ],
      })),
    },
  ).map((found) => found.viewpoint);
}

describe('a viewpoint with two steps', () => {
  test('is listed once, under its new name', () => {
    const last = { enabled: true, details: createDetails('M') };
    expect(find([update({ enabled: false }), relation, update(last)], ['V'])).toEqual(['V']);
    expect(find([update({ enabled: false }), relation, update({ ...last, name: 'W' })], ['W'])).toEqual([
      'W',
    ]);
  });

  test('is listed if it shows another column afterward, and not only because a step takes one away', () => {
    const narrowing = update({ details: createDetails('K') });
    expect(find([narrowing, relation, update({ details: createDetails('K', 'M') })])).toEqual(['V']);
    expect(find([narrowing, relation, update({ name: 'W' })])).toEqual([]);
  });
});

test.each<[string, readonly Write[]]>([
  ['only loses columns', [update({ details: createDetails('L') })]],
  ['stays as it was', [update({ details: createDetails('K', 'L') })]],
  ['is deleted', [update({ details: createDetails('M') }), createViewpointDeletionWrite(ids)]],
])('a viewpoint is not listed if it %s', (_title, writes) => {
  expect(find([relation, ...writes])).toEqual([]);
});

test.each<[string, JsonObject]>([
  ['another column', createDetails('K', 'L', 'M')],
  ['a filter', { ...createDetails(), columns: [{ table: 'A', column: 'K', filter: { members: ['1'] } }] }],
  ['the data source', { ...createDetails('K', 'L'), datasource: { title: 'M', id: 'other' } }],
])('a viewpoint is listed if it gets other details: %s', (_title, details) => {
  expect(find([relation, update({ details })])).toEqual(['V']);
});

test('a new viewpoint is listed if someone sees it', () => {
  const creation = createViewpointCreationWrite({ name: 'New', details: createDetails('K') });
  expect(find([relation, creation], ['New'])).toEqual(['New']);
  expect(find([relation, creation])).toEqual([]);
});
