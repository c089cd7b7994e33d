/** The configurable part of the polling intervals, in milliseconds. */
export interface PollPace {
  /** The interval for builds that have been running for a while, and the upper limit for younger builds. */
  readonly steadyMs: number;
}

export const defaultPollPace: PollPace = { steadyMs: 15_000 };

/** Builds younger than `maxAgeMs` are polled every `intervalMs`, because most failures happen early. */
const early: readonly { readonly below: number; readonly every: number }[] = [
  { below: 15_000, every: 1_000 },
  { below: 60_000, every: 2_500 },
  { below: 300_000, every: 5_000 },
];

const maxBackOffMs = 120_000;
/** The longest requested pause that is respected: users do not expect builds to be unwatched for longer. */
export const maxRetryAfterMs = 600_000;

/**
 * Returns the delay before the next poll in milliseconds. It grows with the age of the youngest build, doubles with
 * each consecutive failure, and is extended by up to 10% so that connections are not all polled at the same time.
 * @param state.random from 0 to 1
 */
export function getPollDelay(
  state: { youngestAgeMs: number; failures: number; random: number },
  pace: PollPace = defaultPollPace,
): number {
  const byAge = early.find(({ below }) => state.youngestAgeMs < below)?.every ?? pace.steadyMs;
  const backedOff = Math.min(Math.min(byAge, pace.steadyMs) * 2 ** state.failures, maxBackOffMs);
  return backedOff * (1 + 0.1 * state.random);
}
