import { effectiveAccess } from '../../src/security/index.ts';
import { getMedian, printFigure, roundTo } from './report.ts';

/** Effective access of a user in ten thousand groups, each with a rule, compared with reading those rules as JSON. */
const count = 10_000;
const rounds = 15;
const groupIds = Array.from({ length: count }, (_value, index) => `group-${index}`);

const ruleSet = (columns: number): readonly unknown[] =>
  groupIds.map((party, index) => ({
    table: 'Stores',
    column: `Column ${index % columns}`,
    datatype: 'text',
    members: [`Value ${index}`, 'North'],
    allMembers: null,
    exclusionary: false,
    shares: [{ party, type: 'group' }],
  }));

function timed(work: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return getMedian(times);
}

for (const columns of [1, count]) {
  const rules = ruleSet(columns);
  const text = JSON.stringify(rules);
  const party = { userId: 'anna', groupIds };
  const ours = timed(() => effectiveAccess(rules, party, { groups: 'union' }));
  const reading = timed(() => JSON.parse(text));
  printFigure({
    bench: `access.${count}Groups.${columns === 1 ? 'oneColumn' : 'aColumnEach'}`,
    beside: 'JSON.parse of the same rules',
    ratio: roundTo(ours / reading, 2),
    ms: roundTo(ours, 1),
    besideMs: roundTo(reading, 1),
  });
}
