import { Patches } from './patches.ts';

/** Sets the clock forward until the end of the block, as after a sleep of the machine; timers keep their pace. */
export function advanceClock(milliseconds: number): Disposable {
  const patches = new Patches();
  patches.replace(Date, 'now', (now) => () => now() + milliseconds);
  return patches;
}
