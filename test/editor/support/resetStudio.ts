import type { Studio } from './studio.ts';

const waitMs = 20_000;
/** How long notifications may take to disappear after they have been cleared. */
const clearingMs = 2_000;

/**
 * Closes the editors, hides the panel, clears the notifications, and sets the light theme. The visible view, expanded
 * nodes, filters, and settings stay as they are.
 */
export async function resetStudio(studio: Studio): Promise<void> {
  await closeEditors(studio);
  if (await studio.page.locator('.part.panel').isVisible()) {
    await studio.runCommand('View: Hide Panel');
  }
  await clearNotifications(studio);
  await studio.setTheme('light');
}

/** Closes all editors and discards unsaved changes. */
async function closeEditors(studio: Studio): Promise<void> {
  // The modal Settings editor covers everything and prevents the palette from opening.
  const modal = studio.page.locator('.monaco-modal-editor-block');
  if (await modal.isVisible()) {
    await studio.page.keyboard.press('Escape');
    await modal.waitFor({ state: 'hidden', timeout: waitMs });
  }
  await studio.runCommand('View: Close All Editors');
  await studio.page.waitForFunction(areEditorsClosedOrDialogOpen, undefined, { timeout: waitMs });
  if (await studio.page.locator('.monaco-dialog-box').isVisible()) {
    await studio.clickDialogAction("Don't Save");
  }
  await studio.page.locator('.part.editor .tab').first().waitFor({ state: 'detached', timeout: waitMs });
}

/** Clears until no notification is visible: new ones may be shown while the first ones are cleared. */
async function clearNotifications(studio: Studio): Promise<void> {
  const toast = studio.page.locator('.notification-toast').first();
  const deadline = performance.now() + waitMs;
  for (;;) {
    await studio.runCommand('Notifications: Clear All Notifications');
    try {
      await toast.waitFor({ state: 'detached', timeout: clearingMs });
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        throw error;
      }
    }
  }
}

function areEditorsClosedOrDialogOpen(): boolean {
  return (
    document.querySelector('.part.editor .tab') === null ||
    document.querySelector('.monaco-dialog-box') !== null
  );
}
