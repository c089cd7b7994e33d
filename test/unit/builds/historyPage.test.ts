import { expect, test } from 'vitest';
import { formatHistoryCsv } from '../../../src/builds/historyCsv.ts';
import { createChartBars, groupHistory } from '../../../src/builds/historyGroups.ts';
import type { PastBuild } from '../../../src/builds/pastBuild.ts';
import { type HistoryLabels, renderHistoryPage } from '../../../src/features/builds/historyPage.ts';

const createPastBuild = (changes: Partial<PastBuild> = {}): PastBuild => ({
  connectionId: 'c',
  oid: 'b',
  datamodelId: 'm',
  datamodelTitle: 'Retail',
  buildType: 'full',
  outcome: 'done',
  ended: 1_000,
  durationMs: 60_000,
  ...changes,
});

const labels: HistoryLabels = {
  title: 'History',
  emptyMessage: 'Nothing yet',
  exportLink: 'Export',
  getConnectionName: (id) => id,
  formatType: ({ buildType }) => buildType ?? '',
  formatSummary: ({ count, failedCount }) => `${count} builds, ${failedCount} failed`,
  formatBuild: ({ oid }) => oid,
  formatOutcome: ({ outcome }) => outcome,
  formatTime: String,
  formatDuration: String,
  columns: ['Ended', 'Outcome', 'Duration', 'Reason'],
  details: 'Table',
};
const renderPage = (history: readonly PastBuild[]): string =>
  renderHistoryPage(groupHistory(history), labels, { nonce: 'n', language: 'en' });

test('builds are grouped by datamodel and type, latest first', () => {
  const groups = groupHistory([
    createPastBuild({ oid: '1' }),
    createPastBuild({ oid: '2', buildType: 'by_table', ended: 2_000 }),
    createPastBuild({ oid: '3', outcome: 'failed', durationMs: 5, ended: 3_000, datamodelTitle: 'Retail 2' }),
    createPastBuild({ oid: '4', durationMs: 20_000, ended: 4_000 }),
    createPastBuild({ oid: '5', rowLimit: 10, ended: 5_000 }),
    createPastBuild({ oid: '6', datamodelId: undefined, ended: 6_000 }),
  ]);
  expect(
    groups.map(({ title, count, failedCount, medianMs, isSample }) => [
      title,
      count,
      failedCount,
      medianMs,
      isSample,
    ]),
  ).toEqual([
    ['Retail', 1, 0, 60_000, false],
    ['Retail', 1, 0, 60_000, true],
    ['Retail', 3, 1, 40_000, false],
    ['Retail', 1, 0, 60_000, false],
  ]);
});

test('durations of a group are those of its successful builds, if they are known', () => {
  const [known, unknown] = groupHistory([
    createPastBuild({ durationMs: undefined }),
    createPastBuild({ datamodelId: 'n', durationMs: 90_000 }),
    createPastBuild({ datamodelId: 'n', outcome: 'cancelled', durationMs: 120_000 }),
    createPastBuild({ datamodelId: 'n', durationMs: 30_000, ended: 2_000 }),
  ]);
  expect([known?.medianMs, known?.longestMs]).toEqual([60_000, 90_000]);
  expect([unknown?.medianMs, unknown?.longestMs]).toEqual([undefined, undefined]);
});

test('the latest thirty builds of a group are in its chart, oldest first', () => {
  const history = Array.from({ length: 31 }, (_, index) =>
    createPastBuild({ oid: String(index), ended: index }),
  );
  const [group] = groupHistory(history);
  expect(group?.latestBuilds.map(({ oid }) => oid)).toEqual(history.slice(1).map(({ oid }) => oid));
  expect(group?.count).toBe(31);
});

test('the longest build has the highest bar, and one of unknown duration still has a bar', () => {
  const bars = createChartBars(
    [
      createPastBuild({ durationMs: 50 }),
      createPastBuild({ durationMs: 100 }),
      createPastBuild({ durationMs: undefined }),
    ],
    {
      height: 40,
      step: 10,
      minHeight: 3,
    },
  );
  expect(bars.map(({ x, height }) => [x, height])).toEqual([
    [0, 20],
    [10, 40],
    [20, 3],
  ]);
});

test('server text is shown as text, and the page runs no script', () => {
  const html = renderPage([
    createPastBuild({
      datamodelTitle: '<img src=x onerror=alert(1)>',
      reason: '"><script>1</script>',
      outcome: 'failed',
    }),
  ]);
  expect(html).not.toMatch(/<script|<img/);
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(html).toContain('default-src &#39;none&#39;; style-src &#39;nonce-n&#39;');
});

test('the chart has a text alternative, and failures are marked by shape', () => {
  const html = renderPage([createPastBuild(), createPastBuild({ oid: '2', outcome: 'failed' })]);
  expect(html).toContain('<svg role="img" aria-label="2 builds, 1 failed"');
  expect(html.match(/class="mark"/g)).toHaveLength(1);
  expect(html).toContain('<th scope="col">Outcome</th>');
});

test('an empty history is shown with a message', () => {
  expect(renderPage([])).toContain('Nothing yet');
});

test('the export is a table that a spreadsheet reads literally', () => {
  const csv = formatHistoryCsv(
    [createPastBuild({ reason: '=1+1', datamodelTitle: 'A, "B"\nC' })],
    () => 'Sandbox',
  );
  expect(csv.split('\n')[0]).toBe(
    'connection,datamodel,datamodelId,task,buildType,schemaOrigin,rowLimit,outcome,ended,durationSeconds,failedTable,reason',
  );
  expect(csv).toContain('"A, ""B""\nC"');
  expect(csv).toContain("'=1+1");
  expect(csv).toContain('1970-01-01T00:00:01.000Z,60');
});

test('what is not known of a build is empty in the export', () => {
  const unknown = { datamodelId: undefined, datamodelTitle: undefined, buildType: undefined };
  expect(
    formatHistoryCsv([createPastBuild({ ...unknown, durationMs: undefined })], () => 'Sandbox'),
  ).toContain('\nSandbox,,,b,,,,done,1970-01-01T00:00:01.000Z,,,\n');
});
