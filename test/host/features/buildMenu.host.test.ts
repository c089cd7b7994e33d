import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { confirmTableSettings, fetchTasks, showBuilds } from '../support/builds.ts';
import { describeOnSandbox } from '../support/suite.ts';
import type { HostStudio } from '../support/studio.ts';

const retail = ['Sandbox', 'Datamodels', 'Retail'];

/** Reads the open list: its groups, each with the labels and descriptions of its items. */
function readGroups(studio: HostStudio): Readonly<Record<string, readonly string[]>> {
  const groups: Record<string, string[]> = {};
  let current: string[] = [];
  for (const { label, description, kind } of studio.quickInput.current?.getItems() ?? []) {
    if (kind === vscode.QuickPickItemKind.Separator) {
      current = groups[label] = [];
    } else {
      current.push(`${label}: ${description}`);
    }
  }
  return groups;
}

describeOnSandbox('the Build menu of a datamodel', (test) => {
  test('starts each kind of build without asking for the kind again', async ({ studio, sandbox }) => {
    for (const [label, buildType, rowLimit] of [
      ['Replace All', 'full', null],
      ['Changes Only', 'schema_changes', null],
      ['Sample…', 'full', 25],
    ] as const) {
      await studio.chooseFromContextMenu(retail, 'Build', label);
      if (rowLimit !== null) {
        await studio.quickInput.waitForTitle('Sample Build of Retail');
        await studio.submitInputBox(String(rowLimit));
      }
      await studio.waitForStatusBarItem(/Retail built in/);
      const task = (await fetchTasks(sandbox, 'Retail')).at(-1);
      assert.deepEqual(
        [task?.buildType, task?.rowLimit, task?.schemaOrigin],
        [buildType, rowLimit, 'latest'],
      );
      await showBuilds(studio);
    }
  });

  test('lists what a build by table does with each table before the build starts', async ({
    studio,
    sandbox,
  }) => {
    const before = (await fetchTasks(sandbox, 'Retail')).length;
    await studio.chooseFromContextMenu(retail, 'Build', 'By Table…');
    await studio.quickInput.waitForTitle('Build Retail by Table');
    await studio.quickInput.waitForRow('Calendar');
    const groups = readGroups(studio);
    assert.deepEqual(Object.keys(groups), ['Incremental', 'Append', 'Replace only when changed', 'Replace']);
    assert.deepEqual(groups['Incremental'], [
      'Orders: adds rows after the last Order Date · drops rows older than 3650 days',
    ]);
    assert.deepEqual(groups['Append'], ['Returns: keeps all rows and adds the rows from the source']);
    assert.deepEqual(groups['Replace only when changed'], [
      'Calendar: replaces all rows if the table has changed',
    ]);
    assert.ok(groups['Replace']?.includes('Customers: replaces all rows'));

    // Selecting a table opens its settings instead of starting the build.
    await studio.selectQuickPick('Returns');
    await studio.quickInput.waitForTitle('Build Settings of Returns');
    await studio.quickInput.waitForActiveRow('Append');
    await studio.quickInput.cancel();
    assert.equal((await fetchTasks(sandbox, 'Retail')).length, before);

    await studio.chooseFromContextMenu(retail, 'Build', 'By Table…');
    await studio.quickInput.waitForTitle('Build Retail by Table');
    await studio.quickInput.cancel();
    await studio.chooseFromContextMenu(retail, 'Build', 'By Table…');
    await confirmTableSettings(studio, 'Retail');
    await studio.waitForStatusBarItem(/Retail built in/);
    const tasks = await fetchTasks(sandbox, 'Retail');
    assert.deepEqual([tasks.length, tasks.at(-1)?.buildType], [before + 1, 'by_table']);
  });
});
