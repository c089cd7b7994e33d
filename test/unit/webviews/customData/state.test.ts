import { expect, it } from 'vitest';
import { getNextRow } from '../../../../src/webviews/customData/gridKeys.ts';
import {
  reduceCustomDataState,
  initialCustomDataState,
  validateObjectText,
  type Question,
  readPersistedInput,
} from '../../../../src/webviews/customData/state.ts';
import {
  formatConfirmLabel,
  formatResult,
  formatCount,
  formatQuestion,
} from '../../../../src/webviews/customData/customDataTexts.ts';
import { createLocalize } from '../../../../src/webviews/shared/localize.ts';

const t = createLocalize(undefined);

it('the keys of all objects are kept when a filter shows few of them', () => {
  const allObjects = reduceCustomDataState(initialCustomDataState, {
    type: 'objects',
    filter: '{}',
    text: '[{"a":1},{"b":2}]',
  });
  const filtered = reduceCustomDataState(allObjects, {
    type: 'objects',
    filter: '{"a":1}',
    text: '{"items":[{"a":1}]}',
  });
  expect(filtered.objects).toEqual([{ a: 1 }]);
  expect(filtered.keys.map(({ path }) => path)).toEqual(['a', 'b']);
  expect(filtered.isLoading).toBe(false);
  const otherResult = reduceCustomDataState(filtered, {
    type: 'objects',
    filter: '{"b":2}',
    text: '[{"b":2}]',
  });
  expect(otherResult.keys.map(({ path }) => path)).toEqual(['a', 'b']);
});

it('a question is dropped when objects are loaded again, and an error is dropped on retry', () => {
  const withQuestion = reduceCustomDataState(initialCustomDataState, {
    type: 'question',
    action: 'delete',
    filter: '{}',
    isRepeated: false,
    count: 2,
    sample: [],
  });
  expect(withQuestion.question?.count).toBe(2);
  const failed = reduceCustomDataState(reduceCustomDataState(withQuestion, { type: 'loading' }), {
    type: 'failed',
    message: 'no',
  });
  expect([failed.question, failed.failure]).toEqual([undefined, 'no']);
  expect(reduceCustomDataState(failed, { type: 'loading' }).failure).toBeUndefined();
  const changed = reduceCustomDataState(failed, { type: 'changed', action: 'delete', count: 2 });
  expect(changed.changed && formatResult(changed.changed, t)).toBe('2 objects were deleted.');
});

it('a question that is declined is dropped, and the previous results are shown', () => {
  const found = reduceCustomDataState(initialCustomDataState, {
    type: 'objects',
    filter: '{}',
    text: '[{"a":1}]',
  });
  const question = {
    type: 'question',
    action: 'delete',
    filter: '{}',
    isRepeated: false,
    count: 1,
    sample: [],
  } as const;
  const stateAfterDecline = reduceCustomDataState(reduceCustomDataState(found, question), {
    type: 'cancelled',
  });
  expect(stateAfterDecline.question).toBeUndefined();
  expect(stateAfterDecline.objects).toEqual(found.objects);
});

it('texts differ for one object, several and all of them', () => {
  const formatTexts = (action: Question['action'], count: number, filter: string): string => {
    const question = { type: 'question', action, count, filter, isRepeated: false, sample: [] } as const;
    return `${formatQuestion(question, t)} ${formatConfirmLabel(question, t)}`;
  };
  expect(formatTexts('delete', 1, '{}')).toBe('1 object would be deleted. Delete 1 Object');
  expect(formatTexts('change', 2, '{}')).toBe(
    'All 2 objects on the instance would be changed. Change 2 Objects',
  );
  expect(formatTexts('change', 2, '{"a":1}')).toBe('2 objects would be changed. Change 2 Objects');
  expect(formatTexts('delete', 0, '{"a":1}')).toContain('No objects match {"a":1}. Nothing would change.');
  const state = reduceCustomDataState(initialCustomDataState, {
    type: 'objects',
    filter: '{}',
    text: '[{"a":1}]',
  });
  expect(formatCount(state, t)).toBe('1 object in total');
  expect(formatCount({ ...state, filter: '{"a":1}' }, t)).toBe('1 object matches {"a":1}');
});

it('invalid input is reported, and empty input is not', () => {
  expect(validateObjectText('', t)).toBeUndefined();
  expect(validateObjectText('{}', t)).toBeUndefined();
  expect(validateObjectText('[]', t)).toContain('Expected a JSON object');
  expect(validateObjectText('{"a"', t)).toContain('Incomplete JSON object');
});

it('keys move the selection between rows, and never beyond them', () => {
  expect(
    ['ArrowDown', 'ArrowUp', 'PageDown', 'Home', 'End', 'x'].map((key) => getNextRow(key, 5, 10)),
  ).toEqual([6, 4, 9, 0, 9, undefined]);
});

it('the persisted filter and connection are restored; anything unknown is replaced by defaults', () => {
  const state = reduceCustomDataState(initialCustomDataState, {
    type: 'title',
    connection: 'Mine',
    connectionId: 'c',
  });
  const { connectionId } = state;
  const persisted = { filter: '{ "a"', connectionId };
  expect(readPersistedInput(JSON.parse(JSON.stringify(persisted)))).toEqual({
    filter: '{ "a"',
    connectionId: 'c',
  });
  // An older version persisted only the text of the filter. Like anything unknown, it is replaced by the defaults.
  expect([
    readPersistedInput('{}'),
    readPersistedInput(undefined),
    readPersistedInput({ filter: 5 }),
  ]).toEqual(Array.from({ length: 3 }, () => ({ filter: '', connectionId: undefined })));
});
