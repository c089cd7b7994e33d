import { countBuildRequests, maxRequestsPerHour } from '../support/buildRequests.ts';
import { printFigure, roundTo } from './report.ts';

/** Requests per hour for watching builds, on a fake clock, compared with one request per connection per 15 s. */
for (const windows of [1, 2]) {
  for (const connections of [1, 3, 20]) {
    for (const running of [0, 1, 10, 100]) {
      const { first, steady } = await countBuildRequests(running, connections, windows);
      const allowed = Math.min(running, connections) * maxRequestsPerHour;
      printFigure({
        bench: 'builds',
        baseline: 'one request per connection per 15 s',
        ratio: allowed === 0 ? 0 : roundTo(steady / allowed),
        running,
        connections,
        windows,
        firstHour: first,
        steadyHour: steady,
      });
    }
  }
}
