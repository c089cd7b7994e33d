import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { confirmTableSettings, createDatamodel, fetchTasks, publish, showBuilds } from '../support/builds.ts';
import { useFaults } from '../support/faults.ts';
import type { HostStudio } from '../support/studio.ts';
import { describeOnSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';
import { getWorkspaceFolder } from '../support/workspace.ts';

async function build(studio: HostStudio, title: string, statusText: RegExp): Promise<void> {
  await studio.chooseFromContextMenu('Sandbox', 'Refresh');
  await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', title], 'Build', 'More Options…');
  await studio.selectQuickPick('Replace All');
  await studio.waitForStatusBarItem(statusText);
}

const getFile = (name: string): vscode.Uri => vscode.Uri.file(join(getWorkspaceFolder(), name));

const read = async (uri: vscode.Uri): Promise<string> =>
  new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));

describeOnSandbox('build history', (test) => {
  test('the history is empty at first, and is updated while its page is open', async ({
    studio,
    sandbox,
  }) => {
    await studio.runCommand('Show Build History');
    const page = await studio.findPage('datamodelStudio.buildHistory', 'Build History');
    await waitFor(
      () => page.html.includes('No builds yet. Completed builds will be listed here'),
      () => page.html,
    );
    assert.doesNotMatch(page.html, /<script|command:/);
    await createDatamodel(sandbox, 'Kept');
    await build(studio, 'Kept', /Kept built in/);
    await waitFor(
      () => page.html.includes('1 build, 0 failed; usually '),
      () => page.html,
    );
    assert.match(page.html, /<h2>Kept <small>Replace All · Sandbox<\/small><\/h2>/);
    assert.match(
      page.html,
      /<svg role="img" aria-label="1 build, 0 failed; usually [\d.]+ s, at most [\d.]+ s"/,
    );
    assert.match(page.html, /<a href="command:datamodelStudio\.builds\.exportHistory">Export…<\/a>/);
    // A closed page is not rendered again.
    await studio.runCommand('View: Close All Editors');
    const htmlWhenClosed = page.html;
    await using _ = await useFaults(sandbox, { kind: 'failingBuilds', message: '<b>no</b>', table: 'T' });
    await build(studio, 'Kept', /Build of Kept failed/);
    await studio.runCommand('Show Build History');
    const reopenedPage = await studio.findPage('datamodelStudio.buildHistory');
    await waitFor(
      () => reopenedPage.html.includes('2 builds, 1 failed'),
      () => reopenedPage.html,
    );
    assert.match(reopenedPage.html, /<td>failed<\/td><td>[^<]+<\/td><td>T: &lt;b&gt;no&lt;\/b&gt;<\/td>/);
    assert.equal(page.html, htmlWhenClosed);
    await showBuilds(studio);
  });

  test('each build type and each outcome is shown by its name', async ({ studio, sandbox }) => {
    await createDatamodel(sandbox, 'Typed');
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    for (const label of ['By Table', 'Changes Only', 'Sample…']) {
      await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Typed'], 'Build', 'More Options…');
      await studio.selectQuickPick(label);
      if (label === 'Sample…') {
        await studio.submitInputBox('3');
      } else if (label === 'By Table') {
        await confirmTableSettings(studio, 'Typed');
      }
      await studio.waitForStatusBarItem(/Typed built in/);
      await showBuilds(studio);
    }
    await publish(studio, 'Support Desk');
    await studio.waitForStatusBarItem('Support Desk published');
    await using _ = await useFaults(sandbox, { kind: 'slowBuilds', ms: 600_000 });
    await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', 'Typed'], 'Build', 'More Options…');
    await studio.selectQuickPick('Replace All');
    await studio.clickNotificationAction('Building Typed', 'Cancel');
    await studio.waitForStatusBarItem('Build of Typed canceled');
    await studio.runCommand('Show Build History');
    const page = await studio.findPage('datamodelStudio.buildHistory');
    await waitFor(
      () => page.html.includes('<td>canceled</td>'),
      () => page.html,
    );
    const { html } = page;
    const headings = [...html.matchAll(/<h2>([^<]*) <small>([^<]*)<\/small>/g)].map(
      ([, title, type]) => `${title}: ${type}`,
    );
    assert.deepEqual(
      headings.filter((heading) => !heading.startsWith('Kept')),
      [
        'Typed: Replace All · Sandbox',
        'Support Desk: Publish · Sandbox',
        'Typed: Sample · Sandbox',
        'Typed: Changes Only · Sandbox',
        'Typed: By Table · Sandbox',
      ],
    );
    assert.match(html, /1 build, 0 failed; duration unknown/);
  });

  test('the history is exported as CSV and as JSON', async ({ studio, sandbox }) => {
    await createDatamodel(sandbox, '=Formula');
    await build(studio, '=Formula', /=Formula built in/);
    const [task] = await fetchTasks(sandbox, '=Formula');
    const csv = getFile('history.csv');
    studio.answerSaveDialog(csv);
    await studio.runCommand('Export Build History…');
    await studio.clickNotificationAction(/^\d+ builds? exported\.$/, 'Open');
    const { document } = await studio.waitForEditorText('connection,datamodel,datamodelId,task,buildType');
    assert.equal(document.uri.path, csv.path);
    const line = (await read(csv)).split('\n').find((row) => row.includes('Formula'));
    // The title is escaped: a spreadsheet must not evaluate it as a formula.
    assert.match(
      line ?? '',
      new RegExp(
        `^Sandbox,"'=Formula",[-0-9a-f]+,${task?.oid},full,latest,,done,20[-0-9]+T[:.0-9]+Z,[\\d.]+,,$`,
      ),
    );

    const json = getFile('HISTORY.JSON');
    studio.answerSaveDialog(json);
    await studio.runCommand('Export Build History…');
    const message = await studio.waitForNotification(/exported\.$/);
    message.answer(undefined);
    const entries = JSON.parse(await read(json)) as readonly Record<string, unknown>[];
    const entry = entries.find(({ oid }) => oid === task?.oid);
    assert.equal(entry?.['connection'], 'Sandbox');
    assert.equal(entry?.['outcome'], 'done');
    assert.equal((await read(csv)).trim().split('\n').length, entries.length + 1);
    assert.ok(message.text === '1 build exported.' || message.text.startsWith(`${entries.length} `));

    await vscode.workspace.fs.delete(csv);
    studio.answerSaveDialog(undefined);
    await studio.runCommand('Export Build History…');
    await vscode.commands.executeCommand('datamodelStudio.builds.exportHistory');
    await assert.rejects(read(csv));
    await vscode.workspace.fs.delete(json);
  });
});
