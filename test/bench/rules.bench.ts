import { cubeRuleWriter } from '../../src/api/bulk/ruleWriters.ts';
import { writeRules } from '../../src/api/bulk/ruleBatches.ts';
import { openGuard } from '../../src/api/guard.ts';
import { PlatformClient } from '../../src/api/platformClient.ts';
import { UndiciTransport } from '../../src/api/undiciTransport.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { report, round } from './report.ts';
import { benchSandbox, timed } from './support.ts';

/** Ten thousand rules in bulk beside one POST per rule. */
const count = 10_000;
/** Rules that are sent one by one; the time for all is that of these, scaled. */
const sample = 500;
const batchBytes = 512 * 1024;
const place = { server: 'LocalHost', elasticube: 'Bulk' };

const rules = Array.from({ length: count }, (_value, index) => ({
  table: 'Stores',
  column: 'Region',
  datatype: 'text',
  members: [`Region ${index}`, 'North'],
  allMembers: null,
  exclusionary: false,
  shares: [{ party: `user-${index}`, type: 'user' }],
}));

await using sandbox = await benchSandbox('empty');
let requests = 0;
const transport = new UndiciTransport();
const client = new PlatformClient({
  baseUrl: sandbox.url,
  tokenSource: async () => sandbox.token,
  transport: {
    send: (request) => {
      requests += 1;
      return transport.send(request);
    },
    dispose: () => transport.dispose(),
  },
  log: silentLog,
  clock: systemClock,
  guard: openGuard,
});

const oneByOne = await timed(async () => {
  for (const rule of rules.slice(0, sample)) {
    await client.extractRules.create({ ...place, elasticube: 'OneByOne' }, [rule]);
  }
});
requests = 0;
const inBulk = await timed(async () => {
  const options = { maxBytes: batchBytes, clock: systemClock };
  const outcome = await writeRules(cubeRuleWriter(client, place), rules, options);
  if (outcome.written.length !== count) {
    throw new Error(`Only ${outcome.written.length} of ${count} rules were written`);
  }
});
const allOneByOne = (oneByOne / sample) * count;
report({
  bench: 'rules.bulk',
  beside: `one POST per rule (${sample} measured, scaled to ${count})`,
  ratio: round(inBulk / allOneByOne, 4),
  ms: round(inBulk, 0),
  besideMs: round(allOneByOne, 0),
  requests,
  besideRequests: count,
});
client.dispose();
