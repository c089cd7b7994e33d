import { expect, test } from 'vitest';
import {
  type StepAnswer,
  type StepPosition,
  type WizardStep,
  runWizard,
  createConditionalStep,
} from '../../../src/platform/wizardSteps.ts';

type Form = Readonly<Record<string, string>>;
/** A value, a request to go `back`, or nothing if the user cancels. */
type Script = readonly (string | undefined)[];

/** A user who follows a script, with one response per question; records the questions and their step numbers. */
function person(script: Script) {
  const asked: { key: string; position: StepPosition; state: Form }[] = [];
  const rest = [...script];
  const step =
    (key: string): WizardStep<Form> =>
    async (state, position): Promise<StepAnswer<Form>> => {
      asked.push({ key, position, state });
      const said = rest.shift();
      return said === undefined || said === 'back' ? said : { value: { ...state, [key]: said } };
    };
  return { step, asked };
}

test('asks one question after the other, each with the previous responses', async () => {
  const { step, asked } = person(['1', '2']);
  expect(await runWizard([step('a'), step('b')], {})).toEqual({ a: '1', b: '2' });
  expect(asked.map(({ key, position, state }) => [key, position.step, position.totalSteps, state])).toEqual([
    ['a', 1, 2, {}],
    ['b', 2, 2, { a: '1' }],
  ]);
});

test('back asks the previous question again, with the responses known then', async () => {
  const { step, asked } = person(['1', 'back', '3', '4']);
  expect(await runWizard([step('a'), step('b')], {})).toEqual({ a: '3', b: '4' });
  expect(asked.map(({ key }) => key)).toEqual(['a', 'b', 'a', 'b']);
  expect(asked[2]?.state).toEqual({});
});

test('back at the first question asks it again', async () => {
  const { step } = person(['back', '1']);
  expect(await runWizard([step('a')], {})).toEqual({ a: '1' });
});

test('canceling returns nothing', async () => {
  const { step } = person(['1', undefined]);
  expect(await runWizard([step('a'), step('b')], {})).toBeUndefined();
});

test('a question that does not apply is skipped, forward and back', async () => {
  const { step, asked } = person(['no', 'back', 'yes', 'more', 'end']);
  const form = await runWizard(
    [step('a'), createConditionalStep(({ a }) => a === 'yes', step('b')), step('c')],
    {},
  );
  expect(form).toEqual({ a: 'yes', b: 'more', c: 'end' });
  expect(asked.map(({ key, position }) => `${key} ${position.step}/${position.totalSteps}`)).toEqual([
    'a 1/2',
    'c 2/2',
    'a 1/2',
    'b 2/3',
    'c 3/3',
  ]);
});

test('a wizard whose last question does not apply ends before it', async () => {
  const { step } = person(['1']);
  expect(await runWizard([step('a'), createConditionalStep(() => false, step('b'))], {})).toEqual({ a: '1' });
});

test('a wizard without questions returns its initial values', async () => {
  expect(await runWizard([], { a: '1' })).toEqual({ a: '1' });
});
