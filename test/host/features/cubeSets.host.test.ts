import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RuleSetFormEdit } from '../../../src/security/form/ruleEdit.ts';
import type { RuleQuestion } from '../../../src/webviews/protocol/formQuestions.ts';
import { HostedForm } from '../support/hostedForm.ts';
import { RuleChangeTab, ruleTableHeading } from '../support/ruleChangeTab.ts';
import { checkSecurity, waitForView } from '../support/securityCheck.ts';
import { describeOnSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const unconfirmed =
  'Not confirmed: the server returned no rules for a cube set with this name. Check the spelling. Names are case-sensitive.';

describeOnSandbox('cube sets that are not confirmed', (test) => {
  test('are reported by the security check, by the import of rules, and in the JSON of their rules, until they have rules', async ({
    studio,
    sandbox,
  }) => {
    for (const name of ['Regional sales', 'Regional Sales']) {
      await studio.chooseFromContextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
      await studio.submitInputBox(name);
      await studio.submitInputBox('set');
      await studio.findTreeItem(['Cube Sets', name]);
    }

    const view = await waitForView(await checkSecurity(studio), ({ causes }) => causes.length > 0);
    const cause = view.causes.find(({ title }) => title === 'Unconfirmed cube sets');
    assert.deepEqual(cause?.places, [{ name: 'Regional sales' }]);
    assert.equal(cause?.severity, 'warning');

    await vscode.env.clipboard.writeText(
      [ruleTableHeading, 'Regions,Region,text,nothing,,default,'].join('\n').replaceAll(',', '\t'),
    );
    for (const [name, texts] of [
      ['Regional sales', [unconfirmed]],
      ['Regional Sales', []],
    ] as const) {
      await studio.chooseFromContextMenu(['Cube Sets', name], 'Data Security', 'Import Rules…');
      await studio.selectQuickPick('Import from Clipboard');
      const tab = await RuleChangeTab.find(studio, `clipboard into ${name}`);
      const { problems } = await tab.getView();
      assert.deepEqual(
        problems.filter(({ text }) => text.startsWith('Not confirmed')).map(({ text }) => text),
        texts,
      );
    }

    await studio.chooseFromContextMenu(['Cube Sets', 'Regional sales'], 'Open as JSON');
    const { document } = await studio.waitForEditorText(/^\[\]/);
    const [problem] = await studio.waitForProblemsWithText(document.uri, unconfirmed);
    assert.equal(problem?.severity, vscode.DiagnosticSeverity.Warning);
    await sandbox.request('POST', '/api/elasticubes/set/Regional%20sales/datasecurity', [
      {
        server: 'set',
        elasticube: 'Regional sales',
        table: 'Regions',
        column: 'Region',
        datatype: 'text',
        members: [],
        allMembers: false,
        exclusionary: false,
        shares: [{ type: 'default' }],
      },
    ]);
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await waitFor(
      () => vscode.languages.getDiagnostics(document.uri).every(({ message }) => message !== unconfirmed),
      () => 'The cube set is not confirmed yet',
    );
  });

  test('can get new rules on proposed columns of all extract datamodels, and a wrong table name is reported', async ({
    studio,
  }) => {
    await studio.chooseFromContextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
    await studio.submitInputBox('Regional Sales');
    await studio.submitInputBox('set');
    await studio.chooseFromContextMenu(['Cube Sets', 'Regional Sales'], 'New Rule…');
    await studio.quickInput.waitForTitle('New Rule in Regional Sales');
    assert.equal((await studio.quickInput.getLabels()).includes('Regions.Country'), true);
    await studio.selectQuickPick('Other Column…');
    for (const name of ['Regons', 'Region']) {
      await studio.submitInputBox(name);
    }
    await studio.selectQuickPick('Text');
    const form = await HostedForm.fromActiveTab<RuleSetFormEdit, RuleQuestion>(
      studio,
      'datamodelStudio.ruleForm',
      'New Rule.rule.json',
    );
    await form.waitForTables();
    const [unknown] = await studio.waitForProblemsWithText(form.document.uri, 'Unknown table "Regons"');
    assert.equal(unknown?.severity, vscode.DiagnosticSeverity.Error);
    form.ask({ kind: 'column', rule: 0 });
    await studio.selectQuickPick('Country');
    await waitFor(
      () =>
        vscode.languages
          .getDiagnostics(form.document.uri)
          .every(({ code }) => code !== 'unknown-table' && code !== 'unknown-datamodel') || undefined,
      () => `The problems are ${JSON.stringify(vscode.languages.getDiagnostics(form.document.uri))}`,
    );
  });

  test('are reported by the security check if they have rules on columns that no extract datamodel has', async ({
    studio,
    sandbox,
  }) => {
    await sandbox.request('POST', '/api/elasticubes/set/Regional%20Sales/datasecurity', [
      {
        server: 'set',
        elasticube: 'Regional Sales',
        table: 'Regons',
        column: 'Region',
        datatype: 'text',
        members: [],
        allMembers: false,
        exclusionary: false,
        shares: [{ type: 'default' }],
      },
    ]);
    await studio.chooseFromContextMenu(['Sandbox', 'Cube Sets'], 'Add Cube Set…');
    await studio.submitInputBox('Regional Sales');
    await studio.submitInputBox('set');
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await studio.findTreeItem(['Cube Sets', 'Regional Sales', 'Regons.Region']);
    const view = await waitForView(await checkSecurity(studio), ({ causes }) => causes.length > 0);
    const places = view.causes.flatMap((cause) => cause.places.map(({ name }) => name));
    assert.ok(
      places.some((name) => name.includes('Regons')),
      places.join('; '),
    );
  });
});
