import { expect, test } from 'vitest';
import { type SaveOrigin, SaveOrigins } from '../../../src/documents/saveOrigins.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

function createOrigins() {
  const clock = new FakeClock();
  const origins = new SaveOrigins(clock);
  /** Starts a save that is announced as manual; the returned function waits and returns its origin. */
  const save = (document: string): (() => Promise<SaveOrigin>) => {
    origins.handleWillSave(document, true);
    const origin = origins.takeOrigin(document);
    return async () => {
      await clock.advance(500);
      return origin;
    };
  };
  return { clock, origins, save };
}

test('a save that is announced as manual is manual, and others are not', async () => {
  const { origins } = createOrigins();
  origins.handleChange('a');
  origins.handleWillSave('a', true);
  expect(await origins.takeOrigin('a')).toBe('person');
  origins.handleWillSave('a', false);
  expect(await origins.takeOrigin('a')).toBe('editor');
  expect(await origins.takeOrigin('a'), 'an announcement counts once').toBe('unknown');
});

test('an auto save is never manual, however long the server takes before the write', async () => {
  const { origins, clock } = createOrigins();
  origins.handleWillSave('a', false);
  clock.skip(3_600_000);
  expect(await origins.takeOrigin('a')).toBe('editor');
});

test('a manual save replaces an auto save that never wrote', async () => {
  const { origins } = createOrigins();
  origins.handleWillSave('a', false);
  origins.handleWillSave('a', true);
  expect(await origins.takeOrigin('a')).toBe('person');
});

test('a save by a refactoring is recognized even if the server is slow', async () => {
  const { origins, clock } = createOrigins();
  ['a', 'b'].forEach((document) => origins.handleChange(document));
  ['a', 'b'].forEach((document) => origins.handleWillSave(document, true));
  clock.skip(6000);
  expect(await origins.takeOrigin('a')).toBe('editor');
  expect(await origins.takeOrigin('b')).toBe('editor');
});

test('a single saved document of a refactoring is a manual save when the server is slow', async () => {
  const { origins, clock } = createOrigins();
  ['a', 'b'].forEach((document) => origins.handleChange(document));
  origins.handleWillSave('a', true);
  clock.skip(6000);
  expect(await origins.takeOrigin('a')).toBe('person');
});

test('all documents of a refactoring, saved at once, are saved by the editor', async () => {
  const { origins, save } = createOrigins();
  ['a', 'b', 'c'].forEach((document) => origins.handleChange(document));
  const getOrigins = ['a', 'b', 'c'].map(save);
  expect(await Promise.all(getOrigins.map((getOrigin) => getOrigin()))).toEqual([
    'editor',
    'editor',
    'editor',
  ]);
});

test('one document of a refactoring, saved quickly, counts as saved manually after a wait', async () => {
  const { origins, save, clock } = createOrigins();
  ['a', 'b'].forEach((document) => origins.handleChange(document));
  await clock.advance(100);
  expect(await save('a')()).toBe('person');
});

test('documents of a refactoring that are saved later, one after the other, are saved manually', async () => {
  const { origins, save, clock } = createOrigins();
  ['a', 'b'].forEach((document) => origins.handleChange(document));
  await clock.advance(600);
  expect([await save('a')(), await save('b')()]).toEqual(['person', 'person']);
});

test('changes at different times are not a refactoring', async () => {
  const { origins, save, clock } = createOrigins();
  origins.handleChange('a');
  await clock.advance(201);
  origins.handleChange('b');
  const getOrigins = ['a', 'b'].map(save);
  expect(await Promise.all(getOrigins.map((getOrigin) => getOrigin()))).toEqual(['person', 'person']);
});

test('other simultaneous changes do not make a save by a refactoring manual', async () => {
  const { origins, save, clock } = createOrigins();
  ['a', 'b'].forEach((document) => origins.handleChange(document));
  await clock.advance(150);
  origins.handleChange('c');
  const getOrigins = ['a', 'b'].map(save);
  expect(await Promise.all(getOrigins.map((getOrigin) => getOrigin()))).toEqual(['editor', 'editor']);
});

test('closing a document forgets its refactoring', async () => {
  const { origins, save } = createOrigins();
  ['a', 'b'].forEach((document) => origins.handleChange(document));
  origins.handleClose('a');
  expect(await save('a')()).toBe('person');
});
