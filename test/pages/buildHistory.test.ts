import { expect, test } from 'vitest';
import { groupHistory } from '../../src/builds/historyGroups.ts';
import type { PastBuild } from '../../src/builds/pastBuild.ts';
import { type HistoryLabels, renderHistoryPage } from '../../src/features/builds/historyPage.ts';
import { TestPage, pageThemes, useBrowser } from './support/testPage.ts';

useBrowser();

const longTitle = `Retail ${'with_a_very_long_name_'.repeat(12)}`;

const createPastBuild = (index: number, changes: Partial<PastBuild> = {}): PastBuild => ({
  connectionId: 'c',
  oid: String(index),
  datamodelId: 'retail',
  datamodelTitle: 'Retail',
  buildType: 'full',
  outcome: 'done',
  ended: index * 60_000,
  durationMs: 1000 * (20 + (index % 7)),
  ...changes,
});

const history: readonly PastBuild[] = [
  ...Array.from({ length: 40 }, (_, index) => createPastBuild(index)),
  createPastBuild(40, { outcome: 'failed', failedTable: 'Orders', reason: '<b>no such column: Revenu</b>' }),
  createPastBuild(41, { outcome: 'cancelled' }),
  createPastBuild(42, { datamodelId: 'long', datamodelTitle: longTitle, outcome: 'gone' }),
];

const labels: HistoryLabels = {
  title: 'Build History',
  emptyMessage: 'No build has ended yet.',
  exportLink: 'Export…',
  getConnectionName: () => 'Sandbox',
  formatType: ({ buildType }) => buildType ?? '',
  formatSummary: ({ count, failedCount }) => `${count} builds, ${failedCount} failed`,
  formatBuild: ({ oid, outcome }) => `Build ${oid}: ${outcome}`,
  formatOutcome: ({ outcome }) => outcome,
  formatTime: (time) => new Date(time).toISOString().slice(11, 19),
  formatDuration: (value) => (value === undefined ? 'unknown' : `${value / 1000} s`),
  columns: ['Ended', 'Outcome', 'Duration', 'Reason'],
  details: 'As a table',
};

const openHistory = (builds: readonly PastBuild[]): Promise<TestPage<never, never>> =>
  TestPage.open('buildHistory', {
    html: renderHistoryPage(groupHistory(builds), labels, { nonce: 'test', language: 'en' }),
  });

test('a chart shows the latest builds, and a table lists them as text', async () => {
  const { page } = await openHistory(history);
  const chart = page.getByRole('img', { name: '42 builds, 1 failed' });
  expect(await chart.locator('rect').count()).toBe(30);
  // Color is not the only sign of a failure.
  expect(await chart.locator('.mark').count()).toBe(2);
  const section = page.locator('section').filter({ has: chart });
  const table = section.getByRole('table');
  expect(await table.isVisible()).toBe(false);
  await section.getByText('As a table').focus();
  await page.keyboard.press('Enter');
  await table.waitFor();
  expect(await table.getByRole('row').nth(2).getByRole('cell').allInnerTexts()).toEqual([
    '00:40:00',
    'failed',
    '25 s',
    'Orders: <b>no such column: Revenu</b>',
  ]);
  expect(await page.getByRole('link', { name: 'Export…' }).getAttribute('href')).toBe(
    'command:datamodelStudio.builds.exportHistory',
  );
});

test('a long name wraps: the page does not scroll sideways', async () => {
  const { page } = await openHistory(history);
  await page.setViewportSize({ width: 320, height: 600 });
  await page.getByText('As a table').first().click();
  const { scrollWidth, clientWidth } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
    clientWidth: document.documentElement.clientWidth,
  }));
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
});

test('without builds, the page says that no build has ended', async () => {
  const { page } = await openHistory([]);
  await page.getByText('No build has ended yet.').waitFor();
  expect(await page.getByRole('link').count()).toBe(0);
});

test.each(pageThemes)('the page is accessible in %s', async (theme) => {
  const testPage = await openHistory(history);
  await testPage.setTheme(theme);
  await testPage.page.getByText('As a table').last().click();
  await testPage.screenshot(`page-build-history-${theme}`);
  expect(await testPage.findAxeViolations()).toEqual([]);
  expect(await testPage.findLayoutProblems('page-build-history')).toEqual([]);
});
