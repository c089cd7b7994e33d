import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { Dataset } from '../../../src/contract/datamodel.ts';
import { getExpressionText } from '../../../src/contract/table.ts';
import type { Rule } from '../../../src/contract/rule.ts';
import { groups } from '../../../src/sandbox/seeds/people.ts';
import { fetchDatamodel, fetchRetailRules, fetchTable } from '../../editor/support/demo.ts';
import { setFaults } from '../../editor/support/faults.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { documentSettings, save, expectSaveRefused, waitForSaved } from '../support/documents.ts';
import type { HostStudio } from '../support/studio.ts';
import {
  cancelPlan,
  endInterruptedChange,
  getSectionTexts,
  saveAfterReview,
  saveUntilStopped,
  undoLastChange,
  waitForPlan,
} from '../support/plans.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';

const live = ['Sandbox', 'Datamodels', 'Support Desk', 'Data Security', 'Agents.Team'] as const;
const retailRules = ['Sandbox', 'Datamodels', 'Retail', 'Data Security'] as const;
const orders = ['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'] as const;

/** The rules of Agents.Team as stored in the sandbox. */
async function fetchTeamRules(sandbox: JourneySandbox): Promise<readonly Rule[]> {
  const path = '/api/v1/elasticubes/live/Support%20Desk/datasecurity';
  return ((await sandbox.request('GET', path)) as readonly Rule[]).filter(({ column }) => column === 'Team');
}

/** The members and `allMembers` of each rule of Agents.Team. A temporary deny rule would be one more. */
const fetchTeamAccess = async (sandbox: JourneySandbox): Promise<readonly string[]> =>
  (await fetchTeamRules(sandbox))
    .map(({ members, allMembers }) => JSON.stringify([members, allMembers]))
    .toSorted();

const everyoneElseRule = '[[],true]';
const denyRule = '[[],false]';

/** The rules of Agents.Team, with other values in the rule that lists values. */
const fetchRulesWithMembers = async (
  sandbox: JourneySandbox,
  members: readonly string[],
): Promise<readonly Rule[]> =>
  (await fetchTeamRules(sandbox)).map((rule) =>
    rule.members?.length ? { ...rule, members: [...members] } : rule,
  );

/** No process has this ID. */
const deadPid = 2_147_483_647;

