import { countBuildRequests, maxRequestsPerHour } from '../support/buildRequests.ts';
import { report } from './harness/bench.ts';

/** Requests per hour for watching builds, on a fake clock, compared with one request per connection per 15 s. */
const ratios: number[] = [];
for (const windowCount of [1, 2]) {
  for (const connectionCount of [1, 3, 20]) {
    for (const buildCount of [0, 1, 10, 100]) {
      const { hourlyRate } = await countBuildRequests(buildCount, connectionCount, windowCount);
      if (buildCount === 0 && hourlyRate > 0) {
        throw new Error('Requests are sent when nothing runs');
      }
      ratios.push(
        buildCount === 0 ? 0 : hourlyRate / (Math.min(buildCount, connectionCount) * maxRequestsPerHour),
      );
    }
  }
}
await report(
  {
    name: 'requests',
    what: 'Requests of the build monitor, the highest of 24 combinations of builds, connections, and windows',
    baseline: 'one request per connection in 15 s; none when nothing runs',
    limit: 1,
  },
  Math.max(...ratios),
);
