import { expect, test } from 'vitest';
import { fromDiagramSchema } from '../../../../src/webviews/protocol/diagram.ts';
import { initialDiagramState, readDiagramState } from '../../../../src/webviews/diagram/state.ts';

test('stored state is restored, also that of an earlier version; unreadable state is replaced by the default', () => {
  const storedState = {
    view: { x: 1, y: 2, scale: 0.5 },
    expandedIds: ['a'],
    selectedId: 'a',
    mode: 'list',
    query: 'orders',
  };
  expect(readDiagramState(structuredClone(storedState))).toEqual(storedState);
  const { expandedIds: open, selectedId: chosen, ...others } = storedState;
  expect(readDiagramState({ ...others, open, chosen })).toEqual(storedState);
  const invalidState = {
    view: { x: 1, y: Number.NaN, scale: 0 },
    expandedIds: [1, 'b'],
    selectedId: 7,
    mode: 'cube',
    query: {},
  };
  expect(readDiagramState(invalidState)).toEqual({ ...initialDiagramState, expandedIds: ['b'] });
  for (const missingState of [undefined, null, 'text', 3]) {
    expect(readDiagramState(missingState)).toEqual(initialDiagramState);
  }
});

test('the host accepts only known messages', () => {
  const isKnown = (message: unknown): boolean => fromDiagramSchema.safeParse(message).success;
  expect(isKnown({ type: 'relate', ends: [{ table: 'a', column: 'b' }, { table: 'c' }] })).toBe(true);
  expect(isKnown({ type: 'relate', ends: [] })).toBe(false);
  expect(isKnown({ type: 'open', table: '' })).toBe(false);
  expect(isKnown({ type: 'export', format: 'exe', data: '' })).toBe(false);
  expect(isKnown({ type: 'run', command: 'x' })).toBe(false);
});
