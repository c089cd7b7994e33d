import { expect, test } from 'vitest';
import { PickedDatamodels } from '../../../src/catalog/pickedDatamodels.ts';

const retail = { connectionId: 'c', datamodelId: 'r', title: 'Retail' };
const support = { connectionId: 'c', datamodelId: 's', title: 'Support' };

function memory(value?: unknown) {
  const kept = { value };
  return { kept, read: () => kept.value, write: (next: unknown) => (kept.value = structuredClone(next)) };
}

test('a file keeps its pick, others take the last one, a reload remembers both', () => {
  const held = memory();
  const picks = new PickedDatamodels(held);
  let told = 0;
  picks.onDidChange(() => (told += 1));
  expect(picks.of('a.sql')).toBeUndefined();
  picks.pick('a.sql', retail);
  picks.pick('b.sql', support);
  const again = new PickedDatamodels(held);
  for (const one of [picks, again]) {
    expect([one.of('a.sql'), one.of('b.sql'), one.of('c.sql')]).toEqual([retail, support, support]);
  }
  picks.pick(undefined, retail);
  expect([picks.of('b.sql'), picks.of('c.sql')]).toEqual([support, retail]);
  expect(told).toBe(3);
});

test.each([[undefined], [null], ['x'], [{ files: { 'a.sql': 1 } }]])(
  '%j in the memory is as if nothing were',
  (value) => {
    expect(new PickedDatamodels(memory(value)).of('a.sql')).toBeUndefined();
  },
);

test('odd file names are names like others', () => {
  const held = memory();
  new PickedDatamodels(held).pick('__proto__', retail);
  expect(new PickedDatamodels(held).of('toString')).toEqual(retail);
  expect(new PickedDatamodels(memory({ files: {} })).of('toString')).toBeUndefined();
});

test('files are forgotten in the order in which they were picked for', () => {
  const held = memory();
  const picks = new PickedDatamodels(held);
  picks.pick('first.sql', retail);
  picks.pick('second.sql', retail);
  picks.pick('first.sql', retail);
  for (let file = 0; file < 499; file += 1) {
    picks.pick(`${file}.sql`, support);
  }
  expect([picks.of('first.sql'), picks.of('second.sql')]).toEqual([retail, support]);
  expect(Object.keys((held.kept.value as { files: object }).files)).toHaveLength(500);
});
