import type { Studio } from './studio.ts';
import { toExactPattern } from './textPatterns.ts';

/** The input for a new connection. */
export interface NewConnection {
  readonly name: string;
  readonly url: string;
  readonly token?: string;
  readonly role?: 'development' | 'staging' | 'production' | 'read-only';
}

/** Adds a connection from the palette and waits until it is listed, working or not. */
export async function addConnectionInStudio(studio: Studio, connection: NewConnection): Promise<void> {
  const { name, url, token = 'some-token', role = 'development' } = connection;
  await studio.runCommand('Datamodel Studio: Add Connection…');
  // The input boxes look alike: wait for the right step before typing.
  const waitForStep = (step: number) =>
    studio.page.locator('.quick-input-title:visible', { hasText: `(${step}/5)` }).waitFor();
  await waitForStep(1);
  await studio.submitInputBox(url);
  await waitForStep(2);
  await studio.submitInputBox(token);
  await waitForStep(3);
  await studio.selectQuickPick(role);
  await waitForStep(4);
  await studio.submitInputBox(name);
  await waitForStep(5);
  await studio.submitInputBox('');
  const resultPattern = new RegExp(`^${name} (works|doesn't work yet)`);
  await studio.waitForNotification(resultPattern);
  await studio.runCommand('Notifications: Clear All Notifications');
  await studio.waitForNotificationGone(resultPattern);
}

/** Removes connections by their context menus; requires the view to be open. */
export async function removeConnectionsInStudio(studio: Studio, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await studio.chooseFromContextMenu(name, 'Remove Connection…');
    await studio.clickDialogAction('Remove');
    const row = studio.page.locator('.part.sidebar .label-name', { hasText: toExactPattern(name) });
    await row.waitFor({ state: 'hidden' });
  }
}
