import { expect, test } from 'vitest';
import { type SaveTrigger, SaveTriggers } from '../../../src/documents/saveTriggers.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

function createTriggers() {
  const clock = new FakeClock();
  const triggers = new SaveTriggers(clock);
  /** Starts a save that is announced as manual; the returned function waits and returns its trigger. */
  const save = (document: string): (() => Promise<SaveTrigger>) => {
    triggers.handleWillSave(document, true);
    const trigger = triggers.takeTrigger(document);
    return async () => {
      await clock.advance(500);
      return trigger;
    };
  };
  return { clock, triggers, save };
}

test('a save that is announced as manual is manual, and others are not', async () => {
  const { triggers } = createTriggers();
  triggers.handleChange('a');
  triggers.handleWillSave('a', true);
  expect(await triggers.takeTrigger('a')).toBe('person');
  triggers.handleWillSave('a', false);
  expect(await triggers.takeTrigger('a')).toBe('autoSave');
  expect(await triggers.takeTrigger('a'), 'an announcement counts once').toBe('unknown');
});

test('an auto save is never manual, however long the server takes before the write', async () => {
  const { triggers, clock } = createTriggers();
  triggers.handleWillSave('a', false);
  clock.skip(3_600_000);
  expect(await triggers.takeTrigger('a')).toBe('autoSave');
});

test('a manual save replaces an auto save that never wrote', async () => {
  const { triggers } = createTriggers();
  triggers.handleWillSave('a', false);
  triggers.handleWillSave('a', true);
  expect(await triggers.takeTrigger('a')).toBe('person');
});

test('a save by a refactoring is recognized even if the server is slow', async () => {
  const { triggers, clock } = createTriggers();
  ['a', 'b'].forEach((document) => triggers.handleChange(document));
  ['a', 'b'].forEach((document) => triggers.handleWillSave(document, true));
  clock.skip(6000);
  expect(await triggers.takeTrigger('a')).toBe('autoSave');
  expect(await triggers.takeTrigger('b')).toBe('autoSave');
});

test('a single saved document of a refactoring is a manual save when the server is slow', async () => {
  const { triggers, clock } = createTriggers();
  ['a', 'b'].forEach((document) => triggers.handleChange(document));
  triggers.handleWillSave('a', true);
  clock.skip(6000);
  expect(await triggers.takeTrigger('a')).toBe('person');
});

test('all documents of a refactoring, saved at once, are saved by the editor', async () => {
  const { triggers, save } = createTriggers();
  ['a', 'b', 'c'].forEach((document) => triggers.handleChange(document));
  const getTriggers = ['a', 'b', 'c'].map(save);
  expect(await Promise.all(getTriggers.map((getTrigger) => getTrigger()))).toEqual([
    'autoSave',
    'autoSave',
    'autoSave',
  ]);
});

test('one document of a refactoring, saved quickly, counts as saved manually after a wait', async () => {
  const { triggers, save, clock } = createTriggers();
  ['a', 'b'].forEach((document) => triggers.handleChange(document));
  await clock.advance(100);
  expect(await save('a')()).toBe('person');
});

test('documents of a refactoring that are saved later, one after the other, are saved manually', async () => {
  const { triggers, save, clock } = createTriggers();
  ['a', 'b'].forEach((document) => triggers.handleChange(document));
  await clock.advance(600);
  expect([await save('a')(), await save('b')()]).toEqual(['person', 'person']);
});

test('changes at different times are not a refactoring', async () => {
  const { triggers, save, clock } = createTriggers();
  triggers.handleChange('a');
  await clock.advance(201);
  triggers.handleChange('b');
  const getTriggers = ['a', 'b'].map(save);
  expect(await Promise.all(getTriggers.map((getTrigger) => getTrigger()))).toEqual(['person', 'person']);
});

test('other simultaneous changes do not make a save by a refactoring manual', async () => {
  const { triggers, save, clock } = createTriggers();
  ['a', 'b'].forEach((document) => triggers.handleChange(document));
  await clock.advance(150);
  triggers.handleChange('c');
  const getTriggers = ['a', 'b'].map(save);
  expect(await Promise.all(getTriggers.map((getTrigger) => getTrigger()))).toEqual(['autoSave', 'autoSave']);
});

test('closing a document forgets its refactoring', async () => {
  const { triggers, save } = createTriggers();
  ['a', 'b'].forEach((document) => triggers.handleChange(document));
  triggers.handleClose('a');
  expect(await save('a')()).toBe('person');
});
