/** The position of a step in its wizard; both numbers count from 1. */
export interface StepPosition {
  readonly step: number;
  readonly totalSteps: number;
}

/** The answer of a step: the value, a request to go back, or `undefined` if the user canceled. */
export type StepAnswer<T> = { readonly value: T } | 'back' | undefined;

/** A step of a wizard: receives the state so far, and returns it with the value of the step. */
export interface WizardStep<State> {
  (state: State, position: StepPosition): Promise<StepAnswer<State>>;
  /** Returns whether the step applies to the state so far; omitted if it always applies. */
  isApplicable?(state: State): boolean;
}

/** Runs the steps in order, with a Back button; `undefined` if the user canceled. */
export async function runWizard<State>(
  steps: readonly WizardStep<State>[],
  initialState: State,
): Promise<State | undefined> {
  const completedSteps: { readonly index: number; readonly state: State }[] = [];
  let state = initialState;
  for (
    let index = findNextStep(steps, 0, state);
    index < steps.length;
    index = findNextStep(steps, index, state)
  ) {
    const totalSteps =
      completedSteps.length + steps.slice(index).filter((step) => isStepApplicable(step, state)).length;
    const answer = await steps[index]?.(state, { step: completedSteps.length + 1, totalSteps });
    if (answer === undefined) {
      return undefined;
    }
    if (answer === 'back') {
      ({ index, state } = completedSteps.pop() ?? { index, state });
    } else {
      completedSteps.push({ index, state });
      state = answer.value;
      index += 1;
    }
  }
  return state;
}

const isStepApplicable = <State>(step: WizardStep<State> | undefined, state: State): boolean =>
  step?.isApplicable?.(state) ?? true;

/** The index of the first applicable step from `index` on; the number of steps if there is none. */
function findNextStep<State>(steps: readonly WizardStep<State>[], index: number, state: State): number {
  const nextIndex = steps.findIndex((step, stepIndex) => stepIndex >= index && isStepApplicable(step, state));
  return nextIndex === -1 ? steps.length : nextIndex;
}

/** Creates a step that is skipped unless the state meets a condition. */
export const createConditionalStep = <State>(
  condition: (state: State) => boolean,
  step: WizardStep<State>,
): WizardStep<State> =>
  Object.assign((state: State, position: StepPosition) => step(state, position), { isApplicable: condition });
