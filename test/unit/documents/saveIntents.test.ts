import { expect, test } from 'vitest';
import { SaveIntents } from '../../../src/documents/saveIntents.ts';

const path = '/a/document';
const writesIntent = { additionalWrites: [] };
const secretsIntent = { secretAnswers: new Map() };

/**
 * Starts a write like the file system provider does. The returned function continues the write: it takes the intent of
 * the save, if there is one.
 */
function beginWrite(intents: SaveIntents) {
  const intent = intents.peek(path);
  return () => intents.take(path, intent);
}

test('a save has the intent it was started with, and the next one has none', async () => {
  const intents = new SaveIntents();
  const takenIntents: unknown[] = [];
  await intents.saveWith(path, writesIntent, async () => takenIntents.push(beginWrite(intents)()));
  takenIntents.push(beginWrite(intents)());
  expect(takenIntents).toEqual([writesIntent, undefined]);
});

test('an intent is used once: an earlier save leaves none to a later one', async () => {
  const intents = new SaveIntents();
  const takenIntents: unknown[] = [];
  await intents.saveWith(path, writesIntent, async () => {
    const [first, second] = [beginWrite(intents), beginWrite(intents)];
    takenIntents.push(first(), second(), beginWrite(intents)());
  });
  expect(takenIntents).toEqual([writesIntent, undefined, undefined]);
});

test.each([
  ['fails before it writes', () => Promise.reject(new Error('not saved'))],
  ['is canceled', () => Promise.resolve(false)],
  ['finds no document', () => Promise.resolve(undefined)],
])('a save that %s leaves no intent to the next one', async (_what, save) => {
  const intents = new SaveIntents();
  await intents.saveWith(path, writesIntent, save).catch(() => undefined);
  expect(beginWrite(intents)()).toBeUndefined();
});

test('a save that fails after its write has begun leaves no intent to the next one', async () => {
  const intents = new SaveIntents();
  const saving = intents.saveWith(path, writesIntent, async () => {
    beginWrite(intents)();
    throw new Error('refused');
  });
  await expect(saving).rejects.toThrow('refused');
  expect(beginWrite(intents)()).toBeUndefined();
});

test('a write that began before a save gets no intent of it, however late it continues', async () => {
  const intents = new SaveIntents();
  const continueEarlierWrite = beginWrite(intents);
  const takenIntents: unknown[] = [];
  await intents.saveWith(path, writesIntent, async () => {
    takenIntents.push(continueEarlierWrite(), beginWrite(intents)());
  });
  expect(takenIntents).toEqual([undefined, writesIntent]);
});

test('a write that continues only after its save has ended gets no intent', async () => {
  const intents = new SaveIntents();
  let lateWrite: (() => unknown) | undefined;
  await intents.saveWith(path, writesIntent, async () => {
    lateWrite = beginWrite(intents);
  });
  expect(lateWrite?.()).toBeUndefined();
});

test('of two simultaneous saves the later one determines the intent, which stays when the earlier one ends', async () => {
  const intents = new SaveIntents();
  const firstSave = Promise.withResolvers<void>();
  const first = intents.saveWith(path, writesIntent, () => firstSave.promise);
  const firstWrite = beginWrite(intents);
  const takenIntents: unknown[] = [];
  await intents.saveWith(path, secretsIntent, async () => {
    firstSave.resolve();
    await first;
    takenIntents.push(firstWrite(), beginWrite(intents)());
  });
  expect(takenIntents).toEqual([undefined, secretsIntent]);
});

test('documents do not get the intent of another', async () => {
  const intents = new SaveIntents();
  await intents.saveWith(path, writesIntent, async () => {
    expect(intents.peek('/another')).toBeUndefined();
    expect(intents.take('/another', writesIntent)).toBeUndefined();
    expect(beginWrite(intents)()).toBe(writesIntent);
  });
});
