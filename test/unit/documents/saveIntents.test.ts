import { expect, test } from 'vitest';
import { SaveIntents } from '../../../src/documents/saveIntents.ts';

const path = '/a/document';
const along = { additionalWrites: [] };
const secrets = { secrets: new Map() };

/**
 * Starts a write like the file system; the returned function consumes the intent, as happens once the saver is known.
 */
function beginWrite(intents: SaveIntents) {
  const waiting = intents.peek(path);
  return () => intents.take(path, waiting);
}

test('a save has the intent it was started with, and the next one has none', async () => {
  const intents = new SaveIntents();
  const taken: unknown[] = [];
  await intents.saveWith(path, along, async () => taken.push(beginWrite(intents)()));
  taken.push(beginWrite(intents)());
  expect(taken).toEqual([along, undefined]);
});

test('an intent is used once: an earlier save leaves none to a later one', async () => {
  const intents = new SaveIntents();
  const taken: unknown[] = [];
  await intents.saveWith(path, along, async () => {
    const [first, second] = [beginWrite(intents), beginWrite(intents)];
    taken.push(first(), second(), beginWrite(intents)());
  });
  expect(taken).toEqual([along, undefined, undefined]);
});

test.each([
  ['fails before it writes', () => Promise.reject(new Error('not saved'))],
  ['is canceled', () => Promise.resolve(false)],
  ['finds no document', () => Promise.resolve(undefined)],
])('a save that %s leaves no intent to the next one', async (_what, save) => {
  const intents = new SaveIntents();
  await intents.saveWith(path, along, save).catch(() => undefined);
  expect(beginWrite(intents)()).toBeUndefined();
});

test('a save that fails after its write leaves none either', async () => {
  const intents = new SaveIntents();
  const saving = intents.saveWith(path, along, async () => {
    beginWrite(intents)();
    throw new Error('refused');
  });
  await expect(saving).rejects.toThrow('refused');
  expect(beginWrite(intents)()).toBeUndefined();
});

test('a write that began earlier gets none, however late it continues', async () => {
  const intents = new SaveIntents();
  const former = beginWrite(intents);
  const taken: unknown[] = [];
  await intents.saveWith(path, along, async () => {
    taken.push(former(), beginWrite(intents)());
  });
  expect(taken).toEqual([undefined, along]);
});

test('a write that continues only after its save has ended gets none', async () => {
  const intents = new SaveIntents();
  let late: (() => unknown) | undefined;
  await intents.saveWith(path, along, async () => {
    late = beginWrite(intents);
  });
  expect(late?.()).toBeUndefined();
});

test('of two simultaneous saves the later one counts, and its intent outlives the end of the earlier one', async () => {
  const intents = new SaveIntents();
  const former = Promise.withResolvers<void>();
  const first = intents.saveWith(path, along, () => former.promise);
  const stale = beginWrite(intents);
  const taken: unknown[] = [];
  await intents.saveWith(path, secrets, async () => {
    former.resolve();
    await first;
    taken.push(stale(), beginWrite(intents)());
  });
  expect(taken).toEqual([undefined, secrets]);
});

test('documents do not get the intent of another', async () => {
  const intents = new SaveIntents();
  await intents.saveWith(path, along, async () => {
    expect(intents.peek('/another')).toBeUndefined();
    expect(intents.take('/another', along)).toBeUndefined();
    expect(beginWrite(intents)()).toBe(along);
  });
});
