import { buildRequests, perHour } from '../support/buildRequests.ts';
import { report, round } from './report.ts';

/** Requests per hour of following builds, by a fake clock, beside one request per connection per 15 s. */
for (const windows of [1, 2]) {
  for (const connections of [1, 3, 20]) {
    for (const running of [0, 1, 10, 100]) {
      const { first, steady } = await buildRequests(running, connections, windows);
      const allowed = Math.min(running, connections) * perHour;
      report({
        bench: 'builds',
        beside: 'one request per connection per 15 s',
        ratio: allowed === 0 ? 0 : round(steady / allowed),
        running,
        connections,
        windows,
        firstHour: first,
        steadyHour: steady,
      });
    }
  }
}
