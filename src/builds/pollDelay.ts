/** The polling intervals of the monitor, in milliseconds. */
export interface PollPace {
  /** Pause between two polls of builds that have been running for a while. */
  readonly steadyMs: number;
}

export const defaultPollPace: PollPace = { steadyMs: 15_000 };

/** A build younger than `below` is polled every `every` milliseconds: most failures happen early. */
const early: readonly { readonly below: number; readonly every: number }[] = [
  { below: 15_000, every: 1_000 },
  { below: 60_000, every: 2_500 },
  { below: 300_000, every: 5_000 },
];

const maxBackOffMs = 120_000;
/** A server that asks for a longer pause is polled anyway: users would not expect a build that is never polled. */
export const maxRetryAfterMs = 600_000;

/**
 * The pause before the next poll: short for a young build, longer with age, doubled with each consecutive failure, and
 * spread by up to a tenth more so that many connections are not polled in step.
 * @param random from 0 to 1
 */
export function getPollDelay(
  state: { youngestAgeMs: number; failures: number; random: number },
  pace: PollPace = defaultPollPace,
): number {
  const byAge = early.find(({ below }) => state.youngestAgeMs < below)?.every ?? pace.steadyMs;
  const backedOff = Math.min(Math.min(byAge, pace.steadyMs) * 2 ** state.failures, maxBackOffMs);
  return backedOff * (1 + 0.1 * state.random);
}
