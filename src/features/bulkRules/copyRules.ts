import * as vscode from 'vscode';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import { pickRuleSubject } from '../../platform/pickRuleSubject.ts';
import { createCopiedRules } from '../../security/copy/createCopiedRules.ts';
import { readNamedShares } from '../../security/copy/namedShares.ts';
import { DocumentReader } from '../../changes/model/documentReader.ts';
import type { BulkRulesDeps } from './deps.ts';
import { RuleChangePanel } from './ruleChangePanel.ts';

const t = vscode.l10n.t;

/** Asks where to copy the rules of a datamodel or cube set to, and opens a page that previews the change. */
export async function copyRules(deps: BulkRulesDeps, target: SubjectTarget | undefined): Promise<void> {
  const source = await pickRuleSubject(deps, target, { title: t('Copy Rules from') });
  if (source === undefined) {
    return;
  }
  const { client } = await deps.sessions.get(source.connectionId);
  const document = await new DocumentReader(client).document({ kind: 'rules', subject: source.subject });
  const rules: readonly unknown[] = Array.isArray(document) ? document : [];
  const name = getSubjectTitle(source.subject);
  if (rules.length === 0) {
    await showInformation(t('{0} has no rules.', name));
    return;
  }
  const to = await pickRuleSubject(deps, undefined, {
    title: t('Copy the Rules of {0} to', name),
    without: source,
  });
  if (to === undefined) {
    return;
  }
  const names = new Map<string, string>(
    readNamedShares(rules).map((share) => [`${share.type}:${share.id}`, share.name] as const),
  );
  RuleChangePanel.open(deps, to, {
    title: t('Copy rules of {0} to {1}', name, getSubjectTitle(to.subject)),
    tab: t('Rules of {0} to {1}', name, getSubjectTitle(to.subject)),
    from: name,
    // IDs differ between instances: on another instance, groups are looked up by name.
    hasIds: to.connectionId === source.connectionId,
    choices: { scope: 'add', columns: {}, isRewriting: false },
    getName: (party) => names.get(`${party.type}:${party.name}`),
    read: async ({ columns, isRewriting }, catalog) => {
      const copied = createCopiedRules(rules, { catalog, kind: to.subject.kind, columns, isRewriting });
      return {
        rules: copied.rules,
        problems: [],
        mapping: copied.mapping,
        blocks: copied.blocks,
        refused: [
          ...copied.unclear.map((place) =>
            t('A rule on {0} says nothing certain, so it is not copied: decide what it means first.', place),
          ),
          ...copied.mapping
            .filter((each) => each.to === undefined)
            .map(({ from: { table, column }, rules: count }) =>
              count === 1
                ? t('A rule on {0} goes nowhere: no column of that name.', `${table}.${column}`)
                : t('{0} rules on {1} go nowhere: no column of that name.', count, `${table}.${column}`),
            ),
        ],
      };
    },
  });
}
