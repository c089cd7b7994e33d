import { expect, test } from 'vitest';
import { computeLayout } from '../../../../src/webviews/diagramLayout/computeLayout.ts';
import { createLayoutInput } from '../../../../src/webviews/diagramLayout/layoutInput.ts';
import { computeLayoutInWorker } from '../../../../src/webviews/diagramLayout/computeLayoutInWorker.ts';
import { createLargeModels } from '../../../unit/webviews/diagramLayout/support.ts';

const script = new URL('../../../../src/webviews/diagramLayout/layoutWorker.ts', import.meta.url);
const input = createLayoutInput(
  createLargeModels(40)['stars'] ?? { tables: [], relations: [], undrawnRelationCount: 0 },
);

test('the same layout is computed in a worker without blocking', async () => {
  let timerTicks = 0;
  const timer = setInterval(() => (timerTicks += 1), 1);
  const layout = await computeLayoutInWorker(script, input, new AbortController().signal);
  clearInterval(timer);
  expect(layout).toEqual(computeLayout(input));
  expect(timerTicks).toBeGreaterThan(0);
});

test('a canceled call rejects with the reason', async () => {
  const controller = new AbortController();
  const layout = computeLayoutInWorker(script, input, controller.signal);
  controller.abort(new Error('no longer wanted'));
  await expect(layout).rejects.toThrow('no longer wanted');
  expect(() => computeLayoutInWorker(script, input, controller.signal)).toThrow('no longer wanted');
});

test('the call rejects if the worker cannot start', async () => {
  const missing = new URL('missing.ts', import.meta.url);
  await expect(computeLayoutInWorker(missing, input, new AbortController().signal)).rejects.toThrow(
    /missing/,
  );
});
