import { expect, test } from 'vitest';
import { type SaveOrigin, SaveReasons } from '../../../src/documents/saveReasons.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

function createReasons() {
  const clock = new FakeClock();
  const reasons = new SaveReasons(clock);
  /** Starts a save that is announced as manual; the returned function waits and returns its origin. */
  const save = (document: string): (() => Promise<SaveOrigin>) => {
    reasons.handleWillSave(document, true);
    const origin = reasons.takeOrigin(document);
    return async () => {
      await clock.advance(500);
      return origin;
    };
  };
  return { clock, reasons, save };
}

test('a save that is announced as manual is manual, and others are not', async () => {
  const { reasons } = createReasons();
  reasons.handleChange('a');
  reasons.handleWillSave('a', true);
  expect(await reasons.takeOrigin('a')).toBe('person');
  reasons.handleWillSave('a', false);
  expect(await reasons.takeOrigin('a')).toBe('editor');
  expect(await reasons.takeOrigin('a'), 'an announcement counts once').toBe('unknown');
});

test('an auto save is never manual, however long the server takes before the write', async () => {
  const { reasons, clock } = createReasons();
  reasons.handleWillSave('a', false);
  clock.skip(3_600_000);
  expect(await reasons.takeOrigin('a')).toBe('editor');
});

test('a manual save replaces an auto save that never wrote', async () => {
  const { reasons } = createReasons();
  reasons.handleWillSave('a', false);
  reasons.handleWillSave('a', true);
  expect(await reasons.takeOrigin('a')).toBe('person');
});

test('a save by a refactoring is recognized even if the server is slow', async () => {
  const { reasons, clock } = createReasons();
  ['a', 'b'].forEach((document) => reasons.handleChange(document));
  ['a', 'b'].forEach((document) => reasons.handleWillSave(document, true));
  clock.skip(6000);
  expect(await reasons.takeOrigin('a')).toBe('editor');
  expect(await reasons.takeOrigin('b')).toBe('editor');
});

test('a single saved document of a refactoring is a manual save when the server is slow', async () => {
  const { reasons, clock } = createReasons();
  ['a', 'b'].forEach((document) => reasons.handleChange(document));
  reasons.handleWillSave('a', true);
  clock.skip(6000);
  expect(await reasons.takeOrigin('a')).toBe('person');
});

test('all documents of a refactoring, saved at once, are saved by the editor', async () => {
  const { reasons, save } = createReasons();
  ['a', 'b', 'c'].forEach((document) => reasons.handleChange(document));
  const getOrigins = ['a', 'b', 'c'].map(save);
  expect(await Promise.all(getOrigins.map((getOrigin) => getOrigin()))).toEqual([
    'editor',
    'editor',
    'editor',
  ]);
});

test('one document of a refactoring, saved quickly, counts as saved manually after a wait', async () => {
  const { reasons, save, clock } = createReasons();
  ['a', 'b'].forEach((document) => reasons.handleChange(document));
  await clock.advance(100);
  expect(await save('a')()).toBe('person');
});

test('documents of a refactoring that are saved later, one after the other, are saved manually', async () => {
  const { reasons, save, clock } = createReasons();
  ['a', 'b'].forEach((document) => reasons.handleChange(document));
  await clock.advance(600);
  expect([await save('a')(), await save('b')()]).toEqual(['person', 'person']);
});

test('changes at different times are not a refactoring', async () => {
  const { reasons, save, clock } = createReasons();
  reasons.handleChange('a');
  await clock.advance(201);
  reasons.handleChange('b');
  const getOrigins = ['a', 'b'].map(save);
  expect(await Promise.all(getOrigins.map((getOrigin) => getOrigin()))).toEqual(['person', 'person']);
});

test('other simultaneous changes do not make a save by a refactoring manual', async () => {
  const { reasons, save, clock } = createReasons();
  ['a', 'b'].forEach((document) => reasons.handleChange(document));
  await clock.advance(150);
  reasons.handleChange('c');
  const getOrigins = ['a', 'b'].map(save);
  expect(await Promise.all(getOrigins.map((getOrigin) => getOrigin()))).toEqual(['editor', 'editor']);
});

test('closing a document forgets its refactoring', async () => {
  const { reasons, save } = createReasons();
  ['a', 'b'].forEach((document) => reasons.handleChange(document));
  reasons.handleClose('a');
  expect(await save('a')()).toBe('person');
});
