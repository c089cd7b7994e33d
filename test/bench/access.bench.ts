import { effectiveAccess } from '../../src/security/index.ts';
import { compare, measureCpuMs } from './harness/bench.ts';

/** Effective access of a user in ten thousand groups, each with a rule, compared with reading those rules as JSON. */
const groupCount = 10_000;
const groupIds = Array.from({ length: groupCount }, (_value, index) => `group-${index}`);

const createRules = (columnCount: number): readonly unknown[] =>
  groupIds.map((party, index) => ({
    table: 'Stores',
    column: `Column ${index % columnCount}`,
    datatype: 'text',
    members: [`Value ${index}`, 'North'],
    allMembers: null,
    exclusionary: false,
    shares: [{ party, type: 'group' }],
  }));

for (const columnCount of [1, groupCount]) {
  const rules = createRules(columnCount);
  const text = JSON.stringify(rules);
  const party = { userId: 'anna', groupIds };
  const isOneColumn = columnCount === 1;
  await compare(
    {
      name: isOneColumn ? 'oneColumn' : 'aColumnEach',
      what: `Effective access of a user in ${groupCount.toLocaleString('en-US')} groups, ${isOneColumn ? 'all rules on one column' : 'each rule on another column'}`,
      baseline: '`JSON.parse` of the rules',
      warmups: 5,
    },
    {
      subject: () => measureCpuMs(() => effectiveAccess(rules, party, { groups: 'union' })),
      base: () => measureCpuMs(() => JSON.parse(text)),
    },
  );
}
