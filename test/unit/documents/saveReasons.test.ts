import { expect, test } from 'vitest';
import { SaveReasons } from '../../../src/documents/saveReasons.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

function opened() {
  const clock = new FakeClock();
  const reasons = new SaveReasons(clock);
  /** A save that looks as if a person asked for it; what it is taken for once enough time has gone by. */
  const save = (document: string): (() => Promise<boolean>) => {
    reasons.announced(document, true);
    const answer = reasons.isByHand(document);
    return async () => {
      await clock.advance(500);
      return answer;
    };
  };
  return { clock, reasons, save };
}

test('a save that is announced as one by hand is one, and others are not', async () => {
  const { reasons, clock } = opened();
  reasons.changed('a');
  reasons.announced('a', true);
  expect(await reasons.isByHand('a')).toBe(true);
  reasons.announced('a', false);
  expect(await reasons.isByHand('a')).toBe(false);
  expect(await reasons.isByHand('a'), 'an announcement counts once').toBe(true);
  reasons.announced('a', false);
  clock.skip(5001);
  expect(await reasons.isByHand('a'), 'an old one counts for nothing').toBe(true);
});

test('all documents of a refactoring, saved at once, are saved by the editor', async () => {
  const { reasons, save } = opened();
  ['a', 'b', 'c'].forEach((document) => reasons.changed(document));
  const answers = ['a', 'b', 'c'].map(save);
  expect(await Promise.all(answers.map((answer) => answer()))).toEqual([false, false, false]);
});

test('one of them, saved in a hurry, waits and is then saved by hand', async () => {
  const { reasons, save, clock } = opened();
  ['a', 'b'].forEach((document) => reasons.changed(document));
  await clock.advance(100);
  expect(await save('a')()).toBe(true);
});

test('one after the other with time between them is by hand', async () => {
  const { reasons, save, clock } = opened();
  ['a', 'b'].forEach((document) => reasons.changed(document));
  await clock.advance(600);
  expect([await save('a')(), await save('b')()]).toEqual([true, true]);
});

test('changes that are not of one moment are no refactoring', async () => {
  const { reasons, save, clock } = opened();
  reasons.changed('a');
  await clock.advance(201);
  reasons.changed('b');
  const answers = ['a', 'b'].map(save);
  expect(await Promise.all(answers.map((answer) => answer()))).toEqual([true, true]);
});

test('what else is changed in the same moment does not make a refactoring a save by hand', async () => {
  const { reasons, save, clock } = opened();
  ['a', 'b'].forEach((document) => reasons.changed(document));
  await clock.advance(150);
  reasons.changed('c');
  const answers = ['a', 'b'].map(save);
  expect(await Promise.all(answers.map((answer) => answer()))).toEqual([false, false]);
});

test('a document that was closed is as new', async () => {
  const { reasons, save } = opened();
  ['a', 'b'].forEach((document) => reasons.changed(document));
  reasons.closed('a');
  expect(await save('a')()).toBe(true);
});
