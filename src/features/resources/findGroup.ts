import * as vscode from 'vscode';
import { ask } from '../../platform/messages.ts';
import type { ResourcesDeps } from './deps.ts';

/** The form of the platform's identifiers (platform-facts 3.1). */
const identifier = /^[0-9a-f]{24}$/i;

/**
 * The id of a group by its name (spec, "Group lookup record"). What looks like an id is taken as one; a name that
 * the server does not know is used only after a question, since the platform checks nothing (platform-facts 3.1).
 */
export async function findGroupId(
  deps: ResourcesDeps,
  connectionId: string,
  name: string,
): Promise<string | undefined> {
  if (identifier.test(name)) {
    return name;
  }
  const { client } = await deps.sessions.get(connectionId);
  const group = (await client.groups.find(name)).value;
  if (group !== undefined) {
    return group._id;
  }
  const use = vscode.l10n.t('Use It as an Id');
  const answer = await ask(
    vscode.l10n.t('There is no group {0}', name),
    vscode.l10n.t('A rule for a party that does not exist protects nothing.'),
    use,
  );
  return answer === use ? name : undefined;
}
