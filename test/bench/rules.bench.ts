import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBulkRuleOperation } from '../../src/changes/operations/ruleActions.ts';
import { createCubeRuleWriter } from '../../src/changes/run/ruleWriters.ts';
import { writeRuleBatches } from '../../src/changes/run/ruleBatches.ts';
import { systemClock } from '../../src/base/clock.ts';
import { computeRuleDifference } from '../../src/security/change/ruleDifference.ts';
import { parseRuleTable } from '../../src/security/ruleTable/parseRuleTable.ts';
import { writeRuleTable } from '../../src/security/ruleTable/writeRuleTable.ts';
import { createRealWriter } from '../support/createRealWriter.ts';
import { printFigure, roundTo } from './report.ts';
import { startBenchSandbox, measureMs } from './support.ts';

/** Ten thousand rules in bulk compared with one POST per rule. */
const ruleCount = 10_000;
/** Number of rules sent one by one; their time is scaled up to all rules. */
const sampleSize = 500;
const batchBytes = 512 * 1024;
const cube = { server: 'LocalHost', elasticube: 'Bulk' };

const rules = Array.from({ length: ruleCount }, (_value, index) => ({
  table: 'Stores',
  column: 'Region',
  datatype: 'text',
  members: [`Region ${index}`, 'North'],
  allMembers: null,
  exclusionary: false,
  shares: [{ party: `user-${index}`, type: 'user' }],
}));

await using sandbox = await startBenchSandbox('empty');
const folder = await mkdtemp(join(tmpdir(), 'datamodel-studio-rules-'));
let requestCount = 0;
const { client, writer } = createRealWriter(
  { url: sandbox.url, token: sandbox.token, folder },
  (send) => (request) => {
    requestCount += 1;
    return send(request);
  },
);

const sampleMs = await measureMs(async () => {
  for (const rule of rules.slice(0, sampleSize)) {
    await client.extractRules.create({ ...cube, elasticube: 'OneByOne' }, [rule]);
  }
});
requestCount = 0;
const inBulkMs = await measureMs(async () => {
  const options = { maxBytes: batchBytes, clock: systemClock };
  const outcome = await writeRuleBatches(createCubeRuleWriter(client, cube), rules, options);
  if (outcome.written.length !== ruleCount) {
    throw new Error(`Only ${outcome.written.length} of ${ruleCount} rules were written`);
  }
});
const bulkRequests = requestCount;
const oneByOneMs = (sampleMs / sampleSize) * ruleCount;
printFigure({
  bench: 'rules.bulk',
  baseline: `one POST per rule (${sampleSize} measured, scaled to ${ruleCount})`,
  ratio: roundTo(inBulkMs / oneByOneMs, 4),
  ms: roundTo(inBulkMs, 0),
  baselineMs: roundTo(oneByOneMs, 0),
  requests: bulkRequests,
  baselineRequests: ruleCount,
});

/**
 * Imports the same rules from a file into a cube that already has a tenth as many: with temporary deny rules, journaled and
 * undoable.
 */
const oldRuleCount = ruleCount / 10;
const target = { kind: 'extract', ...cube, elasticube: 'FromFile' } as const;
for (let start = 0; start < oldRuleCount; start += 1000) {
  const oldRules = rules.slice(start, start + 1000).map((rule) => ({ ...rule, members: ['South'] }));
  await client.extractRules.create(target, oldRules);
}
const file = writeRuleTable(rules);
requestCount = 0;
let stepMs = { read: 0, plan: 0, run: 0 };
const fromFileMs = await measureMs(async () => {
  const started = performance.now();
  const current = (await client.extractRules.list(target)).value;
  const { rules: table } = parseRuleTable(file);
  const difference = computeRuleDifference({
    tableRules: table,
    current,
    binding: target,
    scope: 'all',
    findPartyId: ({ name }) => name,
  });
  const readEnd = performance.now();
  const operation = createBulkRuleOperation(
    { connectionId: 'bench', within: [] },
    target,
    difference,
    batchBytes,
  );
  const { planHash } = await writer.plan(operation);
  const planEnd = performance.now();
  await writer.run(operation, { approval: writer.approve(planHash) });
  stepMs = { read: readEnd - started, plan: planEnd - readEnd, run: performance.now() - planEnd };
});
printFigure({
  bench: 'rules.fromFile',
  baseline: `one POST per rule (${sampleSize} measured, scaled to ${ruleCount})`,
  ratio: roundTo(fromFileMs / oneByOneMs, 4),
  ms: roundTo(fromFileMs, 0),
  baselineMs: roundTo(oneByOneMs, 0),
  requests: requestCount,
  baselineRequests: ruleCount,
  deletedRules: oldRuleCount,
  readMs: roundTo(stepMs.read, 0),
  planMs: roundTo(stepMs.plan, 0),
  runMs: roundTo(stepMs.run, 0),
});
await rm(folder, { recursive: true, force: true });
client.dispose();
