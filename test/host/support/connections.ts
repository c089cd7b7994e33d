import type { HostStudio } from './studio.ts';
import { waitFor } from './waiting.ts';

/** The answers to the prompts for a connection. */
export interface ConnectionAnswers {
  readonly name: string;
  readonly url: string;
  readonly token?: string;
  readonly role?: 'development' | 'staging' | 'production' | 'read-only';
  readonly tenantId?: string;
  /**
   * Set if a saved connection has the address: then the tenant is asked for next, and the role is that of the
   * connection.
   */
  readonly hasSavedAddress?: true;
}

/** Answers the prompts for a connection, one after the other. */
export async function answerConnectionPrompts(
  { quickInput }: HostStudio,
  answers: ConnectionAnswers,
): Promise<void> {
  const { name, url, token = 'some-token', role = 'development', tenantId = '', hasSavedAddress } = answers;
  await quickInput.submitText(url);
  if (hasSavedAddress === true) {
    await quickInput.waitForMessage(/^Already added as/);
    await quickInput.submitText(tenantId);
  }
  await quickInput.waitForMessage(/^API token/);
  await quickInput.submitText(token);
  if (hasSavedAddress !== true) {
    await quickInput.waitForMessage('Select the role of the instance');
    await quickInput.pick(role);
  }
  await quickInput.waitForMessage('Name of the connection');
  await quickInput.submitText(name);
  if (hasSavedAddress !== true) {
    await quickInput.waitForMessage(/^Tenant/);
    await quickInput.submitText(tenantId);
  }
}

/** Adds a connection from the palette, and closes the message on whether it works. */
export async function addConnection(studio: HostStudio, answers: ConnectionAnswers): Promise<void> {
  await studio.runCommand('Datamodel Studio: Add Connection…');
  await answerConnectionPrompts(studio, answers);
  const message = await studio.waitForNotification(new RegExp(`^${answers.name} (works|doesn't work yet)`));
  message.answer(undefined);
}

/** Waits until a connection is no longer listed. */
export async function waitForConnectionGone({ tree }: HostStudio, name: string): Promise<void> {
  await waitFor(
    async () => !(await tree.getChildLabels()).includes(name),
    () => `The connection ${name} stays`,
  );
}

/** Removes connections by their context menus. */
export async function removeConnections(studio: HostStudio, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await studio.chooseFromContextMenu(name, 'Remove Connection…');
    await studio.clickDialogAction('Remove');
    await studio.waitForTreeItemGone([name]);
  }
}