/** Makes the last change look as if its window had been killed, and reloads the window. */
async function interruptLastChange(studio: HostStudio): Promise<void> {
  const folder = join(studio.storageFolder.fsPath, 'history');
  const names = await readdir(folder, { recursive: true });
  const [newest = ''] = names
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .toReversed();
  const text = await readFile(join(folder, newest), 'utf8');
  const unfinished = text.replace(/\n\{"line":"end".*/, '').replace(/"pid":\d+/, `"pid":${deadPid}`);
  await writeFile(join(folder, newest), unfinished);
  await studio.reloadWindow();
}

const open = async (studio: HostStudio, tab: string | RegExp, text: RegExp): Promise<vscode.TextDocument> => {
  await studio.waitForEditor(tab);
  return (await studio.waitForEditorText(text)).document;
};

describeStudio(
  'saves that the server stops',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox());
    return { sandbox, options: { env: sandbox.env, settings: documentSettings } };
  },
  (test) => {
    test('a live rule whose deny rules the server keeps, even on rollback, is reported, finished from the history, and saved again', async ({
      studio,
      sandbox,
    }) => {
      const before = await fetchTeamAccess(sandbox);
      await studio.tree.click([...live, /liam/]);
      const document = await open(studio, /\.rule\.json$/, /"First Line"/);
      const rule = (await fetchTeamRules(sandbox)).find(({ members }) => members?.length);
      // The rule gets another party, too. Then, old and new rules can't coexist, and deny rules come first.
      const support = { type: 'group', partyId: groups.support._id, partyName: groups.support.name };
      const shares = [...(rule?.shares ?? []), support];
      const createText = (...members: readonly string[]): string =>
        JSON.stringify({ ...rule, members, shares });
      await studio.replaceText(createText('First Line', 'Second Line'));
      await setFaults(sandbox, { kind: 'status', status: 403, methods: ['DELETE'] });
      await saveUntilStopped(studio, document);
      await studio.waitForSaveError(
        /Until then, the users and groups named in the rules see no values of the column\./,
      );
      assert.ok((await fetchTeamAccess(sandbox)).includes(denyRule), 'A deny rule stands');
      await studio.tree.waitForItemText([/^Undid the change to /], /failed|stopped/);
      await studio.tree.waitForItemText([/^Changed the rule for /], /stopped, \d requests? completed/);
      await setFaults(sandbox);
      const { review, result } = await endInterruptedChange(studio, /^Changed the rule for /, 'Finish');
      assert.match(review.summary, /gain/);
      assert.match(review.summary, / This writes what the interrupted change hasn't written yet\.$/);
      assert.match(result.summary, /^Finished\. /);
      await studio.waitForStatusBarItem(/Finished: /);
      assert.deepEqual(await fetchTeamAccess(sandbox), [
        '[["First Line","Second Line"],null]',
        everyoneElseRule,
      ]);

      // The server already has the text, so there is nothing to send.
      await save(document);
      await studio.replaceText(createText('Second Line'));
      await save(document);
      assert.deepEqual(await fetchTeamAccess(sandbox), ['[["Second Line"],null]', everyoneElseRule]);
      await undoLastChange(studio);
      await studio.waitForStatusBarItem(/Undone/);
      assert.deepEqual(await fetchTeamAccess(sandbox), [
        '[["First Line","Second Line"],null]',
        everyoneElseRule,
      ]);
      assert.notDeepEqual(before, await fetchTeamAccess(sandbox));
    });

    test('a rule set whose save the server stopped is rolled back from the history, and saved again', async ({
      studio,
      sandbox,
    }) => {
      const before = await fetchTeamAccess(sandbox);
      await studio.chooseFromContextMenu(live, 'Open as JSON');
      const document = await open(studio, 'Agents.Team.rules.json', /"liam/);
      await studio.replaceText(JSON.stringify(await fetchRulesWithMembers(sandbox, ['Third Line'])));
      await setFaults(sandbox, { kind: 'status', status: 403, methods: ['DELETE'] });
      await saveUntilStopped(studio, document);
      const error = await studio.waitForSaveError(/Requests completed: 1 of 2\./);
      assert.match(
        error,
        /The next save checks the server and sends the remaining requests, after a review if required\.$/,
      );
      await setFaults(sandbox);
      await studio.tree.waitForItemText(
        [/^Changed the rules on Agents.Team/],
        /stopped, 1 request completed/,
      );
      const { review, result } = await endInterruptedChange(
        studio,
        /^Changed the rules on Agents.Team/,
        'Roll Back',
      );
      assert.match(review.summary, / This undoes what the interrupted change has written\.$/);
      assert.equal(result.summary, 'Rolled back.');
      await studio.waitForStatusBarItem(/Rolled back: /);
      await studio.tree.waitForItemText([/^Changed the rules on Agents.Team/], /undone/);
      assert.deepEqual(await fetchTeamAccess(sandbox), before);

      await saveAfterReview(studio, document);
      assert.deepEqual(await fetchTeamAccess(sandbox), ['[["Third Line"],null]', everyoneElseRule]);
    });

    test('a save without a review shows in a notification that it waits for a busy server, and can be canceled there', async ({
      studio,
      sandbox,
    }) => {
      const fetchRegionRules = async () =>
        (await fetchRetailRules(sandbox)).filter(({ column }) => column === 'Region');
      const getMembers = (rules: readonly Rule[]) =>
        rules.flatMap(({ members }) => members?.map(String) ?? []);
      const before = await fetchRegionRules();
      await studio.chooseFromContextMenu([...retailRules, 'Regions.Region'], 'Open as JSON');
      const document = await open(studio, 'Regions.Region.rules.json', /"Nordics"/);
      // Nobody gains access, so there is no review.
      const narrowed = before.map(({ members, ...others }) => ({
        ...others,
        members: members?.length ? members.slice(0, 1) : [],
      }));
      await studio.replaceText(JSON.stringify(narrowed));
      const waiting =
        /^Saving .*Regions\.Region.*: The server is busy\. Trying again in (1 second|60 seconds)\.$/;
      const beBusy = (options: { retryAfter: number; count?: number }) =>
        setFaults(sandbox, { kind: 'tooManyRequests', methods: ['POST', 'PUT', 'DELETE'], ...options });
      await beBusy({ retryAfter: 60 });
      const saving = document.save();
      await studio.messages.clickAction(waiting, 'Cancel');
      await studio.waitForSaveError(
        'Canceled. Nothing has changed on the server so far, but a request might still take effect.',
      );
      assert.equal(await saving, false);
      await studio.messages.waitForGone(/^Saving /);
      assert.equal(document.isDirty, true);
      assert.deepEqual(getMembers(await fetchRegionRules()), getMembers(before));
      await beBusy({ retryAfter: 1, count: 1 });
      const completed = document.save();
      await studio.messages.find(waiting);
      assert.equal(await completed, true);
      await studio.messages.waitForGone(/^Saving /);
      assert.deepEqual(getMembers(await fetchRegionRules()).toSorted(), getMembers(narrowed).toSorted());
    });

    test('a save shows in a notification that it waits for another change of the connection, and can be canceled there', async ({
      studio,
      sandbox,
    }) => {
      const describe = async (name: string, path: readonly string[]) => {
        await studio.chooseFromContextMenu(path, 'Open as JSON');
        const document = await open(studio, `${name}.table.json`, /"description"/);
        const { table } = await fetchTable(sandbox, 'Retail', name);
        await studio.replaceText(JSON.stringify({ ...table, description: 'Mine' }));
        return document;
      };
      const storesDocument = await describe('Stores', [...orders.slice(0, 3), 'Master Data', 'Stores']);
      await setFaults(sandbox, { kind: 'tooManyRequests', methods: ['PATCH'], retryAfter: 60 });
      const saving = storesDocument.save();
      const busy = await studio.messages.find(/^Saving .*Stores.*: The server is busy\. /);
      const ordersDocument = await describe('Orders', orders);
      const queued = ordersDocument.save();
      await studio.messages.clickAction(
        /^Saving .*Orders.*: Waiting until another change is completed\.$/,
        'Cancel',
      );
      await studio.waitForSaveError('You canceled the change.');
      assert.equal(await queued, false);
      await studio.messages.waitForGone(/^Saving .*Orders/);
      assert.equal(ordersDocument.isDirty, true);
      busy.answer('Cancel');
      assert.equal(await saving, false);
      await studio.messages.waitForGone(/^Saving /);
      await setFaults(sandbox);
      await save(ordersDocument);
      assert.equal((await fetchTable(sandbox, 'Retail', 'Orders')).table.description, 'Mine');
    });

    test('a rename whose updates of references the server refused is finished from the history, and no reference keeps the old name', async ({
      studio,
      sandbox,
    }) => {
      await studio.chooseFromContextMenu(orders, 'Open as JSON');
      const document = await open(studio, 'Orders.table.json', /"Order Id"/);
      const { table } = await fetchTable(sandbox, 'Retail', 'Orders');
      const renamed = (table.columns ?? []).map((column) =>
        column.name === 'Status' ? { ...column, name: 'State' } : column,
      );
      await studio.replaceText(JSON.stringify({ ...table, columns: renamed }));
      // The SQL of another column has the old name until the save updates it.
      await studio.waitForProblemsWithText(document.uri, /"Status"/);
      await setFaults(sandbox, {
        kind: 'status',
        status: 403,
        methods: ['PATCH', 'PUT'],
        every: 2,
        count: 1,
      });
      await expectSaveRefused(document);
      await studio.quickInput.waitForRow('Customer Value');
      const prompt = studio.quickInput.current;
      prompt?.choose(prompt.getItems().filter(({ picked }) => picked));
      await studio.waitForSaveError(/Requests completed: \d+ of \d+/);
      assert.equal(document.isDirty, true);
      await studio.tree.waitForItemText(['Changed Orders'], /stopped, 1 request completed/);
      await setFaults(sandbox);
      const { result } = await endInterruptedChange(studio, 'Changed Orders', 'Finish');
      // The table itself was written before.
      assert.deepEqual(getSectionTexts({ type: 'plan', view: result }, 'Next steps'), ['Build Retail']);
      const value = await fetchTable(sandbox, 'Retail', 'Customer Value');
      assert.match(getExpressionText(value.table.expression) ?? '', /o\.\[State\] NOT IN/);
      const rules = (await fetchRetailRules(sandbox)).filter(({ column }) => column?.startsWith('Stat'));
      assert.deepEqual(
        rules.map(({ column }) => column),
        ['State', 'State'],
      );
      // The SQL in the table itself was updated too, so there is no question and it stays.
      await save(document);
      assert.equal(studio.quickInput.current, undefined);
      const after = await fetchTable(sandbox, 'Retail', 'Orders');
      assert.match(JSON.stringify(after.table), /CASE WHEN \[State\]/);
    });

    test('an interrupted save with a password is rolled back once the previous password is entered', async ({
      studio,
      sandbox,
    }) => {
      const datamodel = await fetchDatamodel(sandbox, 'Marketing');
      const { oid } = datamodel.datasets?.find(({ name }) => name === 'Campaigns') ?? {};
      const path = `/api/v2/datamodels/${datamodel.oid}/datasets/${oid}`;
      const fetchConnection = async () => ((await sandbox.request('GET', path)) as Dataset).connection;
      const createConnection = (fileName: string, Password: string) => ({
        provider: 'CSV',
        fileName,
        parameters: { files: [fileName], Password },
      });
      await sandbox.request('PATCH', path, { connection: createConnection('former.csv', 'former') });
      await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Marketing'], 'Refresh');
      await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Marketing', 'Campaigns'], 'Open as JSON');
      const document = await open(studio, 'Campaigns.dataset.json', /former\.csv/);
      await studio.replaceText(document.getText().replaceAll('former.csv', 'new.csv'));
      await expectSaveRefused(document);
      await studio.submitInputBox('new');
      await waitForSaved(document);
      await interruptLastChange(studio);

      await studio.clickNotificationAction(/^Changed Campaigns \(Sandbox\): interrupted/, 'Roll Back…');
      await cancelPlan(studio, (await waitForPlan(studio, 'Roll Back: Changed Campaigns')).page);
      assert.equal((await fetchConnection())?.fileName, 'new.csv');
      assert.deepEqual(studio.messages.open, []);

      await interruptLastChange(studio);
      await studio.clickNotificationAction(/^Changed Campaigns \(Sandbox\): interrupted/, 'Roll Back…');
      const { page } = await waitForPlan(studio, 'Roll Back: Changed Campaigns');
      page.post({ type: 'apply' });
      await studio.quickInput.waitForTitle('Secrets of Campaigns');
      await studio.submitInputBox('former');
      await studio.waitForStatusBarItem('Rolled back: Changed Campaigns');
      const { fileName, parameters } = (await fetchConnection()) ?? {};
      assert.deepEqual(
        { fileName, parameters },
        {
          fileName: 'former.csv',
          parameters: { files: ['former.csv'], Password: 'former' },
        },
      );
      await studio.tree.waitForItemText(['Changed Campaigns'], /undone/);
    });
  },
);
