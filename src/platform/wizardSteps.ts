/** Where a step stands in its wizard; both count from 1. */
export interface StepPosition {
  readonly step: number;
  readonly totalSteps: number;
}

/** What a step answers: the value, a wish to go back, or `undefined` when the person gave up. */
export type StepAnswer<T> = { readonly value: T } | 'back' | undefined;

/** One question of a wizard: takes what is known so far and answers it with one thing more. */
export interface WizardStep<State> {
  (state: State, position: StepPosition): Promise<StepAnswer<State>>;
  /** Whether it is asked at all, after what is known so far; always, unless said. */
  isApplicable?(state: State): boolean;
}

/** Asks one question after the other, with a way back; `undefined` when the person gave up. */
export async function runWizard<State>(
  steps: readonly WizardStep<State>[],
  initial: State,
): Promise<State | undefined> {
  const asked: { readonly index: number; readonly state: State }[] = [];
  let state = initial;
  for (
    let index = findNextStep(steps, 0, state);
    index < steps.length;
    index = findNextStep(steps, index, state)
  ) {
    const totalSteps =
      asked.length + steps.slice(index).filter((step) => isStepApplicable(step, state)).length;
    const answer = await steps[index]?.(state, { step: asked.length + 1, totalSteps });
    if (answer === undefined) {
      return undefined;
    }
    if (answer === 'back') {
      ({ index, state } = asked.pop() ?? { index, state });
    } else {
      asked.push({ index, state });
      state = answer.value;
      index += 1;
    }
  }
  return state;
}

const isStepApplicable = <State>(step: WizardStep<State> | undefined, state: State): boolean =>
  step?.isApplicable?.(state) ?? true;

/** The index of the next step from `index` on that is asked. */
function findNextStep<State>(steps: readonly WizardStep<State>[], index: number, state: State): number {
  const found = steps.findIndex((step, at) => at >= index && isStepApplicable(step, state));
  return found === -1 ? steps.length : found;
}

/** A question that is asked only after certain answers. */
export const createConditionalStep = <State>(
  condition: (state: State) => boolean,
  step: WizardStep<State>,
): WizardStep<State> =>
  Object.assign((state: State, position: StepPosition) => step(state, position), { isApplicable: condition });
