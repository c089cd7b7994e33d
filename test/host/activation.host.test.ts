import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { describeOnSandbox } from './support/suite.ts';

describeOnSandbox('activation', (test) => {
  test('registers every command of the manifest', async ({ studio }) => {
    const declared = studio.manifest.commandIds;
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.ok(declared.length > 0);
    assert.deepEqual(
      declared.filter((command) => !registered.has(command)),
      [],
    );
  });
});
