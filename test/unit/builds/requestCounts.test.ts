import { expect, test } from 'vitest';
import { countBuildRequests, maxRequestsPerHour } from '../../support/buildRequests.ts';

/** For the numbers themselves: `npm run bench builds`. */
test.each([
  [0, 3, 1],
  [1, 1, 1],
  [1, 3, 2],
  [10, 3, 2],
  [100, 1, 1],
  [100, 20, 1],
])(
  '%i running builds over %i connections, %i windows: under one request per connection per 15 s',
  async (running, connections, windows) => {
    const { firstHourCount, hourlyRate } = await countBuildRequests(running, connections, windows);
    const busy = Math.min(running, connections);
    expect(hourlyRate).toBeLessThan(busy * maxRequestsPerHour + 1);
    // New builds are polled more often for the first five minutes; each window polls once when it opens.
    expect(firstHourCount).toBeLessThan(busy * (maxRequestsPerHour + 75) + connections * windows + 1);
  },
);
