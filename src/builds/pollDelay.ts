/** The configurable part of the polling intervals, in milliseconds. */
export interface PollSettings {
  /** The interval for builds that have been running for a while, and the upper limit for younger builds. */
  readonly steadyIntervalMs: number;
}

export const defaultPollSettings: PollSettings = { steadyIntervalMs: 15_000 };

/** Builds younger than `maxAgeMs` are polled every `intervalMs`, because most failures happen early. */
const earlyIntervals: readonly { readonly maxAgeMs: number; readonly intervalMs: number }[] = [
  { maxAgeMs: 15_000, intervalMs: 1_000 },
  { maxAgeMs: 60_000, intervalMs: 2_500 },
  { maxAgeMs: 300_000, intervalMs: 5_000 },
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
  settings: PollSettings = defaultPollSettings,
): number {
  const ageIntervalMs =
    earlyIntervals.find(({ maxAgeMs }) => state.youngestAgeMs < maxAgeMs)?.intervalMs ??
    settings.steadyIntervalMs;
  const delayMs = Math.min(
    Math.min(ageIntervalMs, settings.steadyIntervalMs) * 2 ** state.failures,
    maxBackOffMs,
  );
  return delayMs * (1 + 0.1 * state.random);
}
