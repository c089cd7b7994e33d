import * as vscode from 'vscode';

/**
 * Commands without prompts whose result is seen nowhere in particular. What a test does next has to happen after them,
 * even if their code is still being loaded.
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
