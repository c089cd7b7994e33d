import { expect, test } from 'vitest';
import { readPersistedTarget } from '../../../../src/features/access/persistedTarget.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' };

test('the target is read from the state of a page', () => {
  const storedTarget = { connectionId: 'c', resource: { kind: 'rules', subject } };
  expect(readPersistedTarget({ filter: 'x', place: storedTarget })).toEqual({ connectionId: 'c', subject });
});

test.each([undefined, null, 'text', {}, { place: undefined }, { place: { connectionId: 'c' } }])(
  'a state without a target is invalid: %j',
  (state) => {
    expect(readPersistedTarget(state)).toBeUndefined();
  },
);

test('a state with a resource other than rules is invalid', () => {
  expect(
    readPersistedTarget({ place: { connectionId: 'c', resource: { kind: 'customData' } } }),
  ).toBeUndefined();
});
