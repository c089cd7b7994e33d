import { expect, test } from 'vitest';
import { PickedDatamodels } from '../../../src/catalog/pickedDatamodels.ts';

const retail = { connectionId: 'c', datamodelId: 'r', title: 'Retail' };
const support = { connectionId: 'c', datamodelId: 's', title: 'Support' };

function createStorage(value?: unknown) {
  const state = { value };
  return {
    state,
    read: () => state.value,
    write: (next: unknown) => (state.value = structuredClone(next)),
  };
}

test('a file keeps its selection, others use the last one, and both survive a reload', () => {
  const storage = createStorage();
  const picks = new PickedDatamodels(storage);
  let changeCount = 0;
  picks.onDidChange(() => (changeCount += 1));
  expect(picks.get('a.sql')).toBeUndefined();
  picks.pick('a.sql', retail);
  picks.pick('b.sql', support);
  const reloaded = new PickedDatamodels(storage);
  for (const each of [picks, reloaded]) {
    expect([each.get('a.sql'), each.get('b.sql'), each.get('c.sql')]).toEqual([retail, support, support]);
  }
  picks.pick(undefined, retail);
  expect([picks.get('b.sql'), picks.get('c.sql')]).toEqual([support, retail]);
  expect(changeCount).toBe(3);
});

test.each([[undefined], [null], ['x'], [{ files: { 'a.sql': 1 } }]])(
  '%j in the storage counts as empty',
  (value) => {
    expect(new PickedDatamodels(createStorage(value)).get('a.sql')).toBeUndefined();
  },
);

test('unusual file names work like any other', () => {
  const storage = createStorage();
  new PickedDatamodels(storage).pick('__proto__', retail);
  expect(new PickedDatamodels(storage).get('toString')).toEqual(retail);
  expect(new PickedDatamodels(createStorage({ files: {} })).get('toString')).toBeUndefined();
});

test('the files with the oldest selections are dropped first', () => {
  const storage = createStorage();
  const picks = new PickedDatamodels(storage);
  picks.pick('first.sql', retail);
  picks.pick('second.sql', retail);
  picks.pick('first.sql', retail);
  for (let file = 0; file < 499; file += 1) {
    picks.pick(`${file}.sql`, support);
  }
  expect([picks.get('first.sql'), picks.get('second.sql')]).toEqual([retail, support]);
  expect(Object.keys((storage.state.value as { files: object }).files)).toHaveLength(500);
});
