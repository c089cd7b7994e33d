import * as vscode from 'vscode';
import { type Settings, settingsPrefix } from '../contributions.ts';

/** The value of one of the extension's settings; the manifest gives each a default. */
export function getSetting<Key extends keyof Settings>(key: Key): Settings[Key] {
  const value = vscode.workspace.getConfiguration(settingsPrefix).get<Settings[Key]>(key);
  if (value === undefined) {
    throw new Error(`The manifest has no default for ${settingsPrefix}.${key}`);
  }
  return value;
}

/**
 * Changes one of the extension's settings: for the workspace if that has a value of its own, otherwise for the user.
 */
export async function updateSetting<Key extends keyof Settings>(
  key: Key,
  value: Settings[Key],
): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(settingsPrefix);
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const hasWorkspaceValue = configuration.inspect(key)?.workspaceValue !== undefined;
  await configuration.update(key, value, hasWorkspaceValue ? Workspace : Global);
}
