import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { fetchRetailRules } from '../../editor/support/demo.ts';
import { createDatamodel } from '../support/builds.ts';
import { addConnection, removeConnections } from '../support/connections.ts';
import { prepareSandboxAndFiles } from '../support/files.ts';
import { RuleChangeTab, formatChanges, retailSecurity, ruleTableHeading } from '../support/ruleChangeTab.ts';
import {
  backUpRules,
  marketingRulesPath,
  readColumnRules,
  retailRulesPath,
  supportRulesPath,
} from '../support/rules.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';

const country = 'Tickets.Country';

async function copyToSupportDesk(studio: HostStudio): Promise<RuleChangeTab> {
  await studio.chooseFromContextMenu(retailSecurity, 'Copy Rules To…');
  await studio.quickInput.waitForTitle('Copy Rules of Retail To');
  assert.ok(!(await studio.quickInput.getLabels()).includes('Retail'));
  await studio.selectQuickPick('Support Desk');
  return RuleChangeTab.find(studio, 'Copy rules: Retail → Support Desk');
}

describeStudio('copies of rules', prepareSandboxAndFiles, (test) => {
  test('a rule that hides values is copied to a live datamodel only after it is rewritten as a list of allowed values', async ({
    studio,
    sandbox,
  }) => {
    const before = await readColumnRules(sandbox, supportRulesPath, country);
    const tab = await copyToSupportDesk(studio);
    const unmapped = await tab.getView();
    assert.deepEqual(
      [unmapped.title, unmapped.source, unmapped.mode],
      ['Copy rules: Sandbox › Retail → Sandbox › Support Desk', 'Sandbox › Retail', 'add'],
    );
    assert.deepEqual(unmapped.problems[0], {
      severity: 'warning',
      text: "7 rules on Regions.Region aren't mapped: no column has this name.",
    });
    assert.deepEqual(unmapped.changes, []);
    const { key = '' } =
      unmapped.mapping?.find(({ sourceColumn }) => sourceColumn === 'Regions.Region') ?? {};
    tab.post({ type: 'report' });
    const { document } = await studio.waitForEditorText('# Copy rules');
    assert.match(document.getText(), /^Nothing to copy\. No columns are mapped\.$/m);
    const mapTo = async (column: string): Promise<void> => {
      const viewCount = tab.countMessages('view');
      tab.post({ type: 'map', key });
      await studio.quickInput.waitForTitle('Column for Regions.Region');
      await studio.selectQuickPick(column);
      await tab.waitForNextView(viewCount);
    };
    await mapTo('Country');
    const { problems, exclusionRules } = await tab.getView();
    assert.deepEqual(exclusionRules, { count: 1, isRewritten: false });
    assert.deepEqual(problems[0], {
      severity: 'error',
      text: "The rule on Tickets.Country excludes values. For live datamodels, this server doesn't return such rules. List the visible values instead.",
    });
    await mapTo("Don't Copy Rules");
    assert.deepEqual((await tab.getView()).problems, unmapped.problems);
    await mapTo('Country');
    tab.post({ type: 'map', key });
    await studio.quickInput.cancel();
    tab.post({ type: 'apply' });

    const view = await tab.compare({ type: 'rewrite', rewritesExclusions: true });
    assert.equal(tab.countMessages('ended') + tab.countMessages('running'), 0, 'nothing was applied');
    assert.deepEqual(view.exclusionRules, { count: 1, isRewritten: true });
    assert.ok(
      formatChanges(view).includes(
        'add Tickets.Country user farid.haddad@sandbox.local:  → only "Alps", "Nordics", "North", "South", "West"',
      ),
      formatChanges(view).join('\n'),
    );
    assert.deepEqual(await readColumnRules(sandbox, supportRulesPath, country), before, 'nothing was sent');
    assert.equal((await tab.run({ type: 'apply' })).text, 'Done. The rules on the server are up to date.');
    const after = await readColumnRules(sandbox, supportRulesPath, country);
    assert.equal(after.length, before.length + 6);
    assert.ok(
      before.every((line) => after.includes(line)),
      'The existing rules stay',
    );
    assert.ok(after.includes('farid.haddad@sandbox.local: Alps; Nordics; North; South; West'));
  });

  test('a different rule of the same party and column is reported before a copy is added beside it', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox, marketingRulesPath);
    const [rule] = (await fetchRetailRules(sandbox)).filter(
      ({ column, members }) => column === 'Segment' && members?.length === 1,
    );
    assert.ok(rule !== undefined);
    const { datatype, shares } = rule;
    const target = { table: 'Leads', column: 'Segment' };
    const other = { ...target, datatype, shares, members: ['Corporate'], allMembers: null };
    await sandbox.request('POST', marketingRulesPath, [{ ...other, exclusionary: false }]);
    await studio.chooseFromContextMenu(retailSecurity, 'Copy Rules To…');
    await studio.selectQuickPick('Marketing');
    const tab = await RuleChangeTab.find(studio, 'Copy rules: Retail → Marketing');
    const { mapping } = await tab.getView();
    const viewCount = tab.countMessages('view');
    tab.post({
      type: 'map',
      key: mapping?.find(({ sourceColumn }) => sourceColumn === 'Customers.Segment')?.key ?? '',
    });
    await studio.selectQuickPick('Segment');
    await tab.waitForNextView(viewCount);
    const text =
      'Group Marketing would have 2 rules with different access on Leads.Segment: Corporate | Club';
    const isReported = async (): Promise<boolean> =>
      (await tab.getView()).problems.some((problem) => problem.text === text);
    assert.ok(await isReported(), JSON.stringify((await tab.getView()).problems));
    // If rules are replaced instead of added, the different rule is listed as a change.
    const view = await tab.compare({ type: 'mode', mode: 'columns' });
    assert.ok(!(await isReported()));
    assert.ok(
      formatChanges(view).includes('change Leads.Segment group Marketing: only "Corporate" → only "Club"'),
      formatChanges(view).join('\n'),
    );
  });

  test('a second rule for everyone else is refused in the preview, and replaces the first one in another mode', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox, marketingRulesPath);
    const everyoneElse = {
      table: 'Leads',
      column: 'Segment',
      datatype: 'text',
      shares: [{ type: 'default' }],
    };
    await sandbox.request('POST', marketingRulesPath, [
      { ...everyoneElse, members: ['Corporate'], allMembers: null, exclusionary: false },
    ]);
    await studio.chooseFromContextMenu(retailSecurity, 'Copy Rules To…');
    await studio.selectQuickPick('Marketing');
    const tab = await RuleChangeTab.find(studio, 'Copy rules: Retail → Marketing');
    const { mapping } = await tab.getView();
    const viewCount = tab.countMessages('view');
    const key = mapping?.find(({ sourceColumn }) => sourceColumn === 'Customers.Segment')?.key ?? '';
    tab.post({ type: 'map', key });
    await studio.selectQuickPick('Segment');
    await tab.waitForNextView(viewCount);
    const refused = await tab.getView();
    assert.deepEqual(refused.problems[0], {
      severity: 'error',
      text: 'Leads.Segment would have two rules for the same users and groups, and this server might overwrite one with the other. Combine them into one rule. To replace the existing rules instead, change the mode.',
    });
    assert.equal(refused.access, undefined);
    const before = await readColumnRules(sandbox, marketingRulesPath, 'Leads.Segment');
    tab.post({ type: 'apply' });
    const view = await tab.compare({ type: 'mode', mode: 'columns' });
    assert.equal(tab.countMessages('ended') + tab.countMessages('running'), 0, 'nothing was applied');
    assert.deepEqual(await readColumnRules(sandbox, marketingRulesPath, 'Leads.Segment'), before);
    assert.deepEqual(
      view.problems.filter(({ severity }) => severity === 'error'),
      [],
    );
    assert.equal((await tab.run({ type: 'apply' })).text, 'Done. The rules on the server are up to date.');
    assert.equal(
      (await readColumnRules(sandbox, marketingRulesPath, 'Leads.Segment')).filter((line) =>
        line.startsWith('default'),
      ).length,
      1,
    );
  });

  test('a reload compares the current rules of the source, including a rule that another user has added', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox);
    await studio.chooseFromContextMenu(retailSecurity, 'Copy Rules To…');
    await studio.selectQuickPick('Marketing');
    const tab = await RuleChangeTab.find(studio, 'Copy rules: Retail → Marketing');
    const getRuleCount = async (): Promise<number | undefined> =>
      (await tab.getView()).mapping?.find(({ sourceColumn }) => sourceColumn === 'Regions.Region')?.ruleCount;
    const before = (await getRuleCount()) ?? 0;
    await sandbox.request('POST', retailRulesPath, [
      {
        server: 'LocalHost',
        elasticube: 'Retail',
        table: 'Regions',
        column: 'Region',
        datatype: 'text',
        members: ['Alps'],
        allMembers: null,
        exclusionary: false,
        shares: [{ type: 'user', party: 'somebody' }],
      },
    ]);
    await tab.compare({ type: 'reload' });
    assert.equal(await getRuleCount(), before + 1);
  });

  test('rules are exported to a file that changes nothing when it is imported, and to the clipboard', async ({
    studio,
    sandbox,
    files,
  }) => {
    const { length } = await fetchRetailRules(sandbox);
    const file = files.getUri('out.csv');
    studio.answerSaveDialog(file);
    await studio.chooseFromContextMenu(retailSecurity, 'Export Rules…');
    await studio.quickInput.waitForMessage(`${length} rules of Retail`);
    await studio.selectQuickPick('Export to File…');
    const { document } = await studio.waitForEditorText(/^\uFEFF?rule,table,column,datatype,access,value/);
    assert.equal(document.uri.fsPath, file.fsPath);
    const tab = await RuleChangeTab.importFile(studio, file);
    const view = await tab.compare({ type: 'mode', mode: 'all' });
    assert.deepEqual([view.problems, view.changes, view.unchangedCount], [[], [], length]);

    await studio.chooseFromContextMenu(retailSecurity, 'Export Rules…');
    await studio.selectQuickPick('Copy to Clipboard');
    await studio.waitForStatusBarItem(`Copied ${length} rules to the clipboard.`);
    assert.match(await vscode.env.clipboard.readText(), /^rule\ttable\tcolumn\tdatatype\taccess\tvalue/);
    // A canceled dialog writes no file.
    studio.answerSaveDialog(undefined);
    await studio.chooseFromContextMenu(retailSecurity, 'Export Rules…');
    await studio.selectQuickPick('Export to File…');
    await studio.chooseFromContextMenu(retailSecurity, 'Export Rules…');
    await studio.quickInput.cancel();
    assert.ok((await readFile(file.fsPath, 'utf8')).includes('Regions'));
  });

  test('a datamodel without rules is neither exported nor copied', async ({ studio, sandbox }) => {
    await createDatamodel(sandbox, 'Bare');
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    for (const command of ['Export Rules…', 'Copy Rules To…']) {
      await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Bare'], 'Data Security', command);
      (await studio.waitForNotification('Bare has no rules.')).answer(undefined);
    }
    assert.deepEqual([studio.quickInput.current, studio.pages.open.length], [undefined, 0]);
  });

  test('a rule, and all rules of a column, are added to other datamodels', async ({ studio, sandbox }) => {
    await using _rules = await backUpRules(sandbox, marketingRulesPath);
    void vscode.commands.executeCommand('datamodelStudio.rules.addToSeveral');
    await studio.waitForNotification(
      'In the Connections view, select a rule or a column with rules, and run this command from its menu.',
    );
    const column = [...retailSecurity, 'Customers.Segment'] as const;
    await studio.chooseFromContextMenu(column, 'Add to Other Datamodels…');
    await studio.quickInput.waitForMessage(/^Select extract datamodels and cube sets/);
    const labels = await studio.quickInput.getLabels();
    assert.deepEqual(
      ['Marketing', 'Retail', 'Support Desk'].filter((label) => labels.includes(label)),
      ['Marketing'],
      'neither the datamodel itself nor a live one',
    );
    await studio.quickInput.cancel();
    await studio.chooseFromContextMenu(column, 'Add to Other Datamodels…');
    await studio.quickInput.pickMany(['Marketing']);
    await studio.waitForStatusBarItem('Added 2 rules to Marketing.');
    assert.deepEqual(
      await readColumnRules(sandbox, marketingRulesPath, 'Customers.Segment'),
      await readColumnRules(sandbox, retailRulesPath, 'Customers.Segment'),
    );
  });

  test('adding rules that no longer exist only shows a message', async ({ studio, sandbox }) => {
    await using _rules = await backUpRules(sandbox);
    const column = [...retailSecurity, 'Customers.Segment'] as const;
    await studio.findTreeItem(column);
    await sandbox.request('DELETE', `${retailRulesPath}?table=Customers&column=Segment`);
    await studio.chooseFromContextMenu(column, 'Add to Other Datamodels…');
    await studio.waitForNotification('Customers.Segment has no rules.');
  });

  test('on another connection, users and groups are looked up, and those that it lacks are reported', async ({
    studio,
    sandbox,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const [rule] = await fetchRetailRules(sandbox);
    assert.ok(rule !== undefined);
    const { table, column, datatype } = rule;
    const unknownGroup = 'aaaaaaaaaaaaaaaaaaaaaaaa';
    await sandbox.request('POST', retailRulesPath, [
      {
        table,
        column,
        datatype,
        members: ['North'],
        allMembers: null,
        exclusionary: false,
        shares: [{ type: 'group', party: unknownGroup }],
      },
    ]);
    await using other = await startHostSandbox();
    await addConnection(studio, { name: 'Other', url: other.url, token: other.adminToken });
    await studio.chooseFromContextMenu(retailSecurity, 'Copy Rules To…');
    await studio.quickInput.waitForTitle('Copy Rules of Retail To');
    await studio.selectQuickPick('Other');
    await studio.selectQuickPick('Retail');
    const tab = await RuleChangeTab.find(studio, 'Copy rules: Sandbox › Retail → Retail');
    const { problems } = await tab.getView();
    assert.deepEqual(
      problems.map(({ severity, text }) => `${severity}: ${text}`),
      [`error: Group not found: ${unknownGroup}.`],
    );
    await removeConnections(studio, ['Other']);
  });

  test('rules are copied to and from a cube set', async ({ studio, sandbox }) => {
    const cubeSetRulesPath = '/api/elasticubes/set/Regional%20Sales/datasecurity';
    await using _setRules = await backUpRules(sandbox, cubeSetRulesPath);
    await using _marketingRules = await backUpRules(sandbox, marketingRulesPath);
    await studio.chooseFromContextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
    await studio.submitInputBox('Regional Sales');
    await studio.submitInputBox('set');
    const cubeSet = ['Sandbox', 'Cube Sets', 'Regional Sales'];
    await studio.findTreeItem(cubeSet);
    await studio.chooseFromContextMenu([...retailSecurity, 'Customers.Segment'], 'Add to Other Datamodels…');
    await studio.quickInput.pickMany(['Regional Sales']);
    await studio.waitForStatusBarItem('Added 2 rules to Regional Sales.');
    assert.deepEqual(
      await readColumnRules(sandbox, cubeSetRulesPath, 'Customers.Segment'),
      await readColumnRules(sandbox, retailRulesPath, 'Customers.Segment'),
    );
    await studio.chooseFromContextMenu([...cubeSet, 'Regions.Region'], 'Add to Other Datamodels…');
    await studio.quickInput.pickMany(['Marketing']);
    await studio.waitForStatusBarItem('Added 4 rules to Marketing.');
    assert.deepEqual(
      await readColumnRules(sandbox, marketingRulesPath, 'Regions.Region'),
      await readColumnRules(sandbox, cubeSetRulesPath, 'Regions.Region'),
    );
    await studio.chooseFromContextMenu(cubeSet, 'Remove Cube Set from List');
  });

  test('a production instance asks for its name before rules are changed', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const { url, adminToken: token } = sandbox;
    // The address has another name of this machine, because all connections to one address have the same role.
    const address = url.replace('127.0.0.1', 'localhost');
    await addConnection(studio, { name: 'Live', url: address, token, role: 'production' });
    const before = await fetchRetailRules(sandbox);
    const rows = [ruleTableHeading, 'Regions,Region,text,nothing,,default,'];
    studio.answerOpenDialog([await files.write('production.csv', rows.join('\n'))]);
    await studio.chooseFromContextMenu(['Live', 'Datamodels', 'Retail', 'Data Security'], 'Import Rules…');
    await studio.quickInput.waitForTitle('Unlock Live for Writing');
    await studio.selectQuickPick('5 minutes');
    await studio.quickInput.waitForMessage(/Type Live to confirm/);
    await studio.submitInputBox('Live');
    await studio.selectQuickPick('Import from File…');
    const tab = await RuleChangeTab.find(studio, 'production.csv into Retail');
    await tab.getView();
    tab.post({ type: 'apply' });
    await studio.quickInput.waitForMessage('This is a production instance. Type Live to confirm.');
    await studio.submitInputBox('live');
    await studio.quickInput.waitForMessage('Type the name of the connection.');
    await studio.quickInput.cancel();
    await tab.compare({ type: 'reload' });
    assert.equal(tab.countMessages('running') + tab.countMessages('ended') + tab.countMessages('failed'), 0);
    assert.deepEqual(await fetchRetailRules(sandbox), before);
    tab.post({ type: 'apply' });
    await studio.submitInputBox('Live');
    await tab.waitForMessage('ended');
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Regions.Region'), ['default: Nothing']);
  });
});
