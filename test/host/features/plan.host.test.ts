import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { setFaults } from '../../editor/support/faults.ts';
import type { ToPlanPage } from '../../../src/webviews/protocol/planPage.ts';
import { fetchViewpoint } from '../../editor/support/viewpointDocument.ts';
import { changeViewpoint, createViewpoint, documentSettings } from '../support/documents.ts';
import type { HostedPage } from '../support/pages.ts';
import { getSectionTexts, waitForPlan, waitForRun } from '../support/plans.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

type PlanMessage = Extract<ToPlanPage, { type: 'plan' }>;

/** Creates a viewpoint and shows the plan of its deletion. */
async function reviewDeletion(
  studio: HostStudio,
  sandbox: JourneySandbox,
  name: string,
): Promise<{ readonly page: HostedPage; readonly plan: PlanMessage }> {
  await createViewpoint(sandbox, name);
  await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
  await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints', name], 'Delete…');
  const page = await studio.findPage('datamodelStudio.plan', `Review Changes: Delete ${name}`);
  return { page, plan: await page.waitForMessage<PlanMessage>('plan') };
}

const waitForClosed = async ({ pages }: HostStudio): Promise<void> => {
  await waitFor(
    () => pages.open.length === 0,
    () => 'The plan stays open',
  );
};

