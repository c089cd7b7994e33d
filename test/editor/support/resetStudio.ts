import type { Studio } from './studio.ts';

const waitMs = 20_000;
const lateMs = 2_000;

/** Puts an editor back as it was when it came up, except for what is open in the explorer. */
export async function resetStudio(studio: Studio): Promise<void> {
  await closeEditors(studio);
  if (await studio.page.locator('.part.panel').isVisible()) {
    await studio.runCommand('View: Hide Panel');
  }
  await clearNotifications(studio);
  await studio.setTheme('light');
}

/** Closes all editors, and drops what is not saved. */
async function closeEditors(studio: Studio): Promise<void> {
  // The settings lie above all else, and let no palette come up.
  const modal = studio.page.locator('.monaco-modal-editor-block');
  if (await modal.isVisible()) {
    await studio.page.keyboard.press('Escape');
    await modal.waitFor({ state: 'hidden', timeout: waitMs });
  }
  await studio.runCommand('View: Close All Editors');
  await studio.page.waitForFunction(areClosedOrAsked, undefined, { timeout: waitMs });
  if (await studio.page.locator('.monaco-dialog-box').isVisible()) {
    await studio.dialogAction("Don't Save");
  }
  await studio.page.locator('.part.editor .tab').first().waitFor({ state: 'detached', timeout: waitMs });
}

/** Until none is on the screen: what was begun before may tell of itself late. */
async function clearNotifications(studio: Studio): Promise<void> {
  const toast = studio.page.locator('.notification-toast').first();
  const deadline = performance.now() + waitMs;
  for (;;) {
    await studio.runCommand('Notifications: Clear All Notifications');
    try {
      await toast.waitFor({ state: 'detached', timeout: lateMs });
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        throw error;
      }
    }
  }
}

function areClosedOrAsked(): boolean {
  return (
    document.querySelector('.part.editor .tab') === null ||
    document.querySelector('.monaco-dialog-box') !== null
  );
}
