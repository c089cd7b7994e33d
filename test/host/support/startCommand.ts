import * as vscode from 'vscode';

/**
 * Commands without prompts whose effect a test can't wait for. The next step of a test has to wait until such a command
 * has ended, since its code may still be loading.
 */
const awaitedCommands = new Set([
  'datamodelStudio.menus.refresh',
  'datamodelStudio.explorer.refresh',
  'datamodelStudio.explorer.clearFilter',
]);

/** Runs a command as a person does. Most are only started, since they wait for answers. */
export async function startCommand(command: string, ...args: readonly unknown[]): Promise<void> {
  const running = vscode.commands.executeCommand(command, ...args);
  if (awaitedCommands.has(command)) {
    await running;
  }
}
