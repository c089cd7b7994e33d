import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parse } from 'jsonc-parser';
import { confirmTableSettings, createDatamodel, fetchTasks, waitForTask } from '../support/builds.ts';
import { describeOnSandbox } from '../support/suite.ts';
import { waitFor } from '../support/waiting.ts';

interface Keybinding {
  readonly command: string;
  readonly key: string;
  readonly when?: string;
}

/** The keybindings of the editor and its own extensions for this system. */
async function readDefaultKeybindings(): Promise<readonly Keybinding[]> {
  const uri = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
  const document = await vscode.workspace.openTextDocument(uri);
  const keybindings: readonly Keybinding[] = parse(document.getText());
  return keybindings.filter(({ command }) => !command.startsWith('datamodelStudio.'));
}

describeOnSandbox('keybindings', (test) => {
  test('the editor does not use the first key of the keybindings of the extension', async ({ studio }) => {
    const extensionKeybindings: readonly Keybinding[] = studio.manifest.keybindings;
    const firstKeys = new Set(
      extensionKeybindings.filter(({ key }) => key.includes(' ')).map(({ key }) => key.split(' ')[0]),
    );
    assert.equal(firstKeys.size, 1);
    const defaults = await readDefaultKeybindings();
    assert.ok(defaults.length > 500, `The editor has ${defaults.length} keybindings`);
    const collisions = defaults.filter(({ key }) => firstKeys.has(key.split(' ')[0]));
    assert.deepEqual(collisions, []);
  });

  test('the last build that was started is built again without a question', async ({ studio, sandbox }) => {
    const title = 'Built Twice';
    await createDatamodel(sandbox, title);
    await studio.chooseFromContextMenu('Sandbox', 'Refresh');
    await studio.chooseFromContextMenu(['Sandbox', 'Datamodels', title], 'Build', 'More Options…');
    await studio.selectQuickPick('By Table');
    await confirmTableSettings(studio, title);
    await waitForTask(sandbox, title, 'done');
    await studio.runCommand('Build Again');
    await waitFor(
      async () => (await fetchTasks(sandbox, title)).length === 2,
      () => 'The datamodel is not built again',
    );
    assert.deepEqual(
      (await fetchTasks(sandbox, title)).map(({ buildType }) => buildType),
      ['by_table', 'by_table'],
    );
  });
});
