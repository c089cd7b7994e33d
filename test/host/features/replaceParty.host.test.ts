import assert from 'node:assert/strict';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import type { ToPlanPage } from '../../../src/webviews/protocol/planPage.ts';
import { groups } from '../../../src/sandbox/seeds/people.ts';
import { useFaults } from '../support/faults.ts';
import { applyPlan, getSectionTexts, waitForPlan } from '../support/plans.ts';
import {
  backUpRules,
  marketingRulesPath,
  readColumnRules,
  retailRulesPath,
  supportRulesPath,
} from '../support/rules.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox } from '../support/suite.ts';

type PlanMessage = Extract<ToPlanPage, { type: 'plan' }>;

const command = 'Replace or Remove User or Group…';

async function pickGroup(studio: HostStudio, title: string, name: string): Promise<void> {
  await studio.quickInput.waitForTitle(title);
  await studio.selectQuickPick('Group…');
  // The previous list may still be closing.
  await studio.quickInput.waitForTitle(title);
  await studio.quickInput.waitForRow(name);
  await studio.selectQuickPick(name);
}

const openReview = async (studio: HostStudio, name: string, replacement?: string) => {
  await pickGroup(studio, 'Replace or Remove User or Group', name);
  if (replacement === undefined) {
    await studio.selectQuickPick('Remove from All Rules');
    return waitForPlan(studio, `Remove ${name} from Rules`);
  }
  await studio.selectQuickPick('Replace with Another…');
  await pickGroup(studio, `Replace ${name} With`, replacement);
  return waitForPlan(studio, `Replace ${name} with ${replacement} in Rules`);
};

/** The rules of all columns that the test changes. */
const readRules = async (sandbox: JourneySandbox): Promise<readonly (readonly string[])[]> => [
  await readColumnRules(sandbox, retailRulesPath, 'Regions.Region'),
  await readColumnRules(sandbox, retailRulesPath, 'Customers.Segment'),
  await readColumnRules(sandbox, marketingRulesPath, 'Campaigns.Channel'),
  await readColumnRules(sandbox, supportRulesPath, 'Tickets.Country'),
];

const getDetails = ({ view }: PlanMessage, title: string): readonly (string | undefined)[] =>
  (view.sections.find((section) => section.title === title)?.items ?? []).map(({ detail }) => detail);

