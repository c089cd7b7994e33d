import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Log, silentLog } from '../../../../src/base/log.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { formatIssueReport } from '../../../../src/connections/report/issueReport.ts';
import { RecentProblems } from '../../../../src/connections/report/recentProblems.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

const clock = { ...systemClock, now: () => Date.UTC(2026, 0, 2) };
const labels = {
  title: 'Issue',
  note: 'Note',
  questions: 'Steps',
  versions: 'Versions',
  connections: 'Connections',
  settings: 'Settings',
  problems: 'Problems',
  none: 'None.',
};
const formatReport = (problems: RecentProblems): string =>
  formatIssueReport(
    { versions: {}, changedSettings: [], connections: [], problems: problems.recent },
    labels,
  );

describe('the record of problems', () => {
  test('contains only their endpoint, command, code, status and error class', () => {
    const problems = new RecentProblems(silentLog, clock);
    problems.warn('http', 'failed', { endpoint: 'rules.list', path: '/secret', code: 'network-dns' });
    problems.debug('http', 'answered', { endpoint: 'rules.list', status: 403 });
    problems.error('commands', 'Failed', {
      command: 'datamodelStudio.builds.start',
      reason: 'HttpError: POST https://bi.example.com/api/v2/builds answered 500: Orders is broken',
    });
    expect(problems.recent.map(({ tag, message, identifiers }) => [tag, message, ...identifiers])).toEqual([
      ['http', 'failed', 'rules.list', 'network-dns'],
      ['http', 'answered', 'rules.list', '403'],
      ['commands', 'Failed', 'datamodelStudio.builds.start', 'HttpError'],
    ]);
    expect(formatReport(problems)).not.toMatch(/secret|example|Orders/);
  });

  test('contains no successes, and only the last twenty problems', () => {
    const problems = new RecentProblems(silentLog, clock);
    problems.debug('http', 'answered', { status: 200 });
    problems.debug('sql', 'answered', { status: 500 });
    problems.info('builds', 'started');
    expect(problems.recent).toEqual([]);
    for (let index = 0; index < 30; index += 1) {
      problems.warn('builds', `Problem ${index}`);
    }
    expect(problems.recent).toHaveLength(20);
    expect(problems.recent.at(-1)?.message).toBe('Problem 29');
  });

  test('passes everything to the log unchanged', () => {
    const lines: unknown[] = [];
    const record = (...entry: unknown[]): void => void lines.push(entry);
    const log: Log = { debug: record, info: record, warn: record, error: record };
    const problems = new RecentProblems(log, clock);
    problems.debug('sql', 'a', { x: 1 });
    problems.info('sql', 'b');
    problems.warn('sql', 'c', { reason: 'd' });
    problems.error('sql', 'e');
    expect(lines).toEqual([
      ['sql', 'a', { x: 1 }],
      ['sql', 'b', undefined],
      ['sql', 'c', { reason: 'd' }],
      ['sql', 'e', undefined],
    ]);
  });

  test('whatever the facts, a report contains none of their addresses, tokens or names', () => {
    const secret = fc
      .tuple(fc.constantFrom('https://', 'Bearer ', 'Kunden ', 'a/b/', '<b>'), fc.uuid())
      .map((parts) => parts.join(''));
    const facts = fc.dictionary(
      fc.constantFrom('reason', 'path', 'code', 'endpoint', 'command', 'node', 'connection', 'document'),
      secret,
    );
    fc.assert(
      fc.property(facts, (secretFacts) => {
        const problems = new RecentProblems(silentLog, clock);
        problems.error('documents', 'Failed', secretFacts);
        const text = formatReport(problems);
        expect(Object.values(secretFacts).some((value) => text.includes(value))).toBe(false);
      }),
      { numRuns: getPropertyRuns(200) },
    );
  });
});

test('a report counts connections by role, and names settings', () => {
  const text = formatIssueReport(
    {
      versions: { Extension: '0.1.0' },
      changedSettings: ['datamodelStudio.history.maxAge'],
      connections: [
        { kind: 'remote', role: 'production' },
        { kind: 'sandbox', role: 'development' },
        { kind: 'remote', role: 'production' },
      ],
      problems: [],
    },
    labels,
  );
  expect(text).toContain('- Extension: 0.1.0');
  expect(text).toContain('- 2 × remote, production\n- 1 × sandbox, development');
  expect(text).toContain('- `datamodelStudio.history.maxAge`');
  expect(text).toMatch(/## Problems\n\nNone\./);
});
