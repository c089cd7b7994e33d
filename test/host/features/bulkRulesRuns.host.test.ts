import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangeResultView } from '../../../src/webviews/protocol/ruleChange.ts';
import { fetchRetailRules } from '../../editor/support/demo.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import {
  confirmPlan,
  confirmRecovery,
  endInterruptedChange,
  waitForClosed,
  waitForPlan,
} from '../support/plans.ts';
import { useFaults } from '../support/faults.ts';
import { prepareSandboxAndFiles, type TestFiles } from '../support/files.ts';
import { RuleChangeTab, ruleTableHeading } from '../support/ruleChangeTab.ts';
import { backUpRules, readColumnRules, retailRulesPath } from '../support/rules.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio } from '../support/suite.ts';

const userCount = 200;
/** The instance does not list these users, so they are named by their IDs. */
const idPrefix = '5f0000000000000000';
/** Longer than the minimum interval of progress messages, so that each request causes one. */
const slowRequests = { kind: 'latency', ms: 600, pathPrefix: '/api' };
const slowPosts = { ...slowRequests, methods: ['POST'] };
const changeEntry = /^Changed the rules of /;

/** Opens an import of many rules, which takes many requests. */
async function openLongImport(studio: HostStudio, files: TestFiles): Promise<RuleChangeTab> {
  await studio.changeSetting('datamodelStudio.rules.batchSize', 4);
  const rows = Array.from(
    { length: userCount },
    (_none, index) => `Regions,Region,text,only,North,user,${idPrefix}${index.toString(16).padStart(6, '0')}`,
  );
  const file = await files.write('many.csv', [ruleTableHeading, ...rows].join('\n'));
  const tab = await RuleChangeTab.importFile(studio, file);
  assert.equal((await tab.getView()).changes.filter(({ kind }) => kind === 'add').length, userCount);
  return tab;
}

/** Applies the import, and waits until more than a quarter of its rules were imported. */
async function applyPart(tab: RuleChangeTab): Promise<void> {
  const before = tab.countMessages('running');
  tab.post({ type: 'apply' });
  await tab.waitForMessage(
    'running',
    ({ done }) => tab.countMessages('running') > before && done > userCount / 4,
  );
}

/** Applies the import, and cancels it when some of the rules were imported. */
async function cancelPartway(tab: RuleChangeTab, sandbox: JourneySandbox): Promise<ChangeResultView> {
  await using _ = await useFaults(sandbox, slowPosts);
  await applyPart(tab);
  return tab.run({ type: 'cancel' });
}

const countImported = async (sandbox: JourneySandbox): Promise<number> =>
  (await fetchRetailRules(sandbox)).filter(({ shares }) => JSON.stringify(shares).includes(idPrefix)).length;

