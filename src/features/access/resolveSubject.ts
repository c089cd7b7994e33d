import * as vscode from 'vscode';
import {
  type RuleSubject,
  getRuleSubject,
  getCubeSetRuleSubject,
  getSubjectTitle,
} from '../../catalog/ruleSubject.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { formatDatamodelType } from '../../platform/labels.ts';

type SubjectItem = vscode.QuickPickItem & { readonly subject?: RuleSubject };

/** Returns the datamodel or cube set that a menu passed, or else the one that the user picks. */
export async function resolveSubject(
  deps: AccessFeatureDeps,
  target: SubjectTarget | undefined,
  title: string,
): Promise<SubjectTarget | undefined> {
  if (target !== undefined) {
    return target;
  }
  const connection = await resolveTargetConnection(deps, undefined, {
    title,
    placeholder: vscode.l10n.t('Select a connection'),
  });
  if (connection === undefined) {
    return undefined;
  }
  const loadItems = async (): Promise<readonly SubjectItem[]> => {
    const { catalog } = await deps.sessions.get(connection.id);
    const datamodels = (await catalog.partial.datamodels()).value.map((datamodel) =>
      toItem(getRuleSubject(datamodel), formatDatamodelType(datamodel)),
    );
    const cubeSets = (connection.cubeSets ?? []).map(({ name, server }) =>
      toItem(getCubeSetRuleSubject(name, server), vscode.l10n.t('cube set')),
    );
    return [...datamodels, ...cubeSets];
  };
  const selectedItem = await vscode.window.showQuickPick(loadItems(), {
    title,
    placeHolder: vscode.l10n.t('Select a datamodel or cube set'),
    matchOnDescription: true,
  });
  return selectedItem?.subject && { connectionId: connection.id, subject: selectedItem.subject };
}

const toItem = (subject: RuleSubject, description: string): SubjectItem => ({
  label: toPlainText(getSubjectTitle(subject)),
  description,
  subject,
});
