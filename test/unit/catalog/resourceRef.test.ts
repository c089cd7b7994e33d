import { describe, expect, test } from 'vitest';
import { PathSegmentError } from '../../../src/contract/endpoints.ts';
import {
  type ResourceKind,
  type ResourceRef,
  containsRef,
  getApiPath,
  getRefId,
  isSameRef,
} from '../../../src/catalog/resourceRef.ts';
import { getCubeSetRuleSubject } from '../../../src/catalog/ruleSubject.ts';
import { readViewAddress, createViewAddress } from '../../../src/catalog/viewAddress.ts';
import { mayBeAffected } from '../../../src/catalog/catalogChanges.ts';

const extract = { kind: 'extract', server: 'LocalHost', elasticube: 'Re/tail' } as const;
const live = { kind: 'live', title: 'Desk' } as const;
const modelIds = { datamodelId: 'm' };
const tableIds = { ...modelIds, datasetId: 'd', tableId: 't' };

const cases: Record<ResourceKind, readonly [ResourceRef, path: string, id: string | undefined]> = {
  datamodel: [{ kind: 'datamodel', ...modelIds }, '/api/v2/datamodels/m', 'm'],
  dataset: [{ kind: 'dataset', ...modelIds, datasetId: 'd' }, '/api/v2/datamodels/m/datasets/d', 'd'],
  table: [{ kind: 'table', ...tableIds }, '/api/v2/datamodels/m/datasets/d/tables/t', 't'],
  tableExpression: [
    { kind: 'tableExpression', ...tableIds },
    '/api/v2/datamodels/m/datasets/d/tables/t',
    't',
  ],
  columnExpression: [
    { kind: 'columnExpression', ...tableIds, columnId: 'c' },
    '/api/v2/datamodels/m/datasets/d/tables/t',
    'c',
  ],
  column: [{ kind: 'column', ...tableIds, columnId: 'c' }, '/api/v2/datamodels/m/datasets/d/tables/t', 'c'],
  relation: [{ kind: 'relation', ...modelIds, relationId: 'r' }, '/api/v2/datamodels/m/relations/r', 'r'],
  rules: [
    { kind: 'rules', subject: getCubeSetRuleSubject('Europe') },
    '/api/elasticubes/set/Europe/datasecurity',
    undefined,
  ],
  columnRules: [
    { kind: 'columnRules', subject: extract, table: 'T', column: 'C D' },
    '/api/elasticubes/LocalHost/Re%2Ftail/datasecurity/T/C%20D',
    undefined,
  ],
  rule: [{ kind: 'rule', subject: live, ruleId: 'x' }, '/api/v1/elasticubes/live/Desk/datasecurity', 'x'],
  viewpoint: [{ kind: 'viewpoint', viewpointId: 'v' }, '/api/v1/infusion/viewpoints/v', 'v'],
  customData: [{ kind: 'customData' }, '/api/v1/custom_data', undefined],
  customDataObject: [{ kind: 'customDataObject', objectId: 'o' }, '/api/v1/custom_data', 'o'],
  build: [{ kind: 'build', buildId: 'b' }, '/api/v2/builds/b', 'b'],
};

describe.each(Object.entries(cases))('%s', (_kind, [ref, path, id]) => {
  test('has a path and an ID', () => {
    expect(getApiPath(ref)).toBe(path);
    expect(getRefId(ref)).toBe(id);
  });

  test('can be read from the address of its document', () => {
    const address = createViewAddress({
      connectionId: 'c',
      resource: ref,
      name: 'a/b',
      within: ['..', 'x\ny'],
    });
    expect(address.path).toMatch(/^\/_\.\.\/x y\/a∕b\.[a-z-]+\.(json|sql)$/);
    expect(readViewAddress(address.query)).toEqual({ connectionId: 'c', resource: ref });
  });

  test('is affected by a change of kind `all`, but not by a change of another datamodel or of other rules', () => {
    expect(mayBeAffected(ref, { kind: 'all' })).toBe(true);
    expect(mayBeAffected(ref, { kind: 'datamodel', datamodelId: 'other' })).toBe(false);
    expect(mayBeAffected(ref, { kind: 'rules', subject: { kind: 'live', title: 'other' } })).toBe(false);
  });
});

test('the path contains the dialect of the instance', () => {
  expect(getApiPath({ kind: 'table', ...tableIds }, 'schema')).toBe(
    '/api/v2/datamodels/m/schema/datasets/d/tables/t',
  );
});

test.each(['', '.', '..', '\ud800'])('the name %j cannot be a part of a path', (title) => {
  expect(() => getApiPath({ kind: 'rules', subject: { kind: 'live', title } })).toThrow(PathSegmentError);
});

test('references are equal whatever the order of their fields', () => {
  expect(isSameRef({ kind: 'datamodel', datamodelId: 'm' }, { datamodelId: 'm', kind: 'datamodel' })).toBe(
    true,
  );
  expect(isSameRef({ kind: 'datamodel', datamodelId: 'm' }, { kind: 'datamodel', datamodelId: 'n' })).toBe(
    false,
  );
});

test.each<[ResourceKind, readonly ResourceKind[]]>([
  ['datamodel', ['dataset', 'table', 'tableExpression', 'column', 'columnExpression', 'relation']],
  ['dataset', ['table', 'tableExpression', 'column', 'columnExpression']],
  ['table', ['tableExpression', 'column', 'columnExpression']],
  ['relation', []],
  ['rules', []],
  ['viewpoint', []],
  ['customData', []],
])('a reference of kind %s contains itself and what is in it', (kind, contents) => {
  const [container] = cases[kind];
  const containedKinds = Object.values(cases).flatMap(([ref]) =>
    containsRef(container, ref) ? [ref.kind] : [],
  );
  expect(containedKinds.toSorted()).toEqual([kind, ...contents].toSorted());
  expect(containsRef({ kind: 'datamodel', datamodelId: 'other' }, container)).toBe(false);
});

test('an address of another form refers to no resource', () => {
  for (const query of ['', 'not json', '{}', '{"connection":"c","resource":{"kind":"secret"}}']) {
    expect(readViewAddress(query)).toBeUndefined();
  }
});
