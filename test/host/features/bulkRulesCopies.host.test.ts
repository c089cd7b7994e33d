import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { fetchRetailRules } from '../../editor/support/demo.ts';
import { createDatamodel } from '../support/builds.ts';
import { addConnection } from '../support/connections.ts';
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
import { describeStudio } from '../support/suite.ts';

const country = 'Tickets.Country';

async function copyToSupportDesk(studio: HostStudio): Promise<RuleChangeTab> {
  await studio.contextMenu(retailSecurity, 'Copy Rules to…');
  await studio.quickInput.title('Copy Rules of Retail to');
  assert.ok(!(await studio.quickInput.labels()).includes('Retail'));
  await studio.quickPick('Support Desk');
  return RuleChangeTab.find(studio, 'Rules of Retail to Support Desk');
}

describeStudio('copies of rules', prepareSandboxAndFiles, (test) => {
  test('a rule that hides values is copied to a live datamodel only after it is rewritten as a list of allowed values', async ({
    studio,
    sandbox,
  }) => {
    const before = await readColumnRules(sandbox, supportRulesPath, country);
    const tab = await copyToSupportDesk(studio);
    const unmapped = await tab.view();
    assert.deepEqual(
      [unmapped.title, unmapped.source, unmapped.scope],
      ['Copy rules: Sandbox › Retail → Sandbox › Support Desk', 'Sandbox › Retail', 'add'],
    );
    assert.deepEqual(unmapped.problems[0], {
      severity: 'warning',
      text: '7 rules on Regions.Region are not mapped: no column has this name.',
    });
    assert.deepEqual(unmapped.changes, []);
    const { key = '' } =
      unmapped.mapping?.find(({ sourceColumn }) => sourceColumn === 'Regions.Region') ?? {};
    tab.post({ type: 'report' });
    const { document } = await studio.editorShows('# Copy rules');
    assert.match(document.getText(), /^Nothing to copy\. No columns are mapped\.$/m);
    const mapTo = async (column: string): Promise<void> => {
      const viewCount = tab.count('view');
      tab.post({ type: 'map', key });
      await studio.quickInput.title('Column for Regions.Region');
      await studio.quickPick(column);
      await tab.nextView(viewCount);
    };
    await mapTo('Country');
    const { problems, exclusionRules } = await tab.view();
    assert.deepEqual(exclusionRules, { rules: 1, isRewritten: false });
    assert.deepEqual(problems[0], {
      severity: 'error',
      text: "The rule on Tickets.Country excludes values. This server doesn't return such rules for live datamodels.",
    });
    await mapTo("Don't Copy Rules");
    assert.deepEqual((await tab.view()).problems, unmapped.problems);
    await mapTo('Country');
    tab.post({ type: 'map', key });
    await studio.quickInput.cancel();
    tab.post({ type: 'apply' });

    const view = await tab.compare({ type: 'rewrite', isRewriting: true });
    assert.equal(tab.count('ended') + tab.count('running'), 0, 'nothing was applied');
    assert.deepEqual(view.exclusionRules, { rules: 1, isRewritten: true });
    assert.ok(
      formatChanges(view).includes(
        'add Tickets.Country user farid.haddad@sandbox.local:  → only "North", "South", "West", "Nordics", "Alps"',
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
    await studio.contextMenu(retailSecurity, 'Copy Rules to…');
    await studio.quickPick('Marketing');
    const tab = await RuleChangeTab.find(studio, 'Rules of Retail to Marketing');
    const { mapping } = await tab.view();
    const viewCount = tab.count('view');
    tab.post({
      type: 'map',
      key: mapping?.find(({ sourceColumn }) => sourceColumn === 'Customers.Segment')?.key ?? '',
    });
    await studio.quickPick('Segment');
    await tab.nextView(viewCount);
    const text =
      'Group Marketing would have 2 rules with different access on Leads.Segment: Corporate | Club';
    const isReported = async (): Promise<boolean> =>
      (await tab.view()).problems.some((problem) => problem.text === text);
    assert.ok(await isReported(), JSON.stringify((await tab.view()).problems));
    // When rules are replaced instead of added, it is a change.
    const view = await tab.compare({ type: 'scope', scope: 'columns' });
    assert.ok(!(await isReported()));
    assert.ok(
      formatChanges(view).includes('change Leads.Segment group Marketing: only "Corporate" → only "Club"'),
      formatChanges(view).join('\n'),
    );
  });

  test('rules are exported to a file that changes nothing when it is imported, and to the clipboard', async ({
    studio,
    sandbox,
    files,
  }) => {
    const { length } = await fetchRetailRules(sandbox);
    const file = files.uri('out.csv');
    studio.answerSaveDialog(file);
    await studio.contextMenu(retailSecurity, 'Export Rules…');
    await studio.quickInput.message(`${length} rules of Retail`);
    await studio.quickPick('Export to File…');
    const { document } = await studio.editorShows(/^\uFEFF?rule,table,column,datatype,access,value/);
    assert.equal(document.uri.fsPath, file.fsPath);
    const tab = await RuleChangeTab.importFile(studio, file);
    const view = await tab.compare({ type: 'scope', scope: 'all' });
    assert.deepEqual([view.problems, view.changes, view.unchangedCount], [[], [], length]);

    await studio.contextMenu(retailSecurity, 'Export Rules…');
    await studio.quickPick('Copy to Clipboard');
    await studio.statusBar(`Copied ${length} rules to the clipboard.`);
    assert.match(await vscode.env.clipboard.readText(), /^rule\ttable\tcolumn\tdatatype\taccess\tvalue/);
    // A canceled dialog writes no file.
    studio.answerSaveDialog(undefined);
    await studio.contextMenu(retailSecurity, 'Export Rules…');
    await studio.quickPick('Export to File…');
    await studio.contextMenu(retailSecurity, 'Export Rules…');
    await studio.quickInput.cancel();
    assert.ok((await readFile(file.fsPath, 'utf8')).includes('Regions'));
  });

  test('a datamodel without rules is neither exported nor copied', async ({ studio, sandbox }) => {
    await createDatamodel(sandbox, 'Bare');
    await studio.contextMenu('Sandbox', 'Refresh');
    for (const command of ['Export Rules…', 'Copy Rules to…']) {
      await studio.contextMenu(['Sandbox', 'Datamodels', 'Bare'], 'Data Security', command);
      (await studio.notification('Bare has no rules.')).answer(undefined);
    }
    assert.deepEqual([studio.quickInput.current, studio.pages.open.length], [undefined, 0]);
  });

  test('a rule, and all rules of a column, are added to other datamodels', async ({ studio, sandbox }) => {
    await using _rules = await backUpRules(sandbox, marketingRulesPath);
    void vscode.commands.executeCommand('datamodelStudio.rules.addToSeveral');
    await studio.notification(
      'Select a rule or a column with rules in the explorer, and run this command from its menu.',
    );
    const column = [...retailSecurity, 'Customers.Segment'] as const;
    await studio.contextMenu(column, 'Add to Other Datamodels…');
    await studio.quickInput.message(/^Select extract datamodels and cube sets/);
    const labels = await studio.quickInput.labels();
    assert.deepEqual(
      ['Marketing', 'Retail', 'Support Desk'].filter((label) => labels.includes(label)),
      ['Marketing'],
      'neither the datamodel itself nor a live one',
    );
    await studio.quickInput.cancel();
    await studio.contextMenu(column, 'Add to Other Datamodels…');
    await studio.quickInput.pickMany(['Marketing']);
    await studio.statusBar('Added 2 rules to Marketing.');
    assert.deepEqual(
      await readColumnRules(sandbox, marketingRulesPath, 'Customers.Segment'),
      await readColumnRules(sandbox, retailRulesPath, 'Customers.Segment'),
    );
  });

  test('rules are copied to and from a cube set', async ({ studio, sandbox }) => {
    const cubeSetRulesPath = '/api/elasticubes/set/Regional%20Sales/datasecurity';
    await using _setRules = await backUpRules(sandbox, cubeSetRulesPath);
    await using _marketingRules = await backUpRules(sandbox, marketingRulesPath);
    await studio.contextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
    await studio.inputBox('Regional Sales');
    await studio.inputBox('set');
    const cubeSet = ['Sandbox', 'Cube Sets', 'Regional Sales'];
    await studio.treeItem(cubeSet);
    await studio.contextMenu([...retailSecurity, 'Customers.Segment'], 'Add to Other Datamodels…');
    await studio.quickInput.pickMany(['Regional Sales']);
    await studio.statusBar('Added 2 rules to Regional Sales.');
    assert.deepEqual(
      await readColumnRules(sandbox, cubeSetRulesPath, 'Customers.Segment'),
      await readColumnRules(sandbox, retailRulesPath, 'Customers.Segment'),
    );
    await studio.contextMenu([...cubeSet, 'Regions.Region'], 'Add to Other Datamodels…');
    await studio.quickInput.pickMany(['Marketing']);
    await studio.statusBar('Added 4 rules to Marketing.');
    assert.deepEqual(
      await readColumnRules(sandbox, marketingRulesPath, 'Regions.Region'),
      await readColumnRules(sandbox, cubeSetRulesPath, 'Regions.Region'),
    );
    await studio.contextMenu(cubeSet, 'Remove Cube Set from List');
  });

  test('a production instance asks for its name before rules are changed', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const { url, adminToken: token } = sandbox;
    // Another name of this machine: each address has one role.
    const address = url.replace('127.0.0.1', 'localhost');
    await addConnection(studio, { name: 'Live', url: address, token, role: 'production' });
    const before = await fetchRetailRules(sandbox);
    const rows = [ruleTableHeading, 'Regions,Region,text,nothing,,default,'];
    studio.answerOpenDialog([await files.write('production.csv', rows.join('\n'))]);
    await studio.contextMenu(['Live', 'Datamodels', 'Retail', 'Data Security'], 'Import Rules…');
    await studio.quickInput.title('Unlock Live for Writing');
    await studio.quickPick('5 minutes');
    await studio.quickInput.message(/Type Live to confirm/);
    await studio.inputBox('Live');
    await studio.quickPick('Import from File…');
    const tab = await RuleChangeTab.find(studio, 'production.csv into Retail');
    await tab.view();
    tab.post({ type: 'apply' });
    await studio.quickInput.message('This is a production instance. Type Live to confirm.');
    await studio.inputBox('live');
    await studio.quickInput.message('Type Live');
    await studio.quickInput.cancel();
    await tab.compare({ type: 'reload' });
    assert.equal(tab.count('running') + tab.count('ended') + tab.count('failed'), 0);
    assert.deepEqual(await fetchRetailRules(sandbox), before);
    tab.post({ type: 'apply' });
    await studio.inputBox('Live');
    await tab.receives('ended');
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, 'Regions.Region'), ['default: Nothing']);
  });
});
