import * as vscode from 'vscode';
import { stringify } from '../../base/json.ts';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import { pickRuleSubject } from '../../platform/pickRuleSubject.ts';
import type { BulkRulesDeps } from './deps.ts';
import { getUserChoices } from './userChoices.ts';

const t = vscode.l10n.t;

/**
 * Shows the rules of a user as JSON (rest-api.md, "Data security, extract datamodels"). For live datamodels the API has
 * no such request, so their rules are searched for those that name the user.
 */
export async function showUserRules(deps: BulkRulesDeps, target: SubjectTarget | undefined): Promise<void> {
  const title = t('Show Rules of a User');
  const pickedTarget = await pickRuleSubject(deps, target, { title });
  if (pickedTarget === undefined) {
    return;
  }
  const { subject } = pickedTarget;
  const { client, catalog: cachedCatalog } = await deps.sessions.get(pickedTarget.connectionId);
  const catalog = cachedCatalog.fresh();
  const user = await promptForUser(title, await catalog.rules(subject));
  if (user === undefined) {
    return;
  }
  const rules =
    subject.kind === 'extract'
      ? (await client.extractRules.listByUser({ ...subject, user })).json
      : (await catalog.rules(subject)).filter(({ shares }) =>
          shares?.some(({ type, party, partyId }) => type === 'user' && (partyId ?? party) === user),
        );
  if (Array.isArray(rules) && rules.length === 0) {
    await showInformation(t('No rule of {0} is for the user {1}.', getSubjectTitle(subject), user));
    return;
  }
  const document = await vscode.workspace.openTextDocument({
    language: 'json',
    content: stringify(rules, 2),
  });
  await vscode.window.showTextDocument(document, { preview: true });
}

/** Lets the user pick a user that the rules name, or enter an ID. */
async function promptForUser(title: string, rules: readonly unknown[]): Promise<string | undefined> {
  const otherUserItem = { label: `$(edit) ${t('Another User…')}`, id: undefined };
  const selectedItem = await vscode.window.showQuickPick([...getUserChoices(rules), otherUserItem], {
    title,
    placeHolder: t('User'),
    matchOnDescription: true,
  });
  if (selectedItem === undefined || selectedItem.id !== undefined) {
    return selectedItem?.id;
  }
  const typedId = await vscode.window.showInputBox({ title, prompt: t('Identifier of the user') });
  return typedId === undefined || typedId.trim() === '' ? undefined : typedId.trim();
}
