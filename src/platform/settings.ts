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
