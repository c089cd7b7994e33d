import * as vscode from 'vscode';
import {
  type RuleSubject,
  getRuleSubject,
  getCubeSetRuleSubject,
  isSameSubject,
  getSubjectTitle,
} from '../catalog/ruleSubject.ts';
import type { Sessions } from '../connections/sessions.ts';
import type { SubjectTarget } from '../contributions.ts';
import { type ConnectionPickerDeps, resolveTargetConnection } from './pickConnection.ts';
import { toPlainText } from './serverText.ts';
import { formatDatamodelType } from './labels.ts';

/** A datamodel or cube set that rules can be bound to, as a quick pick item. */
export interface SubjectItem extends vscode.QuickPickItem {
  readonly subject: RuleSubject;
}

interface SubjectPickerDeps extends ConnectionPickerDeps {
  readonly sessions: Sessions;
}

/** Lets the user select a datamodel or cube set; a target passed by a menu is used as it is. */
export async function pickRuleSubject(
  deps: SubjectPickerDeps,
  target: SubjectTarget | undefined,
  options: { readonly title: string; readonly excludedTarget?: SubjectTarget },
): Promise<SubjectTarget | undefined> {
  if (target !== undefined) {
    return target;
  }
  const { title, excludedTarget } = options;
  const connection = await resolveTargetConnection(deps, undefined, {
    title,
    placeholder: vscode.l10n.t('Select a connection'),
  });
  if (connection === undefined) {
    return undefined;
  }
  const isAllowed = ({ subject }: SubjectItem): boolean =>
    excludedTarget?.connectionId !== connection.id || !isSameSubject(subject, excludedTarget.subject);
  const items = loadSubjectItems(deps, connection.id).then((candidates) => candidates.filter(isAllowed));
  const pickedItem = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Select a datamodel or cube set'),
    matchOnDescription: true,
  });
  return pickedItem && { connectionId: connection.id, subject: pickedItem.subject };
}

/**
 * The datamodels and cube sets of a connection.
 * @throws ApiError
 */
export async function loadSubjectItems(
  deps: SubjectPickerDeps,
  connectionId: string,
): Promise<readonly SubjectItem[]> {
  const { catalog } = await deps.sessions.get(connectionId);
  const cubeSets = deps.connections.find(connectionId)?.cubeSets ?? [];
  return [
    ...(await catalog.partial.datamodels()).value.map((datamodel) =>
      toSubjectItem(getRuleSubject(datamodel), formatDatamodelType(datamodel)),
    ),
    ...cubeSets.map(({ name, server }) =>
      toSubjectItem(getCubeSetRuleSubject(name, server), vscode.l10n.t('cube set')),
    ),
  ];
}

const toSubjectItem = (subject: RuleSubject, description: string): SubjectItem => ({
  label: toPlainText(getSubjectTitle(subject)),
  description,
  subject,
});
