import { expect, test } from 'vitest';
import { readPersistedTarget } from '../../../../src/features/access/persistedTarget.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' };

test('a persisted page contains the target whose rules it showed', () => {
  const place = { connectionId: 'c', resource: { kind: 'rules', subject } };
  expect(readPersistedTarget({ filter: 'x', place })).toEqual({ connectionId: 'c', subject });
});

test.each([undefined, null, 'text', {}, { place: undefined }, { place: { connectionId: 'c' } }])(
  'a page without a target is not restored: %j',
  (kept) => {
    expect(readPersistedTarget(kept)).toBeUndefined();
  },
);

test('neither is one of another resource', () => {
  expect(
    readPersistedTarget({ place: { connectionId: 'c', resource: { kind: 'customData' } } }),
  ).toBeUndefined();
});
