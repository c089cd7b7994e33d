import { expect, test } from 'vitest';
import { SaveIntents } from '../../../src/documents/saveIntents.ts';

const path = '/a/document';
const along = { additionalWrites: [] };
const secrets = { secrets: new Map() };

/** A write as the file system begins it; the answer takes the intent, as it does once it is known who saves. */
function beginWrite(intents: SaveIntents) {
  const waiting = intents.peek(path);
  return () => intents.take(path, waiting);
}

test('a save has what it was started with, and the next one has nothing', async () => {
  const intents = new SaveIntents();
  const taken: unknown[] = [];
  await intents.saveWith(path, along, async () => taken.push(beginWrite(intents)()));
  taken.push(beginWrite(intents)());
  expect(taken).toEqual([along, undefined]);
});

test('it is taken once: a save that comes first leaves none to the one behind it', async () => {
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
])('a save that %s leaves nothing to the next one', async (_what, save) => {
  const intents = new SaveIntents();
  await intents.saveWith(path, along, save).catch(() => undefined);
  expect(beginWrite(intents)()).toBeUndefined();
});

test('a save that fails after its write leaves nothing either', async () => {
  const intents = new SaveIntents();
  const saving = intents.saveWith(path, along, async () => {
    beginWrite(intents)();
    throw new Error('refused');
  });
  await expect(saving).rejects.toThrow('refused');
  expect(beginWrite(intents)()).toBeUndefined();
});

test('a write that began before gets none of it, however late it goes on', async () => {
  const intents = new SaveIntents();
  const former = beginWrite(intents);
  const taken: unknown[] = [];
  await intents.saveWith(path, along, async () => {
    taken.push(former(), beginWrite(intents)());
  });
  expect(taken).toEqual([undefined, along]);
});

test('a write that goes on only after its save is over gets nothing', async () => {
  const intents = new SaveIntents();
  let late: (() => unknown) | undefined;
  await intents.saveWith(path, along, async () => {
    late = beginWrite(intents);
  });
  expect(late?.()).toBeUndefined();
});

test('of two saves at once the later one counts, and its intent outlives the end of the former', async () => {
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

test('documents do not get what is meant for another', async () => {
  const intents = new SaveIntents();
  await intents.saveWith(path, along, async () => {
    expect(intents.peek('/another')).toBeUndefined();
    expect(intents.take('/another', along)).toBeUndefined();
    expect(beginWrite(intents)()).toBe(along);
  });
});
