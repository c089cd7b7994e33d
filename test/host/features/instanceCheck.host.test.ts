import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import { changeViewpoint, documentSettings } from '../support/documents.ts';
import { useFaults } from '../support/faults.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { groups } from '../../../src/sandbox/seeds/people.ts';
import { backUpRules, marketingRulesPath, retailRulesPath } from '../support/rules.ts';
import { waitFor } from '../support/waiting.ts';

const missingTableMessage = 'The datamodel has no table "Nowhere".';
const createDetails = (table: string) => ({
  datasource: { title: 'Retail' },
  columns: [{ table, column: 'Segment', dim: `[${table}.Segment]`, datatype: 'text' }],
});

/** Creates a viewpoint that names a missing table. */
const createBrokenViewpoint = (sandbox: JourneySandbox, name: string): Promise<unknown> =>
  sandbox.request('POST', '/api/v1/infusion/viewpoints', {
    name,
    description: 'Names a table that is not there',
    details: createDetails('Nowhere'),
  });

/** The problems that report the missing table of a viewpoint, each with the address of its document. */
const findMissingTableProblems = (name: string): readonly (readonly [vscode.Uri, vscode.Diagnostic])[] =>
  vscode.languages
    .getDiagnostics()
    .filter(([uri]) => uri.path.endsWith(`/${name}.viewpoint.json`))
    .flatMap(([uri, diagnostics]) =>
      diagnostics
        .filter((diagnostic) => diagnostic.message === missingTableMessage)
        .map((diagnostic) => [uri, diagnostic] as const),
    );

const waitForProblemCount = (name: string, count: number): Promise<unknown> =>
  waitFor(
    () => findMissingTableProblems(name).length === count,
    () => `${name} has ${findMissingTableProblems(name).length} problems`,
  );

async function openBrokenViewpoint(studio: HostStudio, name: string): Promise<vscode.TextEditor> {
  await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
  await studio.chooseFromContextMenu(['Sandbox', 'Viewpoints', name], 'Open as JSON');
  return studio.waitForEditorText('"Nowhere"');
}

const startCheck = (studio: HostStudio): Promise<void> =>
  studio.chooseFromContextMenu('Sandbox', 'Check All Viewpoints and Rules');

const prepare = async (disposables: AsyncDisposableStack) => {
  const sandbox = disposables.use(await startHostSandbox());
  const recorder = disposables.use(await startRecordingProxy(sandbox));
  return { sandbox, recorder, options: { env: recorder.env, settings: documentSettings } };
};

