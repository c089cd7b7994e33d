import type { Studio } from './studio.ts';
import { toExactPattern } from './text.ts';

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
  const turn = (step: number) =>
    studio.page.locator('.quick-input-title:visible', { hasText: `(${step}/5)` }).waitFor();
  await turn(1);
  await studio.inputBox(url);
  await turn(2);
  await studio.inputBox(token);
  await turn(3);
  await studio.quickPick(role);
  await turn(4);
  await studio.inputBox(name);
  await turn(5);
  await studio.inputBox('');
  const verdict = new RegExp(`^${name} (works|was saved)`);
  await studio.notification(verdict);
  await studio.runCommand('Notifications: Clear All Notifications');
  await studio.notificationGone(verdict);
}

/** Removes connections by their context menus; requires the view to be open. */
export async function removeConnectionsInStudio(studio: Studio, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await studio.contextMenu(name, 'Remove Connection…');
    await studio.dialogAction('Remove');
    const row = studio.page.locator('.part.sidebar .label-name', { hasText: toExactPattern(name) });
    await row.waitFor({ state: 'hidden' });
  }
}
