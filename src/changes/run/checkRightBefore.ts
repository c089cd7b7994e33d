import type { Clock } from '../../base/clock.ts';
import type { BusyServerWaits } from './busyServer.ts';

/** How long what was read from the server counts as current, in milliseconds. */
const maxAgeMs = 5000;

/** The number of rounds in which both checks may be slow although the server isn't busy: then it is always slow. */
const maxSlowRounds = 2;

/** Returns whether what was read from the server at a time may be outdated by now. */
export const isOutdated = (readAt: number, clock: Clock): boolean => clock.now() - readAt > maxAgeMs;

interface Checks<Result> {
  /**
   * Compares the target with what the request is based on.
   * @param isRepeated others may have changed the target since it was last compared
   * @returns what prevents the request; `undefined` if it can be sent
   */
  readonly checkTarget: (isRepeated: boolean) => Promise<Result | undefined>;
  /** Checks the rules that the request relies on. */
  readonly checkRules: () => Promise<void>;
}

/**
 * Checks the target of a request and the rules that it relies on, right before it is sent. Each check may wait for a
 * busy server, up to 10 minutes, which makes the other one outdated. So they alternate until one of them has taken no
 * time: usually, each runs once.
 * @param deps `waits` of both checks
 * @returns what prevents the request; `undefined` if it can be sent
 * @throws whatever the checks throw
 */
export async function checkRightBefore<Result>(
  { checkTarget, checkRules }: Checks<Result>,
  { waits, clock }: { readonly waits: Pick<BusyServerWaits, 'count'>; readonly clock: Clock },
): Promise<Result | undefined> {
  const completesQuickly = async (check: () => Promise<void>, round: number): Promise<boolean> => {
    const [startedAt, count] = [clock.now(), waits.count];
    await check();
    return waits.count === count && (round > maxSlowRounds || !isOutdated(startedAt, clock));
  };
  let result = await checkTarget(false);
  const checkTargetAgain = async (): Promise<void> => {
    result = await checkTarget(true);
  };
  for (let round = 1; ; round += 1) {
    if (
      result !== undefined ||
      (await completesQuickly(checkRules, round)) ||
      (await completesQuickly(checkTargetAgain, round))
    ) {
      return result;
    }
  }
}
