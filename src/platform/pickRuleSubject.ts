import * as vscode from 'vscode';
import {
  type RuleSubject,
  ruleSubjectOf,
  ruleSubjectOfSet,
  sameSubject,
  subjectTitle,
} from '../catalog/ruleSubject.ts';
import type { Sessions } from '../connections/sessions.ts';
import { datamodelTypeWord } from '../contract/datamodel.ts';
import type { SubjectTarget } from '../contributions.ts';
import { type ConnectionChoice, targetConnection } from './pickConnection.ts';
import { plainText } from './serverText.ts';

/** What rules can be bound to: a datamodel or cube set as people choose it. */
export interface SubjectChoice extends vscode.QuickPickItem {
  readonly subject: RuleSubject;
}

interface SubjectChoiceDeps extends ConnectionChoice {
  readonly sessions: Sessions;
}

/** Lets a person pick a datamodel or cube set; a target that a menu passed is taken. */
export async function pickRuleSubject(
  deps: SubjectChoiceDeps,
  target: SubjectTarget | undefined,
  question: { readonly title: string; readonly without?: SubjectTarget },
): Promise<SubjectTarget | undefined> {
  if (target !== undefined) {
    return target;
  }
  const { title, without } = question;
  const connection = await targetConnection(deps, undefined, {
    title,
    placeholder: vscode.l10n.t('Connection of the datamodel'),
  });
  if (connection === undefined) {
    return undefined;
  }
  const isMeant = ({ subject }: SubjectChoice): boolean =>
    without?.connectionId !== connection.id || !sameSubject(subject, without.subject);
  const choices = subjectChoices(deps, connection.id).then((all) => all.filter(isMeant));
  const picked = await vscode.window.showQuickPick(choices, {
    title,
    placeHolder: vscode.l10n.t('Datamodel or cube set'),
    matchOnDescription: true,
  });
  return picked && { connectionId: connection.id, subject: picked.subject };
}

/**
 * The datamodels and cube sets of a connection.
 * @throws ApiError
 */
export async function subjectChoices(
  deps: SubjectChoiceDeps,
  connectionId: string,
): Promise<readonly SubjectChoice[]> {
  const { catalog } = await deps.sessions.get(connectionId);
  const sets = deps.connections.find(connectionId)?.cubeSets ?? [];
  return [
    ...(await catalog.readable.datamodels()).value.map((datamodel) =>
      choiceOf(ruleSubjectOf(datamodel), datamodelTypeWord(datamodel)),
    ),
    ...sets.map(({ name, server }) => choiceOf(ruleSubjectOfSet(name, server), vscode.l10n.t('cube set'))),
  ];
}

const choiceOf = (subject: RuleSubject, description: string): SubjectChoice => ({
  label: plainText(subjectTitle(subject)),
  description,
  subject,
});
