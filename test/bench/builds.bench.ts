import { countBuildRequests, maxRequestsPerHour } from '../support/buildRequests.ts';
import { printFigure, roundTo } from './report.ts';

/** Requests per hour for watching builds, on a fake clock, compared with one request per connection per 15 s. */
for (const windowCount of [1, 2]) {
  for (const connectionCount of [1, 3, 20]) {
    for (const buildCount of [0, 1, 10, 100]) {
      const { firstHourCount, hourlyRate } = await countBuildRequests(
        buildCount,
        connectionCount,
        windowCount,
      );
      const allowed = Math.min(buildCount, connectionCount) * maxRequestsPerHour;
      printFigure({
        bench: 'builds',
        baseline: 'one request per connection per 15 s',
        ratio: allowed === 0 ? 0 : roundTo(hourlyRate / allowed),
        running: buildCount,
        connections: connectionCount,
        windows: windowCount,
        firstHour: firstHourCount,
        steadyHour: hourlyRate,
      });
    }
  }
}
