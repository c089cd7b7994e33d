import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { Log, LogFields } from '../base/log.ts';
import type { CommandId, Commands } from '../contributions.ts';

/** The implementation of a command. */
export type CommandHandler<Id extends CommandId> = (...args: Commands[Id]) => unknown;

/** Registers a command by its typed ID. Failures are logged and shown; cancellations are not. */
export function registerCommand<Id extends CommandId>(
  id: Id,
  log: Log,
  handler: CommandHandler<Id>,
): Disposable {
  return vscode.commands.registerCommand(id, async (...args: unknown[]) => {
    log.debug('commands', 'Run', { command: id });
    try {
      return await handler(...(args as unknown as Commands[Id]));
    } catch (error) {
      await reportFailure(error, log, { command: id });
      return undefined;
    }
  });
}

/** Logs and shows the failure of a command, or of work in the background; a cancellation is not reported. */
export async function reportFailure(error: unknown, log: Log, fields: LogFields = {}): Promise<void> {
  if (!(await isCancellation(error, log))) {
    log.error('commands', 'Failed', { ...fields, reason: String(error) });
    void showCommandError(error);
  }
}

/**
 * Returns whether an error means that the user canceled. The module that checks this is loaded only when a command
 * fails; if it cannot be loaded, every error counts as a failure.
 */
async function isCancellation(error: unknown, log: Log): Promise<boolean> {
  try {
    return (await import('./userErrors.ts')).isCancellation(error);
  } catch (failure) {
    log.error('commands', 'Could not be loaded', { reason: String(failure) });
    return false;
  }
}

/**
 * Shows an error with its actions. The command does not wait for this, since a message stays until it is dismissed.
 */
async function showCommandError(error: unknown): Promise<void> {
  const { getUserMessage, getErrorActions } = await import('./userErrors.ts');
  const { showError } = await import('./messages.ts');
  const actions = getErrorActions(error);
  const chosenLabel = await showError(getUserMessage(error), ...actions.map(({ label }) => label));
  const action = actions.find(({ label }) => label === chosenLabel);
  if (action !== undefined) {
    await vscode.commands.executeCommand(action.command, action.target);
  }
}

/** Runs one of the extension's commands with typed arguments. */
export async function runCommand<Id extends CommandId>(id: Id, ...args: Commands[Id]): Promise<void> {
  await vscode.commands.executeCommand(id, ...args);
}

/** Runs a command and returns its result; `undefined` if it failed, which was then shown. */
export async function runCommandForResult<Id extends CommandId>(
  id: Id,
  ...args: Commands[Id]
): Promise<unknown> {
  return vscode.commands.executeCommand(id, ...args);
}

/** Creates a command for tree items and status bar items. */
export function createCommand<Id extends CommandId>(
  id: Id,
  title: string,
  ...args: Commands[Id]
): vscode.Command {
  return { command: id, title, arguments: args };
}
