import { expect, test } from 'vitest';
import type { ResourceRef } from '../../../../src/catalog/resourceRef.ts';
import { isOnlyReliedOn } from '../../../../src/changes/journal/reliedOnRules.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createOperation, createTableRef, createTableUpdate } from '../run/support.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const rules: ResourceRef = { kind: 'rules', subject };
const tableUpdate = createTableUpdate('Orders', {});
const isReliedOn = (ref: ResourceRef, ...writes: readonly Write[]): boolean =>
  isOnlyReliedOn(ref, { operation: createOperation([tableUpdate, ...writes]) });

test('rules are relied on without being changed, unless a write changes them or deletes their datamodel', () => {
  expect(isReliedOn(rules)).toBe(true);
  const ruleWrite: Write = { endpoint: 'extractRules.delete', params: { ruleId: 'r' }, target: rules };
  expect(isReliedOn(rules, ruleWrite)).toBe(false);
  expect(isReliedOn({ kind: 'rules', subject: { ...subject, elasticube: 'Other' } }, ruleWrite)).toBe(true);
  expect(isReliedOn(rules, { endpoint: 'datamodels.delete', params: { datamodelId: 'm' } })).toBe(false);
  expect(isReliedOn(createTableRef('Orders'))).toBe(false);
});

test('rules on a column are relied on without being changed, unless a write deletes them', () => {
  const column: ResourceRef = { kind: 'columnRules', subject, table: 'Orders', column: 'Status' };
  const deletion: Write = { endpoint: 'extractRules.deleteByColumn', params: {}, target: column };
  expect(isReliedOn(column)).toBe(true);
  expect(isReliedOn(column, deletion)).toBe(false);
  expect(isReliedOn({ ...column, column: 'Channel' }, deletion)).toBe(true);
});
