import { expect, test } from 'vitest';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { performUntilCanceled } from '../../../../src/features/resources/performUntilCanceled.ts';

const createOperation = (name: string): Operation => ({
  connectionId: 'c',
  cause: 'hide',
  subject: { name, within: [] },
  writes: [],
});

test('operations are created and performed one by one, until the user cancels one', async () => {
  const steps: string[] = [];
  const changeReview = {
    perform: async (operation: Operation) => {
      const { name } = operation.subject;
      steps.push(`perform ${name}`);
      return name === 'b' ? undefined : { entryId: name, operation, writeStates: [], documents: [] };
    },
  };
  const createLater = (name: string) => async () => {
    steps.push(`create ${name}`);
    return createOperation(name);
  };
  await performUntilCanceled(changeReview, ['a', 'b', 'c'].map(createLater));
  expect(steps).toEqual(['create a', 'perform a', 'create b', 'perform b']);
});
