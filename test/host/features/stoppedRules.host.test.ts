import assert from 'node:assert/strict';
import { confirmRecovery } from '../support/plans.ts';
import { useFaults } from '../support/faults.ts';
import { TestFiles } from '../support/files.ts';
import { RuleChangeTab, ruleTableHeading } from '../support/ruleChangeTab.ts';
import { backUpRules, readColumnRules, retailRulesPath } from '../support/rules.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import type { HostStudio } from '../support/studio.ts';

const changeEntry = /^Changed the rules of Retail/;
const stopped = 'stopped, 1 request completed';
const denied = /For now, no values of Orders\.Status are visible to everyone else\./;

/** Imports rules that hide the status from everyone else first, and then give it to two groups. */
async function openStatusImport(studio: HostStudio, files: TestFiles): Promise<RuleChangeTab> {
  const rows = [
    'Orders,Status,text,nothing,,default,',
    'Orders,Status,text,only,Shipped,group,Sales',
    'Orders,Status,text,only,Open,group,Finance',
  ];
  const file = await files.write('status.csv', [ruleTableHeading, ...rows].join('\n'));
  const tab = await RuleChangeTab.importFile(studio, file);
  await tab.getView();
  return tab;
}

for (const profile of ['guide', 'contract'] as const) {
  describeStudio(
    `rule changes that stop, profile ${profile}`,
    async (disposables) => {
      const sandbox = disposables.use(await startHostSandbox({ profile }));
      const files = await TestFiles.create(disposables);
      return { sandbox, files, options: { env: sandbox.env } };
    },
    (test) => {
      test('say what has changed, list the requests that were sent, and are reported again after a reload', async ({
        studio,
        sandbox,
        files,
      }) => {
        await using _rules = await backUpRules(sandbox);
        const readRules = () => readColumnRules(sandbox, retailRulesPath, 'Orders.Status');
        const before = await readRules();
        const tab = await openStatusImport(studio, files);
        {
          await using _ = await useFaults(sandbox, { kind: 'status', status: 403, methods: ['POST'] });
          const { text } = await tab.run({ type: 'apply' });
          assert.match(text, /^Stopped\. 1 request was completed\. For now, /);
          assert.match(text, denied);
        }
        const { item } = await studio.tree.waitForItemText([changeEntry], new RegExp(stopped));
        assert.ok(typeof item.tooltip === 'string');
        assert.match(item.tooltip, denied);
        const labels = await studio.tree.getChildLabels([changeEntry]);
        assert.deepEqual(
          labels.filter((label) => ['POST', 'PUT', 'DELETE'].includes(label)),
          ['PUT', 'POST'],
        );

        // Nothing is shown twice: the page is still open.
        assert.deepEqual(studio.messages.open, []);
        await studio.runCommand('View: Close All Editors');
        const reminder = await studio.messages.find(new RegExp(stopped));
        assert.equal(reminder.severity, 'error', 'it stays until it is closed');
        assert.match(reminder.text, /^Changed the rules of Retail \(Sandbox\): /);
        assert.match(reminder.text, denied);
        assert.deepEqual(reminder.actions, ['Finish…', 'Roll Back…']);
        reminder.answer(undefined);

        await studio.reloadWindow();
        await studio.clickNotificationAction(new RegExp(stopped), 'Roll Back…');
        await confirmRecovery(studio, 'Roll Back');
        await studio.waitForStatusBarItem(/Rolled back: Changed the rules of Retail/);
        await studio.tree.waitForItemText([changeEntry], /undone|rolled back/);
        assert.deepEqual(await readRules(), before);

        studio.messages.reset();
        await studio.reloadWindow();
        await studio.tree.waitForItemText([changeEntry], /undone|rolled back/);
        assert.deepEqual(studio.messages.open, []);
      });
    },
  );
}