describeStudio('long imports of rules', prepareSandboxAndFiles, (test) => {
  test('an import that was canceled survives a reload of the window, and is finished from the history', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const tab = await openLongImport(studio, files);
    const result = await cancelPartway(tab, sandbox);
    const [, done] = /^Canceled\. (\d+) requests were completed\./.exec(result.text) ?? [];
    assert.ok(Number(done) > 0, result.text);
    assert.deepEqual([result.state, result.canResume, result.problem], ['stopped', true, undefined]);
    assert.ok((await countImported(sandbox)) > 0);
    await studio.reloadWindow();
    await studio.tree.waitForItemText([changeEntry], new RegExp(`canceled, ${done} requests completed`));
    await endInterruptedChange(studio, changeEntry, 'Finish');
    await studio.waitForStatusBarItem(/Finished: Changed the rules of Retail/);
    await studio.tree.waitForItemText([changeEntry], /^(?!.*(stopped|canceled|in progress))/);
    assert.equal(await countImported(sandbox), userCount);
    assert.deepEqual(
      (await readColumnRules(sandbox, retailRulesPath, 'Regions.Region')).filter(
        (line) => !line.startsWith(idPrefix),
      ),
      [],
      'the rules that were there before are replaced',
    );
  });

  test('an import that is canceled before its first write changes nothing, and its page shows the comparison again', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const before = await fetchRetailRules(sandbox);
    const tab = await openLongImport(studio, files);
    const view = await tab.getView();
    {
      await using _ = await useFaults(sandbox, { ...slowRequests, methods: ['GET'] });
      tab.post({ type: 'apply' });
      await studio.clickNotificationAction('Changing the rules of Retail', 'Cancel');
      const canceledMessage = await tab.waitForMessage('view', ({ note }) => note !== undefined);
      assert.equal(canceledMessage.note, 'Canceled. Nothing was sent.');
      assert.deepEqual(canceledMessage.view, view);
      assert.deepEqual(await fetchRetailRules(sandbox), before);
    }
    // A resumed import that is canceled keeps its earlier progress.
    const stopped = await cancelPartway(tab, sandbox);
    {
      await using _ = await useFaults(sandbox, { ...slowRequests, methods: ['GET'] });
      const ended = tab.countMessages('ended');
      tab.post({ type: 'resume' });
      await studio.clickNotificationAction('Changing the rules of Retail', 'Cancel');
      const { result } = await tab.waitForMessage('ended', () => tab.countMessages('ended') > ended);
      assert.deepEqual(result, stopped);
    }
    assert.equal(tab.countMessages('failed'), 0);
    assert.equal((await tab.run({ type: 'resume' })).state, 'done');
  });

  test('an import that was canceled is resumed from its page, with its progress in a notification', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const tab = await openLongImport(studio, files);
    {
      await using _ = await useFaults(sandbox, slowPosts);
      tab.post({ type: 'apply' });
      await studio.clickNotificationAction(/^Changing the rules of Retail: \d\d+ of \d+ rules$/, 'Cancel');
      await tab.waitForMessage('ended', ({ result }) => result.state === 'stopped');
    }
    const result = await tab.run({ type: 'resume' });
    assert.deepEqual(result, {
      state: 'done',
      text: 'Done. The rules on the server are up to date.',
      canResume: false,
      canUndo: true,
    });
    assert.equal(await countImported(sandbox), userCount);
    await studio.waitForNotificationGone(/^Changing the rules of Retail/);
  });

  test('a canceled import is rolled back from its page or from the history', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const before = await readColumnRules(sandbox, retailRulesPath, 'Regions.Region');
    const tab = await openLongImport(studio, files);
    await cancelPartway(tab, sandbox);
    const viewCount = tab.countMessages('view');
    tab.post({ type: 'undo' });
    await confirmRecovery(studio, 'Roll Back');
    await tab.waitForNextView(viewCount);
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Regions.Region'), before);

    await cancelPartway(tab, sandbox);
    assert.ok((await countImported(sandbox)) > 0);
    await studio.tree.waitForItemText([changeEntry], /canceled/);
    await studio.runCommand('View: Close All Editors');
    studio.status.reset();
    await endInterruptedChange(studio, changeEntry, 'Roll Back');
    await studio.waitForStatusBarItem(/Rolled back: Changed the rules of Retail/);
    await studio.tree.waitForItemText([changeEntry], /undone/);
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Regions.Region'), before);
  });

  test('an import whose rollback was canceled partway is finished in two reviews', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const tab = await openLongImport(studio, files);
    await cancelPartway(tab, sandbox);
    await studio.runCommand('View: Close All Editors');
    studio.status.reset();
    {
      await using _ = await useFaults(sandbox, { ...slowRequests, methods: ['DELETE'] });
      const rolledBack = endInterruptedChange(studio, changeEntry, 'Roll Back');
      await studio.clickNotificationAction(/^Changed the rules of Retail: \d+ of \d+ rules$/, 'Cancel');
      const { result } = await rolledBack;
      assert.match(result.summary, /^Stopped\. .* You canceled the change\. /);
      assert.equal(result.followUp, 'Show History');
    }
    void studio.chooseFromContextMenu([changeEntry], 'Finish Interrupted Change…');
    const first = await waitForPlan(studio, 'Finish: ');
    assert.equal(first.plan.view.applyLabel, 'Undo Rollback');
    assert.match(first.plan.view.summary, / A rollback of this change was interrupted\. /);
    const { summary, followUp } = await confirmPlan(first.page);
    assert.equal(summary, 'The interrupted rollback is undone. The change itself is still interrupted.');
    assert.equal(followUp, 'Continue');
    first.page.post({ type: 'followUp' });
    await waitForClosed(studio, first.page);
    const { review, result } = await confirmRecovery(studio, 'Finish');
    assert.equal(review.applyLabel, 'Finish');
    assert.match(result.summary, /^Finished\. /);
    assert.equal(await countImported(sandbox), userCount);
  });

  test('an import that the server stops says why in its report, and is resumed once the server accepts it', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const tab = await openLongImport(studio, files);
    {
      await using _ = await useFaults(sandbox, { kind: 'status', status: 403, methods: ['DELETE'] });
      const result = await tab.run({ type: 'apply' });
      assert.match(result.text, /^Stopped\. \d+ requests were completed\./);
      assert.match(result.problem ?? '', /403/);
      tab.post({ type: 'report' });
      const { document } = await studio.waitForEditorText('# Import rules into Retail');
      assert.match(document.getText(), /^\| Reason \| .*403/m);
      assert.match(document.getText(), /^\| Delete \| \d+ \| not (sent|completed) \|/m);
    }
    assert.equal((await tab.run({ type: 'resume' })).state, 'done');
    assert.equal(await countImported(sandbox), userCount);
  });

  test('resuming or rolling back an import whose history entry is gone shows a message that says so', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const tab = await openLongImport(studio, files);
    {
      await using _ = await useFaults(sandbox, { kind: 'status', status: 403, methods: ['DELETE'] });
      assert.equal((await tab.run({ type: 'apply' })).state, 'stopped');
    }
    await rm(join(studio.storageFolder.fsPath, 'history'), { recursive: true });
    for (const type of ['resume', 'undo'] as const) {
      studio.messages.reset();
      tab.post({ type });
      await studio.waitForNotification('The history no longer contains this entry.');
    }
  });

  test('an import whose page is closed goes on, and a message says how it ended', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const tab = await openLongImport(studio, files);
    {
      await using _ = await useFaults(sandbox, slowPosts);
      await applyPart(tab);
      await studio.runCommand('View: Close All Editors');
    }
    await studio.waitForNotification('Done. The rules on the server are up to date.');
    assert.equal(await countImported(sandbox), userCount);
  });
});
