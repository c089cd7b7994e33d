import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Studio } from './studio.ts';

/** Replaces the whole text of the active editor by select all and paste, so that nothing is auto-closed or indented. */
export async function replaceEditorText(studio: Studio, text: string): Promise<void> {
  const { page } = studio;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('.part.editor .editor-group-container.active .view-lines').first().click();
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
  await page.locator('.part.editor .monaco-editor.focused').first().waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+v');
}

export const pressSave = (studio: Studio): Promise<void> => studio.page.keyboard.press('Control+s');

/** Waits until the active editor has, or doesn't have, unsaved changes. */
export async function waitForUnsavedState(studio: Studio, isDirty: boolean): Promise<void> {
  const tab = studio.page.locator('.part.editor .editor-group-container.active .tab.active');
  await tab.and(studio.page.locator(isDirty ? '.dirty' : ':not(.dirty)')).waitFor({ timeout: 20_000 });
}

/** Saves the active editor and returns the contents of the file. */
export async function saveAndReadFile(studio: Studio, name: string): Promise<string> {
  await waitForUnsavedState(studio, true);
  await pressSave(studio);
  await waitForUnsavedState(studio, false);
  return readFile(join(studio.workspace, name), 'utf8');
}
