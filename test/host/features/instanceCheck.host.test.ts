import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';
import { startRecordingProxy } from '../../editor/support/recordingProxy.ts';
import { changeViewpoint, documentSettings } from '../support/documents.ts';
import { useFaults } from '../support/faults.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeStudio, startHostSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

const message = 'The datamodel has no table "Nowhere".';
const createDetails = (table: string) => ({
  datasource: { title: 'Retail' },
  columns: [{ table, column: 'Segment', dim: `[${table}.Segment]`, datatype: 'text' }],
});

/** Creates a viewpoint that names a table which is not there. */
const createBroken = (sandbox: JourneySandbox, name: string): Promise<unknown> =>
  sandbox.request('POST', '/api/v1/infusion/viewpoints', {
    name,
    description: 'Names a table that is not there',
    details: createDetails('Nowhere'),
  });

/** Where the missing table of a viewpoint is reported. */
const findMarks = (name: string): readonly (readonly [vscode.Uri, vscode.Diagnostic])[] =>
  vscode.languages
    .getDiagnostics()
    .filter(([uri]) => uri.path.endsWith(`/${name}.viewpoint.json`))
    .flatMap(([uri, diagnostics]) =>
      diagnostics
        .filter((diagnostic) => diagnostic.message === message)
        .map((diagnostic) => [uri, diagnostic] as const),
    );

const hasMarks = (name: string, count: number): Promise<unknown> =>
  waitFor(
    () => findMarks(name).length === count,
    () => `${name} has ${findMarks(name).length} marks`,
  );

async function openBroken(studio: HostStudio, name: string): Promise<vscode.TextEditor> {
  await studio.contextMenu(['Sandbox', 'Viewpoints'], 'Refresh');
  await studio.contextMenu(['Sandbox', 'Viewpoints', name], 'Open as JSON');
  return studio.editorShows('"Nowhere"');
}

const check = (studio: HostStudio): Promise<void> =>
  studio.contextMenu('Sandbox', 'Check All Viewpoints and Rules');

const prepare = async (owned: AsyncDisposableStack) => {
  const sandbox = owned.use(await startHostSandbox());
  const recorder = owned.use(await startRecordingProxy(sandbox));
  return { sandbox, recorder, options: { env: recorder.env, settings: documentSettings } };
};

describeStudio('check of a connection', prepare, (test) => {
  test('problems of closed documents are in Problems at their place, until the document is opened', async ({
    studio,
    sandbox,
  }) => {
    await createBroken(sandbox, 'Closed');
    await check(studio);
    await studio.notificationAction(
      /Sandbox: \d+ problems in \d+ of \d+ viewpoints and columns/,
      'Show Problems',
    );
    await waitFor(
      () => studio.findRuns('workbench.actions.view.problems').length === 1,
      () => 'Problems are not shown',
    );
    const [mark] = findMarks('Closed');
    assert.ok(mark !== undefined);
    const [uri, { range }] = mark;
    const editor = await openBroken(studio, 'Closed');
    assert.equal(editor.document.uri.toString(), uri.toString(), 'the mark opens this document');
    assert.equal(editor.document.getText(range), '"table": "Nowhere"');
    // From then on, the document reports its problems itself.
    await hasMarks('Closed', 1);
    await editor.edit((edit) => edit.replace(range, '"table": "Customers"'));
    await hasMarks('Closed', 0);
  });

  test('a check reports no problem of an open document twice, and removes repaired ones', async ({
    studio,
    sandbox,
  }) => {
    await createBroken(sandbox, 'Open');
    await createBroken(sandbox, 'Repaired');
    await openBroken(studio, 'Open');
    await hasMarks('Open', 1);
    await check(studio);
    await studio.notification(/problems in/);
    assert.deepEqual([findMarks('Open').length, findMarks('Repaired').length], [1, 1]);
    await changeViewpoint(sandbox, 'Repaired', { details: createDetails('Customers') });
    studio.messages.reset();
    await check(studio);
    await studio.notification(/problems in/);
    assert.deepEqual([findMarks('Open').length, findMarks('Repaired').length], [1, 0]);
  });

  test('what could not be read is named, and the rest is checked', async ({ studio, sandbox }) => {
    {
      await using _faults = await useFaults(sandbox, {
        kind: 'status',
        status: 403,
        pathPrefix: '/api/v1/infusion/viewpoints',
      });
      await check(studio);
      await studio.notification(
        /viewpoints and columns.*Not checked, since it could not be read: Viewpoints\.$/,
      );
    }
    studio.messages.reset();
    await using _faults = await useFaults(sandbox, {
      kind: 'status',
      status: 403,
      pathPrefix: '/api/elasticubes/LocalHost/Retail/datasecurity',
    });
    await check(studio);
    await studio.notification(/Not checked, since it could not be read: Retail\.$/);
  });

  test('a canceled check shows no message and keeps the problems of the last one', async ({
    studio,
    sandbox,
    recorder,
  }) => {
    await createBroken(sandbox, 'Kept');
    await check(studio);
    await studio.notification(/problems in/);
    await hasMarks('Kept', 1);
    studio.messages.reset();
    const gate = Promise.withResolvers<void>();
    recorder.gate = gate.promise;
    recorder.takeRequests();
    try {
      await check(studio);
      await recorder.waitForRequests(1);
      await studio.notificationAction(/^Checking viewpoints and rules of Sandbox/, 'Cancel');
    } finally {
      recorder.gate = undefined;
      gate.resolve();
    }
    await studio.notificationGone(/^Checking viewpoints and rules/);
    assert.deepEqual(
      studio.messages.history.filter((text) => /viewpoints and columns/.test(text)),
      [],
    );
    assert.equal(findMarks('Kept').length, 1);
  });
});

describeStudio(
  'check of an empty connection',
  async (owned) => {
    const sandbox = owned.use(await startHostSandbox({ seed: 'empty' }));
    return { sandbox, options: { env: sandbox.env } };
  },
  (test) => {
    test('without problems it says so, but warns of what it could not read', async ({ studio, sandbox }) => {
      await check(studio);
      const { severity } = await studio.notification(
        'Sandbox: nothing is wrong in 0 viewpoints and columns with rules.',
      );
      assert.equal(severity, 'information');
      studio.messages.reset();
      await using _faults = await useFaults(sandbox, {
        kind: 'status',
        status: 500,
        pathPrefix: '/api/v1/infusion/viewpoints',
      });
      await check(studio);
      const warning = await studio.notification(/nothing is wrong in 0 .*could not be read: Viewpoints\.$/);
      assert.equal(warning.severity, 'warning');
    });
  },
);
