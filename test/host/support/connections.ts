import type { HostStudio } from './studio.ts';
import { waitFor } from './waiting.ts';

/** The answers to the prompts for a connection. */
export interface ConnectionAnswers {
  readonly name: string;
  readonly url: string;
  readonly token?: string;
  readonly role?: 'development' | 'staging' | 'production' | 'read-only';
  readonly tenantId?: string;
  /** Set if another connection has the address: the tenant is asked for next, and the role is known. */
  readonly isKnownAddress?: true;
}

/** Answers the prompts for a connection, one after the other. */
export async function answerConnectionPrompts(
  { quickInput }: HostStudio,
  answers: ConnectionAnswers,
): Promise<void> {
  const { name, url, token = 'some-token', role = 'development', tenantId = '', isKnownAddress } = answers;
  await quickInput.type(url);
  if (isKnownAddress === true) {
    await quickInput.message(/^Already added as/);
    await quickInput.type(tenantId);
  }
  await quickInput.message(/^API token/);
  await quickInput.type(token);
  if (isKnownAddress !== true) {
    await quickInput.message('Select the role of the instance');
    await quickInput.pick(role);
  }
  await quickInput.message('Name of the connection');
  await quickInput.type(name);
  if (isKnownAddress !== true) {
    await quickInput.message(/^Tenant/);
    await quickInput.type(tenantId);
  }
}

/** Adds a connection from the palette, and closes the message on whether it works. */
export async function addConnection(studio: HostStudio, answers: ConnectionAnswers): Promise<void> {
  await studio.runCommand('Datamodel Studio: Add Connection…');
  await answerConnectionPrompts(studio, answers);
  const message = await studio.notification(new RegExp(`^${answers.name} (works|was saved)`));
  message.answer(undefined);
}

/** Waits until a connection is no longer listed. */
export async function connectionGone({ tree }: HostStudio, name: string): Promise<void> {
  await waitFor(
    async () => !(await tree.children()).includes(name),
    () => `The connection ${name} stays`,
  );
}

/** Removes connections by their context menus. */
export async function removeConnections(studio: HostStudio, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await studio.contextMenu(name, 'Remove Connection…');
    await studio.dialogAction('Remove');
    await studio.treeItemGone([name]);
  }
}
