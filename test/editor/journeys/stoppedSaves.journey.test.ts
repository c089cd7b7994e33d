import assert from 'node:assert/strict';
import { getExpressionText } from '../../../src/contract/table.ts';
import type { Rule } from '../../../src/contract/rule.ts';
import { groups } from '../../../src/sandbox/seeds/people.ts';
import { fetchRetailRules, fetchTable } from '../support/demo.ts';
import { type JourneySandbox, startJourneySandbox } from '../support/journeySandbox.ts';
import { waitForDirtyState, replaceEditorText, pressSave } from '../support/editorState.ts';
import { createSharedStudio } from '../support/sharedStudio.ts';
import { resolveFromHistory, waitForHistoryOutcome, setRefusals } from '../support/interruptedChanges.ts';
import { textEditorSettings } from '../support/viewpointDocument.ts';

const journey = createSharedStudio(async (owned) => {
  const sandbox = owned.use(await startJourneySandbox());
  return { sandbox, options: { env: sandbox.env, settings: textEditorSettings } };
});

const live = ['Sandbox', 'Datamodels', 'Support Desk', 'Data Security', 'Agents.Team'] as const;
const orders = ['Sandbox', 'Datamodels', 'Retail', 'Sales', 'Orders'] as const;
const isStopped = /of \d+ requests were carried out/;

/** The rules of Agents.Team as stored in the sandbox. */
async function teamRules(sandbox: JourneySandbox): Promise<readonly Rule[]> {
  const path = '/api/v1/elasticubes/live/Support%20Desk/datasecurity';
  return ((await sandbox.request('GET', path)) as readonly Rule[]).filter(({ column }) => column === 'Team');
}

/** Their access: values, or whether all. A temporary deny rule would be one more. */
const shown = async (sandbox: JourneySandbox): Promise<readonly string[]> =>
  (await teamRules(sandbox))
    .map(({ members, allMembers }) => JSON.stringify([members, allMembers]))
    .toSorted();

const everyoneElse = '[[],true]';
const nothing = '[[],false]';

/** The text of the rules with other values in the rule that lists any. */
const withMembers = async (sandbox: JourneySandbox, members: readonly string[]): Promise<readonly Rule[]> =>
  (await teamRules(sandbox)).map((rule) =>
    rule.members?.length ? { ...rule, members: [...members] } : rule,
  );

journey(
  'a live rule whose deny rules the server keeps, even on rollback: reported, finished from the history, and saved again',
  async ({ studio, sandbox }) => {
    await studio.openView();
    await studio.tree.click([...live, /liam/]);
    await studio.openedEditor(/\.rule\.json$/);
    await studio.editorShows(/"First.Line"/);
    const rule = (await teamRules(sandbox)).find(({ members }) => members?.length);
    // For more people, too: then old and new rules can't coexist, and deny rules come first.
    const support = { type: 'group', partyId: groups.support._id, partyName: groups.support.name };
    const shares = [...(rule?.shares ?? []), support];
    const textWith = (...members: readonly string[]): string => JSON.stringify({ ...rule, members, shares });
    await replaceEditorText(studio, textWith('First Line', 'Second Line'));
    await waitForDirtyState(studio, true);
    await setRefusals(sandbox, { kind: 'status', status: 403, methods: ['DELETE'] });
    await pressSave(studio);
    await studio.notification(/Until then those whom the rules name see no value/);
    await waitForDirtyState(studio, true);
    assert.ok((await shown(sandbox)).includes(nothing), 'A deny rule stands');
    await studio.runCommand('Datamodel Studio: Focus on History View');
    await waitForHistoryOutcome(studio, /^Undid the change to /, 'failed');
    await waitForHistoryOutcome(studio, /^Changed /, 'failed');
    await studio.screenshot('save-stopped');
    await setRefusals(sandbox);
    await resolveFromHistory(studio, /^Changed /, 'Finish');
    assert.deepEqual(await shown(sandbox), ['[["First Line","Second Line"],null]', everyoneElse]);

    // The server already has the text, so there is nothing to send.
    await pressSave(studio);
    await waitForDirtyState(studio, false);
    await replaceEditorText(studio, textWith('Second Line'));
    await waitForDirtyState(studio, true);
    await pressSave(studio);
    await waitForDirtyState(studio, false);
    assert.deepEqual(await shown(sandbox), ['[["Second Line"],null]', everyoneElse]);
    await studio.runCommand('Datamodel Studio: Undo Last Change');
    await studio.dialogAction('Bring Back');
    await studio.statusBar(/Undone/);
    assert.deepEqual(await shown(sandbox), ['[["First Line","Second Line"],null]', everyoneElse]);
  },
);