describeStudio('check of a connection', prepare, (test) => {
  test('problems of closed documents are in the Problems view with their range, until the document is opened', async ({
    studio,
    sandbox,
  }) => {
    await createBrokenViewpoint(sandbox, 'Closed');
    await startCheck(studio);
    await studio.clickNotificationAction(
      /Sandbox: \d+ problems\. Checked viewpoints and columns with rules: \d+, with problems: \d+/,
      'Show Problems',
    );
    await waitFor(
      () => studio.getCommandRuns('workbench.actions.view.problems').length === 1,
      () => 'Problems are not shown',
    );
    const [problem] = findMissingTableProblems('Closed');
    assert.ok(problem !== undefined);
    const [uri, { range }] = problem;
    const editor = await openBrokenViewpoint(studio, 'Closed');
    assert.equal(editor.document.uri.toString(), uri.toString(), 'the problem opens this document');
    assert.equal(editor.document.getText(range), '"table": "Nowhere"');
    // From then on, the document reports its problems itself.
    await waitForProblemCount('Closed', 1);
    await editor.edit((edit) => edit.replace(range, '"table": "Customers"'));
    await waitForProblemCount('Closed', 0);
  });

  test('a value that other rules spell differently, even in another datamodel, is reported as a problem', async ({
    studio,
    sandbox,
  }) => {
    await using _retail = await backUpRules(sandbox);
    await using _marketing = await backUpRules(sandbox, marketingRulesPath);
    const createRule = (path: string, members: readonly string[], party: string) =>
      sandbox.request('POST', path, [
        {
          table: 'Customers',
          column: 'City',
          datatype: 'text',
          members,
          allMembers: null,
          exclusionary: false,
          shares: [{ type: 'group', party }],
        },
      ]);
    await createRule(retailRulesPath, ['Kiel'], groups.sales._id);
    await createRule(marketingRulesPath, ['kiel', 'Bonn'], groups.finance._id);
    await startCheck(studio);
    await studio.waitForNotification(
      /Sandbox: \d+ problems\. Checked viewpoints and columns with rules: \d+, with problems: \d+/,
    );
    const getProblems = (): readonly string[] =>
      vscode.languages
        .getDiagnostics()
        .flatMap(([{ path }, diagnostics]) =>
          diagnostics.map(({ message: text }) => `${path.replace(/^.*?Sandbox/, '')}: ${text}`),
        )
        .filter((text) => text.includes('is spelled'));
    // Each spelling occurs once, so either may be the wrong one.
    const expected = [
      '/Marketing/Data Security/Customers.City.rules.json: "kiel" is spelled "Kiel" in other rules on this column.',
      '/Retail/Data Security/Customers.City.rules.json: "Kiel" is spelled "kiel" in other rules on this column.',
    ];
    await waitFor(
      () => getProblems().toSorted().join() === expected.join(),
      () => `The problems are ${getProblems().join()}`,
    );
  });

  test('a check reports no problem of an open document twice, and removes repaired problems', async ({
    studio,
    sandbox,
  }) => {
    await createBrokenViewpoint(sandbox, 'Open');
    await createBrokenViewpoint(sandbox, 'Repaired');
    await openBrokenViewpoint(studio, 'Open');
    await waitForProblemCount('Open', 1);
    await startCheck(studio);
    await studio.waitForNotification(/ problems\. /);
    assert.deepEqual(
      [findMissingTableProblems('Open').length, findMissingTableProblems('Repaired').length],
      [1, 1],
    );
    await changeViewpoint(sandbox, 'Repaired', { details: createDetails('Customers') });
    studio.messages.reset();
    await startCheck(studio);
    await studio.waitForNotification(/ problems\. /);
    assert.deepEqual(
      [findMissingTableProblems('Open').length, findMissingTableProblems('Repaired').length],
      [1, 0],
    );
  });

  test('items that could not be read are named, and all others are checked', async ({ studio, sandbox }) => {
    {
      await using _faults = await useFaults(sandbox, {
        kind: 'status',
        status: 403,
        pathPrefix: '/api/v1/infusion/viewpoints',
      });
      await startCheck(studio);
      await studio.waitForNotification(
        /Checked viewpoints and columns.*Not checked because reading failed: Viewpoints\.$/,
      );
    }
    studio.messages.reset();
    await using _faults = await useFaults(sandbox, {
      kind: 'status',
      status: 403,
      pathPrefix: '/api/elasticubes/LocalHost/Retail/datasecurity',
    });
    await startCheck(studio);
    await studio.waitForNotification(/Not checked because reading failed: Retail\.$/);
  });

  test('a canceled check shows no message and keeps the problems of the previous check', async ({
    studio,
    sandbox,
    recorder,
  }) => {
    await createBrokenViewpoint(sandbox, 'Kept');
    await startCheck(studio);
    await studio.waitForNotification(/ problems\. /);
    await waitForProblemCount('Kept', 1);
    studio.messages.reset();
    const gate = Promise.withResolvers<void>();
    recorder.gate = gate.promise;
    recorder.takeRequests();
    try {
      await startCheck(studio);
      await recorder.waitForRequests(1);
      await studio.clickNotificationAction(/^Checking viewpoints and rules of Sandbox/, 'Cancel');
    } finally {
      recorder.gate = undefined;
      gate.resolve();
    }
    await studio.waitForNotificationGone(/^Checking viewpoints and rules/);
    assert.deepEqual(
      studio.messages.history.filter((text) => /Viewpoints and columns with rules checked/.test(text)),
      [],
    );
    assert.equal(findMissingTableProblems('Kept').length, 1);
  });
});

describeStudio(
  'check of an empty connection',
  async (disposables) => {
    const sandbox = disposables.use(await startHostSandbox({ seed: 'empty' }));
    return { sandbox, options: { env: sandbox.env } };
  },
  (test) => {
    test('a check without problems reports that, and warns about what could not be read', async ({
      studio,
      sandbox,
    }) => {
      await startCheck(studio);
      const { severity } = await studio.waitForNotification(
        'Sandbox: no problems found. Checked viewpoints and columns with rules: 0.',
      );
      assert.equal(severity, 'information');
      studio.messages.reset();
      await using _faults = await useFaults(sandbox, {
        kind: 'status',
        status: 500,
        pathPrefix: '/api/v1/infusion/viewpoints',
      });
      await startCheck(studio);
      const warning = await studio.waitForNotification(
        /no problems found\. Checked .*: 0\. .*reading failed: Viewpoints\.$/,
      );
      assert.equal(warning.severity, 'warning');
    });
  },
);
