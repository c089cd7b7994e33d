import assert from 'node:assert/strict';
import { truncate } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ToPlanPage } from '../../../src/webviews/protocol/planPage.ts';
import { maxRuleFileBytes } from '../../../src/security/ruleTable/readRuleFile.ts';
import { useFaults } from '../support/faults.ts';
import { prepareSandboxAndFiles } from '../support/files.ts';
import { RuleChangeTab, formatChanges, retailSecurity, ruleTableHeading } from '../support/ruleChangeTab.ts';
import { applyPlan, waitForPlan } from '../support/plans.ts';
import { backUpRules, readColumnRules, retailRulesPath } from '../support/rules.ts';
import { describeStudio } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const region = 'Regions.Region';
const table = [
  ruleTableHeading,
  'Regions,Region,text,nothing,,default,',
  'Regions,Region,text,only,North,group,Sales North',
  'Regions,Region,text,only,Nordics,group,Sales North',
  'Regions,Region,text,only,Alps,group,Finance',
  'Regions,Region,text,everything,,group,Executives',
].join('\n');
const importedRules = ['Executives: All', 'Finance: Alps', 'Sales North: Nordics; North', 'default: Nothing'];

const isDeletion = (line: string): boolean => line.startsWith('delete ');

describeStudio('import of rules', prepareSandboxAndFiles, (test) => {
  test('a file is compared, corrected, compared again, and imported as shown', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const before = await readColumnRules(sandbox, retailRulesPath, region);
    const tableWithErrors = `${table}\nRegions,Regionn,text,only,South,group,No Such Group`;
    const tab = await RuleChangeTab.importFile(studio, await files.write('rules.csv', tableWithErrors));
    const refused = await tab.getView();
    assert.deepEqual([refused.title, refused.source], ['Import rules into Retail', 'rules.csv']);
    assert.deepEqual(refused.problems, [
      { severity: 'error', text: 'Row 7: Group not found: No Such Group.', hasLocation: true },
      {
        severity: 'error',
        text: 'Row 7: Regions has no column Regionn. The rule would have no effect. Did you mean Region?',
        hasLocation: true,
        fix: 'Region',
      },
    ]);
    tab.post({ type: 'apply' });
    await files.write('rules.csv', table);
    const view = await tab.compare({ type: 'reload' });
    assert.equal(tab.countMessages('running') + tab.countMessages('ended'), 0, 'nothing was applied');
    assert.deepEqual(view.problems, []);
    assert.ok(formatChanges(view).includes('change Regions.Region group Finance: all values → only "Alps"'));
    assert.equal(formatChanges(view).filter(isDeletion).length, 6);
    assert.deepEqual(
      view.access?.sections.map(({ title, items }) => [
        title,
        title === 'Loses access' ? items.length > 0 : items.map(({ text }) => text),
      ]),
      // Farid loses his own rule, but the instance lists him in Finance, so it is known that he gains nothing.
      [
        // If lists are intersected, users who lose one of two lists see more.
        ['Access changes', ['Anyone in both Sales and Sales North']],
        ['Loses access', true],
      ],
    );
    const losses = view.access?.sections.at(-1)?.items.map(({ text, detail }) => `${text} · ${detail}`);
    assert.ok(
      losses?.includes(
        'Group Finance · Regions.Region: all values → only "Alps" · also affects linked tables: Orders, Order Items, and 9 more tables',
      ),
      JSON.stringify(view.access),
    );
    assert.equal(refused.access, undefined, 'it is not known while there are errors');

    const addView = await tab.compare({ type: 'mode', mode: 'add' });
    assert.deepEqual([addView.mode, formatChanges(addView).filter(isDeletion)], ['add', []]);
    const allView = await tab.compare({ type: 'mode', mode: 'all' });
    assert.ok(formatChanges(allView).includes('delete Customers.Segment group Marketing: only "Club" → '));
    assert.deepEqual(await tab.compare({ type: 'mode', mode: 'columns' }), view);
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, region), before, 'nothing was sent');

    assert.deepEqual(await tab.run({ type: 'apply' }), {
      state: 'done',
      text: 'Done. The rules on the server are up to date.',
      canResume: false,
      canUndo: true,
    });
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, region), importedRules);
    tab.post({ type: 'report' });
    const { document } = await studio.waitForEditorText('# Import rules into Retail');
    assert.match(
      document.getText(),
      /^- Group Finance: Regions\.Region: all values → only "Alps" · also affects/m,
    );
    assert.match(document.getText(), /\| Comparison with the server \| no differences \|/);
    assert.match(
      document.getText(),
      /^\| change \| Regions\.Region \| group Finance \| all values \| only "Alps"/m,
    );
  });

  test('errors in an imported table are reported with their row numbers', async ({ studio, files }) => {
    const mistakes = [
      ruleTableHeading,
      'Orders,Order Id,numeric,only,abc,group,Finance',
      'Regions,Region,text,only,,group,Finance',
      'Regions,Region,text,only, North ,group,Sales North',
      'Regions,Region,text,everything,,group,Sales North',
      'Regions,Region,text,nothing,,group,Sales North',
      'Regions,Region,text,nothing,,default,,,North',
    ];
    const tab = await RuleChangeTab.importFile(studio, await files.write('wrong.csv', mistakes.join('\n')));
    const { problems } = await tab.getView();
    assert.deepEqual(
      problems.map(({ severity, text }) => `${severity}: ${text}`),
      [
        'error: Row 2: Orders.Order Id is numeric, but "abc" isn\'t a number.',
        'error: Regions.Region would have two rules for the same users and groups, and this server might overwrite one with the other. Combine them into one rule.',
        'error: Row 3: Missing value. Enter "" for an empty value, or set the access to everything or nothing.',
        'warning: Row 4: The spaces around "North" are ignored. Enclose the value in quotes to keep them.',
        'warning: Row 7: "North" is beyond the last column and is ignored. Enclose fields that contain separators in quotes.',
        'warning: Orders.Order Id would have no rule for everyone else. What they see would be uncertain.',
        'warning: Group Sales North would have 3 rules with different access on Regions.Region: North | All | Nothing',
      ],
    );
  });

  test('a problem is shown in the file, and a wrong name is corrected in the file', async ({
    studio,
    files,
  }) => {
    const rows = [
      ruleTableHeading,
      'Regions,Regionn,text,nothing,,default,',
      'Regions,Regionn,text,only,"North; ""a; b""",group,Salez',
    ];
    const file = await files.write('misspelled.csv', rows.join('\r\n'));
    const tab = await RuleChangeTab.importFile(studio, file);
    const { problems } = await tab.getView();
    const findProblem = (start: string, within = problems): number =>
      within.findIndex(({ text }) => text.startsWith(start));
    tab.post({
      type: 'showProblem',
      problem: findProblem('Row 3: Group not found: Salez. Did you mean Sales?'),
    });
    const editor = await studio.waitForEditorText('Salez');
    await waitFor(
      () => editor.document.getText(editor.selection) === 'Salez',
      () => `Selected is ${editor.document.getText(editor.selection)}`,
    );
    const firstView = await tab.compare({
      type: 'fixProblem',
      problem: findProblem('Row 3: Group not found'),
    });
    assert.equal(findProblem('Row 3: Group not found', firstView.problems), -1);
    // The column is wrong in both rows, and corrected in both.
    const secondView = await tab.compare({
      type: 'fixProblem',
      problem: findProblem('Row 2: Regions has no', firstView.problems),
    });
    assert.deepEqual(
      secondView.problems.filter(({ severity }) => severity === 'error'),
      [],
    );
    assert.equal(
      new TextDecoder().decode(await vscode.workspace.fs.readFile(file)),
      rows.join('\r\n').replaceAll('Regionn', 'Region').replace('Salez', 'Sales'),
    );
  });

  test('a value that other rules spell in another letter case is reported as a warning', async ({
    studio,
    files,
  }) => {
    const rows = [
      ruleTableHeading,
      'Customers,Segment,text,only,club; Basic,group,Marketing',
      'Customers,Segment,text,only,Club,group,Finance',
      'Customers,Segment,text,only,club,group,Sales',
      'Customers,Segment,text,everything,,default,',
      'Regions,Region,text,only,north,group,Sales North',
    ];
    const tab = await RuleChangeTab.importFile(studio, await files.write('letters.csv', rows.join('\n')));
    const { problems } = await tab.getView();
    const warnings = problems.filter(({ text }) => text.includes('is spelled'));
    // The import replaces Retail's rules on segments, so the spelling in most of its rows counts.
    assert.ok(
      warnings.some(({ text }) => text === 'Row 3: "Club" is spelled "club" in other rules on this column.'),
      JSON.stringify(warnings),
    );
    assert.ok(!warnings.some(({ text }) => text.startsWith('Row 2:')), JSON.stringify(warnings));

    const oneRowTab = await RuleChangeTab.importFile(
      studio,
      await files.write('letter.csv', rows.slice(0, 2).join('\n')),
    );
    await oneRowTab.getView();
    const addView = await oneRowTab.compare({ type: 'mode', mode: 'add' });
    assert.deepEqual(
      addView.problems.filter(({ text }) => text.includes('is spelled')),
      [
        {
          severity: 'warning',
          text: 'Row 2: "club" is spelled "Club" in other rules on this column.',
          hasLocation: true,
          fix: 'Club',
        },
      ],
    );
  });

  test('the warning that a column loses its rule for everyone else is listed first', async ({
    studio,
    files,
  }) => {
    const rows = [
      ruleTableHeading,
      'Regions,Region,text,only, North,group,Finance',
      'Orders,Order Id,numeric,only,1,group,Finance',
    ];
    const tab = await RuleChangeTab.importFile(studio, await files.write('loss.csv', rows.join('\n')));
    const { problems } = await tab.getView();
    assert.deepEqual(problems[0], {
      severity: 'warning',
      text: 'Regions.Region would lose its rule for everyone else. What they see would be uncertain.',
      losesProtection: true,
    });
    assert.deepEqual(
      problems.slice(1).map(({ losesProtection }) => losesProtection),
      [undefined, undefined],
    );
  });

  test('an import is undone from its page, which then compares again', async ({ studio, sandbox, files }) => {
    await using _rules = await backUpRules(sandbox);
    const before = await readColumnRules(sandbox, retailRulesPath, region);
    const tab = await RuleChangeTab.importFile(studio, await files.write('undone.csv', table));
    const view = await tab.getView();
    await tab.run({ type: 'apply' });
    const viewCount = tab.countMessages('view');
    tab.post({ type: 'undo' });
    const plan = await studio.findPage('datamodelStudio.plan');
    const shown = await plan.waitForMessage<Extract<ToPlanPage, { type: 'plan' }>>('plan');
    assert.match(JSON.stringify(shown.view.sections), /group Finance: only \\"Alps\\" → all values/);
    assert.deepEqual(
      await readColumnRules(sandbox, retailRulesPath, region),
      importedRules,
      'nothing was sent',
    );
    plan.post({ type: 'apply' });
    assert.deepEqual(formatChanges(await tab.waitForNextView(viewCount)), formatChanges(view));
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, region), before);
  });

  test('undoing an import keeps later changes of other users, unless the user chooses to overwrite them', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const before = await readColumnRules(sandbox, retailRulesPath, region);
    const tab = await RuleChangeTab.importFile(studio, await files.write('kept.csv', table));
    await tab.getView();
    await tab.run({ type: 'apply' });
    const otherUsersRule = {
      table: 'Regions',
      column: 'Region',
      datatype: 'text',
      members: ['South'],
      allMembers: null,
    };
    const shares = [{ type: 'user', party: '5f0000000000000000abcdef' }];
    await sandbox.request('POST', retailRulesPath, [{ ...otherUsersRule, exclusionary: false, shares }]);
    tab.post({ type: 'undo' });
    const { page, plan } = await waitForPlan(studio, 'Undo: Changed the rules of Retail');
    assert.deepEqual(plan.view.laterChanges, [
      {
        icon: 'shield',
        text: region,
        location: 'Retail',
        lines: [
          'user 5f0000000000000000abcdef: no rule → only "South"',
          `If you keep this, no rule on ${region} will be restored.`,
        ],
        canOverwrite: true,
        isOverwritten: false,
      },
    ]);
    assert.equal(plan.view.blockedReason, 'Nothing to undo if you keep all later changes.');
    page.post({ type: 'overwrite', change: 0, isOverwritten: true });
    await page.waitForMessage<typeof plan>('plan', ({ view }) => view.blockedReason === undefined);
    const viewCount = tab.countMessages('view');
    await applyPlan(studio, 'Undo: ');
    await tab.waitForNextView(viewCount);
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, region), before);
  });

  test('a later change that the user could not select stays unselected when the next change is selected', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const rows = [table, 'Customers,Segment,text,only,Retail,group,Finance'].join('\n');
    const tab = await RuleChangeTab.importFile(studio, await files.write('two.csv', rows));
    await tab.getView();
    await tab.run({ type: 'apply' });
    for (const [tableName, column] of [
      ['Regions', 'Region'],
      ['Customers', 'Segment'],
    ]) {
      await sandbox.request('POST', retailRulesPath, [
        {
          table: tableName,
          column,
          datatype: 'text',
          members: ['South'],
          allMembers: null,
          exclusionary: false,
          shares: [{ type: 'user', party: '5f0000000000000000abcdef' }],
        },
      ]);
    }
    tab.post({ type: 'undo' });
    const { page, plan } = await waitForPlan(studio, 'Undo: Changed the rules of Retail');
    assert.equal(plan.view.laterChanges?.length, 2);
    {
      await using _faults = await useFaults(sandbox, {
        kind: 'status',
        status: 403,
        pathPrefix: '/api/elasticubes',
      });
      page.post({ type: 'overwrite', change: 0, isOverwritten: true });
      await page.waitForMessage<typeof plan>('plan', ({ note = '' }) => note.includes('403'));
    }
    page.post({ type: 'overwrite', change: 1, isOverwritten: true });
    const { view } = await page.waitForMessage<typeof plan>(
      'plan',
      ({ view: { laterChanges } }) => laterChanges?.some(({ isOverwritten }) => isOverwritten) === true,
    );
    assert.deepEqual(
      view.laterChanges?.map(({ isOverwritten }) => isOverwritten),
      [false, true],
    );
    await applyPlan(studio, 'Undo: ');
    await studio.waitForStatusBarItem('Partly undone: Changed the rules of Retail');
    const { item } = await studio.tree.waitForItemText(['Changed the rules of Retail'], /partly undone/);
    assert.ok(typeof item.tooltip === 'string');
    assert.match(item.tooltip, /^Not restored because of later changes: Regions\.Region$/m);
  });

  test('rows are read from the clipboard, and a dry run report sends nothing', async ({
    studio,
    sandbox,
  }) => {
    const before = await readColumnRules(sandbox, retailRulesPath, region);
    await vscode.env.clipboard.writeText(table.replaceAll(',', '\t'));
    await studio.chooseFromContextMenu(retailSecurity, 'Import Rules…');
    await studio.selectQuickPick('Import from Clipboard');
    const tab = await RuleChangeTab.find(studio, 'clipboard into Retail');
    assert.equal((await tab.getView()).source, 'clipboard');
    tab.post({ type: 'report' });
    const { document } = await studio.waitForEditorText('# Import rules into Retail');
    assert.match(document.getText(), /\| Result \| Preview: nothing was sent \|/);
    assert.match(document.getText(), /\| Deleted \| 6 \|/);
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, region), before);
  });

  test('a problem is shown in the pasted text, which is compared again after it was edited', async ({
    studio,
  }) => {
    const text = `${ruleTableHeading}\nRegions,Regionn,text,nothing,,default,`.replaceAll(',', '\t');
    await vscode.env.clipboard.writeText(text);
    await studio.chooseFromContextMenu(retailSecurity, 'Import Rules…');
    await studio.selectQuickPick('Import from Clipboard');
    const tab = await RuleChangeTab.find(studio, 'clipboard into Retail');
    await tab.getView();
    tab.post({ type: 'showProblem', problem: 0 });
    const editor = await studio.waitForEditorText('Regionn');
    await waitFor(
      () => editor.document.getText(editor.selection) === 'Regionn',
      () => `Selected is ${editor.document.getText(editor.selection)}`,
    );
    const { problems } = await tab.compare({ type: 'fixProblem', problem: 0 });
    assert.deepEqual(
      problems.filter(({ severity }) => severity === 'error'),
      [],
    );
    assert.equal(editor.document.getText(), text.replace('Regionn', 'Region'));
    await editor.edit((edit) => edit.insert(editor.document.lineAt(1).range.end, 'Sales'));
    const edited = await tab.compare({ type: 'reload' });
    assert.deepEqual(
      edited.problems.map((problem) => problem.text),
      ['Row 2: Rows of party type default are for everyone else. Clear the party and its name.'],
    );
  });

  test('rules that another user changes after the comparison are not overwritten but compared again', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const tab = await RuleChangeTab.importFile(studio, await files.write('late.csv', table));
    await tab.getView();
    await sandbox.request('DELETE', `${retailRulesPath}?table=Orders&column=Status`);
    const before = await readColumnRules(sandbox, retailRulesPath, region);
    tab.post({ type: 'apply' });
    const { note, view } = await tab.waitForMessage('view', (message) => message.note !== undefined);
    assert.equal(note, 'The rules on the server have changed in the meantime. Review the updated changes.');
    assert.equal(formatChanges(view).filter(isDeletion).length, 6);
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, region), before);
    assert.equal((await tab.run({ type: 'apply' })).state, 'done');
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, region), importedRules);
  });

  test('after an import, the rules on the server are compared with the rules that were sent, not with the edited file', async ({
    studio,
    sandbox,
    files,
  }) => {
    await using _rules = await backUpRules(sandbox);
    const tab = await RuleChangeTab.importFile(studio, await files.write('edited.csv', table));
    await tab.getView();
    await files.write('edited.csv', table.replace('Alps', 'North'));
    assert.equal((await tab.run({ type: 'apply' })).text, 'Done. The rules on the server are up to date.');
    assert.deepEqual(await readColumnRules(sandbox, retailRulesPath, region), importedRules);
  });

  test('a missing file, a file that is too large, and a failing server are reported, and a reload works once the cause is gone', async ({
    studio,
    sandbox,
    files,
  }) => {
    const file = await files.write('gone.csv', table);
    const tab = await RuleChangeTab.importFile(studio, file);
    await tab.getView();
    const expectFailure = async (text: RegExp): Promise<void> => {
      const before = tab.countMessages('failed');
      tab.post({ type: 'reload' });
      await waitFor(
        () => tab.countMessages('failed') > before,
        () => 'No failure',
      );
      assert.match((await tab.waitForMessage('failed')).message, text);
    };
    await vscode.workspace.fs.delete(file);
    await expectFailure(/gone\.csv/);
    await files.write('gone.csv', '');
    await truncate(file.fsPath, maxRuleFileBytes + 1);
    await expectFailure(/^gone\.csv is too large\. The maximum size is 64 MB\.$/);
    await files.write('gone.csv', table);
    {
      await using _ = await useFaults(sandbox, {
        kind: 'status',
        status: 500,
        methods: ['GET'],
        pathPrefix: '/api/elasticubes/',
      });
      await expectFailure(/500/);
    }
    assert.equal((await tab.compare({ type: 'reload' })).source, 'gone.csv');
  });

  test('Escape in any question opens no page', async ({ studio }) => {
    await studio.runCommand('Datamodel Studio: Import Rules…');
    await studio.quickInput.waitForMessage('Select a datamodel or cube set');
    await studio.quickInput.cancel();
    await studio.chooseFromContextMenu(retailSecurity, 'Import Rules…');
    await studio.quickInput.waitForMessage(/^One row per value and user or group/);
    await studio.quickInput.cancel();
    studio.answerOpenDialog(undefined);
    await studio.chooseFromContextMenu(retailSecurity, 'Import Rules…');
    await studio.selectQuickPick('Import from File…');
    // This command runs after the dialog was closed, so an import would have opened its page by then.
    await studio.runCommand('Datamodel Studio: Import Rules…');
    await studio.quickInput.waitForMessage('Select a datamodel or cube set');
    assert.equal(studio.pages.open.length, 0);
  });
});