describeStudio(
  'plans',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: documentSettings } };
  },
  (test) => {
    test('a plan says what will happen on which instance, and nothing is sent before the plan is applied', async ({
      studio,
      sandbox,
    }) => {
      const { page, plan } = await reviewDeletion(studio, sandbox, 'Planned');
      assert.equal(plan.view.title, 'Delete Planned');
      assert.deepEqual(plan.view.target, { text: 'Sandbox (development)', isProduction: false });
      assert.equal(plan.view.tone, 'warning');
      assert.equal(plan.view.summary, 'Nothing else depends on the deleted items.');
      assert.deepEqual(
        plan.view.sections.map(({ title, count, items }) => [title, count, items.map(({ text }) => text)]),
        [['Will be deleted', 1, ['Planned']]],
      );
      assert.equal(plan.view.applyLabel, 'Apply');
      assert.equal(plan.note, undefined);
      assert.equal((await fetchViewpoint(sandbox, 'Planned')).name, 'Planned');
      page.post({ type: 'apply' });
      await page.waitForMessage('busy');
      await studio.waitForStatusBarItem('Done: Delete Planned');
      await waitForClosed(studio);
      await assert.rejects(fetchViewpoint(sandbox, 'Planned'));
    });

    test('the plan to delete a table lists first who gains access to what', async ({ studio, sandbox }) => {
      const stores = ['Sandbox', 'Datamodels', 'Retail', 'Master Data', 'Stores'];
      await studio.chooseFromContextMenu(stores, 'Delete…');
      const page = await studio.findPage('datamodelStudio.plan', 'Review Changes: Delete Stores');
      const { view } = await page.waitForMessage<PlanMessage>('plan');
      assert.match(
        view.summary,
        /^Everyone else gains all rows of Orders, Order Items, and 8 more tables \(now: no rows, restricted by Regions\.Region\)\. 8 more users and groups gain access\. 2 more users and groups might gain access\. /,
      );
      assert.equal(view.target?.text, 'Sandbox (development) › Retail › Master Data');
      const [gainsSection] = view.sections;
      assert.deepEqual(
        [gainsSection?.title, gainsSection?.items[0]],
        [
          'Gains access',
          {
            icon: 'arrow-up',
            text: 'Everyone else',
            detail:
              'Orders, Order Items, Returns, Products, Categories, Customers, and 4 more tables: ' +
              'no rows, restricted by Regions.Region → all rows',
          },
        ],
      );
      page.post({ type: 'cancel' });
      await waitForClosed(studio);

      // If the rules can't be read, who gains access is unknown.
      await setFaults(sandbox, { kind: 'status', status: 403, pathPrefix: '/api/elasticubes' });
      await studio.chooseFromContextMenu(stores, 'Delete…');
      const uncheckedPage = await studio.findPage('datamodelStudio.plan', 'Review Changes: Delete Stores');
      const { view: uncheckedView } = await uncheckedPage.waitForMessage<PlanMessage>('plan');
      await setFaults(sandbox);
      const unchecked = uncheckedView.sections.find(({ title }) => title === 'Not checked');
      assert.ok(unchecked?.items.some(({ text }) => text === 'Who gains or loses access'));
      assert.doesNotMatch(uncheckedView.summary, /gain/);
      uncheckedPage.post({ type: 'cancel' });
      await waitForClosed(studio);
    });

    test('a rule that will break is shown with its cube set, party and values', async ({ studio }) => {
      await studio.chooseFromContextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
      await studio.submitInputBox('Regional Sales');
      await studio.submitInputBox('set');
      await studio.findTreeItem(['Sandbox', 'Cube Sets', 'Regional Sales']);
      const region = ['Sandbox', 'Datamodels', 'Retail', 'Master Data', 'Regions', 'Region'];
      await studio.chooseFromContextMenu(region, 'Delete…');
      const page = await studio.findPage('datamodelStudio.plan', 'Review Changes: Delete Region');
      const { view } = await page.waitForMessage<PlanMessage>('plan');
      const breaks = view.sections.find(({ title }) => title === 'Will break');
      const details = breaks?.items
        .map(({ detail = '' }) => detail)
        .filter((detail) => detail.startsWith('Regional Sales'));
      assert.deepEqual(details?.[0]?.split(' · '), [
        'Regional Sales',
        'group Sales North: only "Nordics", "North"',
        'data security rule: would have no effect',
        'refers to Regions.Region',
      ]);
      assert.equal(details?.length, 4);
      const gainTexts = view.sections[0]?.items.map(({ text, detail = '' }) => [
        text,
        detail.split(' · ')[0],
      ]);
      for (const title of ['Retail', 'cube set Regional Sales']) {
        assert.ok(
          gainTexts?.some((gain) => gain.join() === `Everyone else,${title}`),
          title,
        );
      }
      page.post({ type: 'cancel' });
      await waitForClosed(studio);
      await studio.chooseFromContextMenu(['Cube Sets', 'Regional Sales'], 'Remove Cube Set from List');
    });

    test('the plan lists as a next step to publish a live datamodel, or to build an extract', async ({
      studio,
    }) => {
      for (const [path, nextStep] of [
        [['Support Desk', 'Service Desk', 'Satisfaction'], 'Publish Support Desk'],
        [['Retail', 'Sales', 'Returns'], 'Build Retail'],
      ] as const) {
        await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', ...path], 'Delete…');
        const { page, plan } = await waitForPlan(studio, `Review Changes: Delete ${path[2]}`);
        assert.deepEqual(getSectionTexts(plan, 'Next steps'), [nextStep]);
        page.post({ type: 'cancel' });
        await waitForClosed(studio);
      }
    });

    test('a plan that is canceled, or whose page is closed, sends nothing', async ({ studio, sandbox }) => {
      const { page } = await reviewDeletion(studio, sandbox, 'Canceled');
      page.post({ type: 'cancel' });
      await waitForClosed(studio);
      await reviewDeletion(studio, sandbox, 'Closed');
      await studio.runCommand('View: Close Editor');
      await waitForClosed(studio);
      for (const name of ['Canceled', 'Closed']) {
        assert.equal((await fetchViewpoint(sandbox, name)).name, name);
      }
      assert.deepEqual(studio.messages.history, []);
    });

    test('resources are opened from a plan, and an unknown link opens nothing', async ({
      studio,
      sandbox,
    }) => {
      const { page, plan } = await reviewDeletion(studio, sandbox, 'Opened from its plan');
      page.post({ type: 'open', link: 99 });
      page.post({ type: 'unknown' });
      page.post({ type: 'open', link: plan.view.sections[0]?.items[0]?.link ?? -1 });
      await studio.waitForEditor('Opened from its plan.viewpoint.json');
      await studio.waitForEditorText(/"description": "First"/);
      assert.equal(studio.pages.open.length, 1, 'The plan stays open');
      assert.deepEqual(
        vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label)).toSorted(),
        ['Opened from its plan.viewpoint.json', 'Review Changes: Delete Opened from its plan'],
      );
      assert.deepEqual(studio.messages.history, []);
    });

    test('a plan is shown again, with a note, before anything is sent if another user has changed its resource', async ({
      studio,
      sandbox,
    }) => {
      const { page } = await reviewDeletion(studio, sandbox, 'Changed meanwhile');
      await changeViewpoint(sandbox, 'Changed meanwhile', { description: 'Theirs' });
      page.post({ type: 'apply' });
      const { note } = await page.waitForMessage<PlanMessage>('plan', (plan) => plan.note !== undefined);
      assert.equal(
        note,
        'The content on the server has changed in the meantime. Review the updated changes.',
      );
      assert.equal((await fetchViewpoint(sandbox, 'Changed meanwhile')).description, 'Theirs');
      page.post({ type: 'apply' });
      await waitForClosed(studio);
      await assert.rejects(fetchViewpoint(sandbox, 'Changed meanwhile'));
    });

    test('a plan that the server refuses stays open with the reason, and can be applied again', async ({
      studio,
      sandbox,
    }) => {
      const { page } = await reviewDeletion(studio, sandbox, 'Refused at first');
      await setFaults(sandbox, { kind: 'status', status: 403, methods: ['DELETE'] });
      page.post({ type: 'apply' });
      const { note } = await page.waitForMessage<PlanMessage>('plan', (plan) => plan.note !== undefined);
      assert.match(note ?? '', /403/);
      // A page that is loaded again gets the plan again, with its note.
      const messageCount = page.messages.length;
      page.load();
      await waitFor(
        () => page.messages.slice(messageCount).some(({ type }) => type === 'plan'),
        () => 'The reloaded page gets nothing',
      );
      assert.equal((await page.waitForMessage<PlanMessage>('plan')).note, note);
      await setFaults(sandbox);
      page.post({ type: 'apply' });
      await waitForClosed(studio);
      await assert.rejects(fetchViewpoint(sandbox, 'Refused at first'));
    });

    test('a plan that the server refuses after its page was closed shows the reason in a notification', async ({
      studio,
      sandbox,
    }) => {
      const { page } = await reviewDeletion(studio, sandbox, 'Refused later');
      await setFaults(
        sandbox,
        { kind: 'latency', ms: 3000, methods: ['DELETE'] },
        { kind: 'status', status: 403, methods: ['DELETE'] },
      );
      page.post({ type: 'apply' });
      await waitForRun(page);
      await studio.runCommand('View: Close Editor');
      await waitForClosed(studio);
      await studio.waitForNotification(/403/);
      await setFaults(sandbox);
      assert.equal((await fetchViewpoint(sandbox, 'Refused later')).name, 'Refused later');
    });
  },
);
