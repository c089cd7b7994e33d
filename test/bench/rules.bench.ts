import { createBulkRuleOperation } from '../../src/changes/operations/ruleActions.ts';
import { createCubeRuleWriter } from '../../src/changes/run/ruleWriters.ts';
import { writeRuleBatches } from '../../src/changes/run/ruleBatches.ts';
import { systemClock } from '../../src/base/clock.ts';
import { computeRuleDifference } from '../../src/security/change/ruleDifference.ts';
import { parseRuleTable } from '../../src/security/ruleTable/parseRuleTable.ts';
import { formatRuleTable } from '../../src/security/ruleTable/formatRuleTable.ts';
import { createTemporaryFolder } from '../editor/support/temporaryFolder.ts';
import { createRealWriter } from '../support/createRealWriter.ts';
import { compare, measureMs } from './harness/bench.ts';
import { startBenchSandbox } from './support.ts';

/** Ten thousand rules in bulk compared with one POST per rule. */
const ruleCount = 10_000;
/** The number of rules that are sent one by one; their time is extrapolated to all rules. */
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

/** Starts an empty sandbox for one measurement, so that rules of earlier measurements don't slow it down. */
async function withSandbox(
  run: (services: ReturnType<typeof createRealWriter>) => Promise<number>,
): Promise<number> {
  await using sandbox = await startBenchSandbox('empty');
  await using folder = await createTemporaryFolder();
  const services = createRealWriter(
    { url: sandbox.url, token: sandbox.token, folder: folder.path },
    (send) => send,
  );
  const ms = await run(services);
  services.client.dispose();
  return ms;
}

/** Sends rules one by one. Returns the time that all rules would take. */
const sendOneByOne = (): Promise<number> =>
  withSandbox(async ({ client }) => {
    const ms = await measureMs(async () => {
      for (const rule of rules.slice(0, sampleSize)) {
        await client.extractRules.create(cube, [rule]);
      }
    });
    return (ms / sampleSize) * ruleCount;
  });

const baseline = `one POST per rule, of which ${sampleSize} are sent`;
const countText = ruleCount.toLocaleString('en-US');

await compare(
  { name: 'bulk', what: `${countText} rules written`, baseline },
  {
    subject: () =>
      withSandbox(({ client }) =>
        measureMs(async () => {
          const options = { maxBytes: batchBytes, clock: systemClock };
          const outcome = await writeRuleBatches(createCubeRuleWriter(client, cube), rules, options);
          if (outcome.written.length !== ruleCount) {
            throw new Error(`Only ${outcome.written.length} of ${ruleCount} rules were written`);
          }
        }),
      ),
    base: sendOneByOne,
  },
);

/**
 * Imports the same rules from a file into a cube that already has a tenth as many: with temporary deny rules, journaled and
 * undoable.
 */
const oldRuleCount = ruleCount / 10;
const target = { kind: 'extract', ...cube } as const;
const file = formatRuleTable(rules);

await compare(
  {
    name: 'fromFile',
    what: `${countText} rules imported from a file, ${oldRuleCount.toLocaleString('en-US')} replaced`,
    baseline,
  },
  {
    subject: () =>
      withSandbox(async ({ client, writer }) => {
        await client.extractRules.create(
          target,
          rules.slice(0, oldRuleCount).map((rule) => ({ ...rule, members: ['South'] })),
        );
        return measureMs(async () => {
          const current = (await client.extractRules.list(target)).value;
          const { rules: tableRules } = parseRuleTable(file);
          const difference = computeRuleDifference({
            tableRules,
            existingRules: current,
            binding: target,
            mode: 'all',
            findPartyId: ({ idOrName }) => idOrName,
          });
          const operation = createBulkRuleOperation(
            { connectionId: 'bench', within: [] },
            target,
            difference,
            batchBytes,
          );
          const { planHash } = await writer.plan(operation);
          await writer.run(operation, { approval: writer.approve(planHash) });
        });
      }),
    base: sendOneByOne,
  },
);
