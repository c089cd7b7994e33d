import { effectiveAccess } from '../../src/security/index.ts';
import { getMedian, printFigure, roundTo } from './report.ts';

/** Effective access of a user in ten thousand groups, each with a rule, compared with reading those rules as JSON. */
const groupCount = 10_000;
const rounds = 15;
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

function measureMedianMs(work: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return getMedian(times);
}

for (const columnCount of [1, groupCount]) {
  const rules = createRules(columnCount);
  const text = JSON.stringify(rules);
  const party = { userId: 'anna', groupIds };
  const accessMs = measureMedianMs(() => effectiveAccess(rules, party, { groups: 'union' }));
  const parseMs = measureMedianMs(() => JSON.parse(text));
  printFigure({
    bench: `access.${groupCount}Groups.${columnCount === 1 ? 'oneColumn' : 'aColumnEach'}`,
    baseline: 'JSON.parse of the same rules',
    ratio: roundTo(accessMs / parseMs, 2),
    ms: roundTo(accessMs, 1),
    baselineMs: roundTo(parseMs, 1),
  });
}
