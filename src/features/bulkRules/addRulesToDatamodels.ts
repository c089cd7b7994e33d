import * as vscode from 'vscode';
import { createRuleCopyOperation } from '../../changes/operations/ruleActions.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type RuleSubject, isSameSubject, getSubjectTitle } from '../../catalog/ruleSubject.ts';
import type { TreeTarget } from '../../contributions.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showInformation } from '../../platform/messages.ts';
import { loadSubjectItems } from '../../platform/pickRuleSubject.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { toResourceTarget } from '../../platform/treeTarget.ts';
import { DocumentReader } from '../../changes/model/documentReader.ts';
import type { BulkRulesDeps } from './deps.ts';

const t = vscode.l10n.t;

/** Adds a rule, or all rules of a column, to other extract datamodels and cube sets that the user picks. */
export async function addRulesToDatamodels(deps: BulkRulesDeps, node: TreeTarget | undefined): Promise<void> {
  const target = node && toResourceTarget(node);
  const resource = target?.resource;
  if (target === undefined || (resource?.kind !== 'rule' && resource?.kind !== 'columnRules')) {
    await showInformation(
      t('In the Connections view, select a rule or a column with rules, and run this command from its menu.'),
    );
    return;
  }
  const { connectionId } = target;
  if (!(await ensureWritable(deps, connectionId))) {
    return;
  }
  const { client } = await deps.sessions.get(connectionId);
  const rules = getRules(await new DocumentReader(client).readDocument(resource));
  if (rules.length === 0) {
    await showInformation(
      resource.kind === 'rule'
        ? t('This rule no longer exists on the server.')
        : t('{0} has no rules.', target.name),
    );
    return;
  }
  const targets = await pickTargetSubjects(deps, connectionId, resource.subject);
  if (targets.length > 0) {
    const titles = targets.map(getSubjectTitle).join(', ');
    const columnOfRule = resource.kind === 'rule' ? target.within.slice(-1) : [];
    const operation = createRuleCopyOperation(
      { connectionId, within: [titles, ...columnOfRule] },
      targets,
      rules,
      target.name,
    );
    if ((await deps.changeReview.perform(operation)) !== undefined) {
      const message =
        rules.length === 1
          ? t('Added the rule to {0}.', titles)
          : t('Added {0} rules to {1}.', rules.length, titles);
      vscode.window.setStatusBarMessage(toPlainText(message), 5000);
    }
  }
}

const getRules = (document: JsonValue | undefined): readonly JsonObject[] =>
  (Array.isArray(document) ? (document as readonly JsonValue[]) : [document]).filter(isJsonObject);

/**
 * Lets the user pick the datamodels and cube sets to add rules to. Only extract datamodels and cube sets accept rules
 * for several of them in one request (rest-api.md, "Data security, extract datamodels").
 */
async function pickTargetSubjects(
  deps: BulkRulesDeps,
  connectionId: string,
  sourceSubject: RuleSubject,
): Promise<readonly Extract<RuleSubject, { kind: 'extract' }>[]> {
  const choices = (await loadSubjectItems(deps, connectionId)).filter(
    ({ subject }) => subject.kind === 'extract' && !isSameSubject(subject, sourceSubject),
  );
  const selectedItems = await vscode.window.showQuickPick(choices, {
    title: t('Add to Other Datamodels'),
    placeHolder: t('Select extract datamodels and cube sets that have the same table and column names'),
    canPickMany: true,
    matchOnDescription: true,
  });
  return (selectedItems ?? []).map(({ subject }) => subject).filter((subject) => subject.kind === 'extract');
}