describeOnSandbox('replacing a user or group', (test) => {
  test('a group is replaced in all datamodels after one review, and each change can be undone', async ({
    studio,
    sandbox,
  }) => {
    await using _retail = await backUpRules(sandbox);
    await using _marketing = await backUpRules(sandbox, marketingRulesPath);
    const before = await readRules(sandbox);
    await studio.chooseFromContextMenu(['Sandbox'], 'Data Security', command);
    const { page, plan } = await openReview(studio, 'Marketing', 'Data Team');
    // The summary starts with what the replaced group gains through the rules for everyone else.
    assert.match(plan.view.summary, /^Group Marketing gains all values of Campaigns\.Channel/);
    assert.equal(plan.view.applyLabel, 'Replace');
    const shared = getSectionTexts(plan, "Viewpoints shared with Marketing (sharing isn't changed)");
    assert.ok(shared.includes('Average Line Value by Brand'), shared.join(', '));
    assert.deepEqual(await readRules(sandbox), before, 'nothing was sent');
    assert.deepEqual(getSectionTexts(plan, 'Not searched'), [
      "Cube sets that aren't in the Connections view",
    ]);
    assert.deepEqual(getDetails(plan, 'Not searched'), [
      'The server has no list of cube sets. Add missing ones with Add Cube Set…, and run this command again.',
    ]);
    page.post({ type: 'apply' });
    const resultMessage = await page.waitForMessage<PlanMessage>(
      'plan',
      ({ view }) => view.isResult === true,
    );
    assert.deepEqual(getSectionTexts(resultMessage, 'Done').toSorted(), ['Marketing', 'Retail']);
    assert.match(resultMessage.view.summary, /^Done\./);
    assert.deepEqual(getSectionTexts(resultMessage, 'Not searched'), [
      "Cube sets that aren't in the Connections view",
    ]);
    page.post({ type: 'cancel' });
    const after = JSON.stringify(await readRules(sandbox));
    assert.ok(!after.includes('Marketing'), after);
    assert.equal(after.split('Data Team').length - 1, JSON.stringify(before).split('Marketing').length - 1);
    for (const title of ['Marketing', 'Retail']) {
      await studio.chooseFromContextMenu([`Changed the rules of ${title}`], 'Undo Change…');
      await applyPlan(studio, 'Undo: ');
      await studio.tree.waitForItemText([`Changed the rules of ${title}`], /undone/);
    }
    assert.deepEqual(await readRules(sandbox), before);
  });

  test('a column keeps its last rule, and a datamodel that fails does not prevent the others', async ({
    studio,
    sandbox,
  }) => {
    await using _retail = await backUpRules(sandbox);
    const rule = { datatype: 'text', members: ['Berlin'], allMembers: null, exclusionary: false };
    const shares = [{ type: 'group', party: groups.executives._id }];
    await sandbox.request('POST', retailRulesPath, [{ ...rule, table: 'Stores', column: 'City', shares }]);
    await studio.runCommand(`Datamodel Studio: ${command}`);
    const { page, plan } = await openReview(studio, 'Executives');
    assert.deepEqual(getSectionTexts(plan, 'Unchanged'), ['Stores.City']);
    assert.deepEqual(getDetails(plan, 'Unchanged'), [
      'Retail · the only rule on the column: without it, everyone would see all values',
    ]);
    const country = await readColumnRules(sandbox, supportRulesPath, 'Tickets.Country');
    {
      await using _ = await useFaults(sandbox, {
        kind: 'status',
        status: 403,
        methods: ['POST', 'DELETE'],
        pathPrefix: '/api/v1/elasticubes/live',
      });
      page.post({ type: 'apply' });
      const result = await page.waitForMessage<PlanMessage>('plan', ({ view }) => view.isResult === true);
      assert.deepEqual(getSectionTexts(result, 'Failed'), ['Support Desk']);
      assert.match(getDetails(result, 'Failed')[0] ?? '', /403|permission|not allowed/i);
      assert.deepEqual(getSectionTexts(result, 'Done'), ['Retail']);
      assert.deepEqual(getSectionTexts(result, 'Unchanged'), ['Stores.City']);
    }
    assert.deepEqual(await readColumnRules(sandbox, supportRulesPath, 'Tickets.Country'), country);
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Stores.City'), ['Executives: Berlin']);
    const region = await readColumnRules(sandbox, retailRulesPath, 'Regions.Region');
    assert.ok(!JSON.stringify(region).includes('Executives'));
  });

  test('a wait for a busy server is shown with the datamodel, and can be canceled', async ({
    studio,
    sandbox,
  }) => {
    await using _retail = await backUpRules(sandbox);
    await using _marketing = await backUpRules(sandbox, marketingRulesPath);
    const before = await readRules(sandbox);
    await studio.chooseFromContextMenu(['Sandbox'], 'Data Security', command);
    const { page } = await openReview(studio, 'Marketing', 'Data Team');
    await using _faults = await useFaults(sandbox, {
      kind: 'tooManyRequests',
      retryAfter: 60,
      methods: ['POST', 'PUT', 'DELETE'],
      pathPrefix: '/api/elasticubes',
    });
    page.post({ type: 'apply' });
    const wait = await studio.messages.find(
      /: (?:Marketing|Retail): The server is busy\. Trying again in 60 seconds\.$/,
    );
    assert.equal(wait.severity, 'progress');
    wait.answer('Cancel');
    await page.waitForMessage<PlanMessage>('plan', ({ view }) => view.isResult === true);
    assert.deepEqual(await readRules(sandbox), before);
  });

  test('a datamodel whose rules change during the review is skipped, and a group that no rule names is reported', async ({
    studio,
    sandbox,
  }) => {
    await using _retail = await backUpRules(sandbox);
    await studio.chooseFromContextMenu(['Sandbox'], 'Data Security', command);
    const { page } = await openReview(studio, 'Finance', 'Data Team');
    const [firstRule] = (await sandbox.request('GET', retailRulesPath)) as readonly {
      readonly _id: string;
    }[];
    await sandbox.request('DELETE', `/api/elasticubes/datasecurity/${firstRule?._id ?? ''}`);
    const before = await readColumnRules(sandbox, retailRulesPath, 'Regions.Region');
    page.post({ type: 'apply' });
    const result = await page.waitForMessage<PlanMessage>('plan', ({ view }) => view.isResult === true);
    assert.deepEqual(getDetails(result, 'Skipped'), ['its rules have changed on the server in the meantime']);
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Regions.Region'), before);
    page.post({ type: 'cancel' });
    await studio.chooseFromContextMenu(['Sandbox'], 'Data Security', command);
    await pickGroup(studio, 'Replace or Remove User or Group', 'Data Team');
    await studio.selectQuickPick('Remove from All Rules');
    await studio.waitForNotification(
      "No rules or viewpoints in Sandbox use Data Team. Cube sets that aren't in the Connections view weren't searched.",
    );
  });

  test('a cube set that is not confirmed counts as not searched, and a new datamodel is searched', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox, '/api/elasticubes/LocalHost/Quiet/datasecurity');
    await studio.chooseFromContextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
    await studio.submitInputBox('regional sales');
    await studio.submitInputBox('set');
    await studio.findTreeItem(['Cube Sets', 'regional sales']);
    await sandbox.request('POST', '/api/v2/datamodels', { title: 'Quiet', type: 'extract' });
    const rule = { table: 'Stores', column: 'City', datatype: 'text', members: ['Berlin'], allMembers: null };
    await sandbox.request('POST', '/api/elasticubes/LocalHost/Quiet/datasecurity', [
      { ...rule, exclusionary: false, shares: [{ type: 'group', party: groups.executives._id }] },
    ]);
    await studio.runCommand(`Datamodel Studio: ${command}`);
    const { plan } = await openReview(studio, 'Executives');
    assert.deepEqual(getSectionTexts(plan, 'Not searched'), [
      "Cube sets that aren't in the Connections view",
      'regional sales',
    ]);
    assert.match(getDetails(plan, 'Not searched')[1] ?? '', /^Not confirmed: the server returned no rules/);
    assert.ok(getDetails(plan, 'Unchanged').some((text) => text?.startsWith('Quiet · ') === true));
  });
});