journey(
  'a rule set that the server stopped: rolled back from the history, and saved again',
  async ({ studio, sandbox }) => {
    const before = await shown(sandbox);
    await studio.openView();
    await studio.contextMenu(live, 'Open as JSON');
    await studio.openedEditor('Agents.Team.rules.json');
    await studio.editorShows(/"liam/);
    await replaceEditorText(studio, JSON.stringify(await withMembers(sandbox, ['Third Line'])));
    await waitForDirtyState(studio, true);
    await setRefusals(sandbox, { kind: 'status', status: 403, methods: ['DELETE'] });
    await pressSave(studio);
    await studio.notification(isStopped);
    await waitForDirtyState(studio, true);
    await setRefusals(sandbox);
    await studio.runCommand('Datamodel Studio: Focus on History View');
    await waitForHistoryOutcome(studio, /^Changed Agents.Team/, 'stopped after 1 of 2 requests');
    await studio.screenshot('save-stopped-between');
    await resolveFromHistory(studio, /^Changed Agents.Team/, 'Roll Back');
    await waitForHistoryOutcome(studio, /^Changed Agents.Team/, 'undone');
    assert.deepEqual(await shown(sandbox), before);
    await studio.screenshot('save-taken-back');

    await pressSave(studio);
    await waitForDirtyState(studio, false);
    assert.deepEqual(await shown(sandbox), ['[["Third Line"],null]', everyoneElse]);
  },
);

journey(
  'a renamed column whose reference updates the server refused: finished from the history, and nothing is left on the old name',
  async ({ studio, sandbox }) => {
    await studio.openView();
    await studio.contextMenu(orders, 'Open as JSON');
    await studio.openedEditor('Orders.table.json');
    await studio.editorShows(/"Order.Id"/);
    const { table } = await fetchTable(sandbox, 'Retail', 'Orders');
    const renamed = (table.columns ?? []).map((column) =>
      column.name === 'Status' ? { ...column, name: 'State' } : column,
    );
    await replaceEditorText(studio, JSON.stringify({ ...table, columns: renamed }));
    await waitForDirtyState(studio, true);
    await setRefusals(sandbox, {
      kind: 'status',
      status: 403,
      methods: ['PATCH', 'PUT'],
      every: 2,
      count: 1,
    });
    await pressSave(studio);
    await studio.quickInput.shows('Customer Value');
    await studio.quickInput.pickMany([]);
    await studio.notification(isStopped);
    await waitForDirtyState(studio, true);
    await studio.runCommand('Datamodel Studio: Focus on History View');
    await waitForHistoryOutcome(studio, 'Changed Orders', /stopped after 1 of \d+ requests/);
    await setRefusals(sandbox);
    await resolveFromHistory(studio, 'Changed Orders', 'Finish');
    const value = await fetchTable(sandbox, 'Retail', 'Customer Value');
    assert.match(getExpressionText(value.table.expression) ?? '', /o\.\[State\] NOT IN/);
    const rules = (await fetchRetailRules(sandbox)).filter(({ column }) => column?.startsWith('Stat'));
    assert.deepEqual(
      rules.map(({ column }) => column),
      ['State', 'State'],
    );
    await studio.screenshot('rename-finished');
    // The SQL in the table itself was updated too, so there is no question and it stays.
    await pressSave(studio);
    await waitForDirtyState(studio, false);
    const after = await fetchTable(sandbox, 'Retail', 'Orders');
    assert.match(JSON.stringify(after.table), /CASE WHEN \[State\]/);
  },
);
