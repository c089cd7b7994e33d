import { expect, test } from 'vitest';
import {
  type StepAnswer,
  type StepPosition,
  type WizardStep,
  runWizard,
  createConditionalStep,
} from '../../../src/platform/wizardSteps.ts';

type Form = Readonly<Record<string, string>>;
/** The answers of a user: a value, `back` to go back, or `undefined` to cancel. */
type Script = readonly (string | undefined)[];

/** Creates steps that are answered by a script, one answer per question; records the questions. */
function createUser(script: Script) {
  const questions: { key: string; position: StepPosition; state: Form }[] = [];
  const remainingAnswers = [...script];
  const createStep =
    (key: string): WizardStep<Form> =>
    async (state, position): Promise<StepAnswer<Form>> => {
      questions.push({ key, position, state });
      const answer = remainingAnswers.shift();
      return answer === undefined || answer === 'back' ? answer : { value: { ...state, [key]: answer } };
    };
  return { createStep, questions };
}

test('the questions are asked one after the other, each with the previous answers', async () => {
  const { createStep, questions } = createUser(['1', '2']);
  expect(await runWizard([createStep('a'), createStep('b')], {})).toEqual({ a: '1', b: '2' });
  expect(
    questions.map(({ key, position, state }) => [key, position.step, position.totalSteps, state]),
  ).toEqual([
    ['a', 1, 2, {}],
    ['b', 2, 2, { a: '1' }],
  ]);
});

test('going back asks the previous question again, with the answers known then', async () => {
  const { createStep, questions } = createUser(['1', 'back', '3', '4']);
  expect(await runWizard([createStep('a'), createStep('b')], {})).toEqual({ a: '3', b: '4' });
  expect(questions.map(({ key }) => key)).toEqual(['a', 'b', 'a', 'b']);
  expect(questions[2]?.state).toEqual({});
});

test('going back at the first question asks it again', async () => {
  const { createStep } = createUser(['back', '1']);
  expect(await runWizard([createStep('a')], {})).toEqual({ a: '1' });
});

test('canceling returns undefined', async () => {
  const { createStep } = createUser(['1', undefined]);
  expect(await runWizard([createStep('a'), createStep('b')], {})).toBeUndefined();
});

test('a question that does not apply is skipped, forward and back', async () => {
  const { createStep, questions } = createUser(['no', 'back', 'yes', 'more', 'end']);
  const form = await runWizard(
    [createStep('a'), createConditionalStep(({ a }) => a === 'yes', createStep('b')), createStep('c')],
    {},
  );
  expect(form).toEqual({ a: 'yes', b: 'more', c: 'end' });
  expect(questions.map(({ key, position }) => `${key} ${position.step}/${position.totalSteps}`)).toEqual([
    'a 1/2',
    'c 2/2',
    'a 1/2',
    'b 2/3',
    'c 3/3',
  ]);
});

test('a wizard whose last question does not apply ends before it', async () => {
  const { createStep } = createUser(['1']);
  expect(await runWizard([createStep('a'), createConditionalStep(() => false, createStep('b'))], {})).toEqual(
    { a: '1' },
  );
});

test('a wizard without questions returns its initial values', async () => {
  expect(await runWizard([], { a: '1' })).toEqual({ a: '1' });
});
