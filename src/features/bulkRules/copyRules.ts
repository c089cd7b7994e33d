import * as vscode from 'vscode';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showInformation } from '../../platform/messages.ts';
import { pickRuleSubject } from '../../platform/pickRuleSubject.ts';
import { createCopiedRules } from '../../security/copy/createCopiedRules.ts';
import { readNamedParties } from '../../security/copy/namedParties.ts';
import { DocumentReader } from '../../changes/model/documentReader.ts';
import type { BulkRulesDeps } from './deps.ts';
import { RuleChangePanel } from './ruleChangePanel.ts';

const t = vscode.l10n.t;

/** Asks where to copy the rules of a datamodel or cube set to, and opens a page that previews the change. */
export async function copyRules(deps: BulkRulesDeps, target: SubjectTarget | undefined): Promise<void> {
  const source = await pickRuleSubject(deps, target, { title: t('Copy Rules From') });
  if (source === undefined) {
    return;
  }
  const name = getSubjectTitle(source.subject);
  if ((await readSourceRules(deps, source)).length === 0) {
    await showInformation(t('{0} has no rules.', name));
    return;
  }
  const destination = await pickRuleSubject(deps, undefined, {
    title: t('Copy Rules of {0} To', name),
    excludedTarget: source,
  });
  if (destination === undefined || !(await ensureWritable(deps, destination.connectionId))) {
    return;
  }
  let partyNames: ReadonlyMap<string, string> = new Map();
  // Datamodels of several connections often have the same name.
  const getPath = ({ connectionId, subject }: SubjectTarget): string =>
    [deps.connections.find(connectionId)?.name ?? '', getSubjectTitle(subject)].join(' › ');
  RuleChangePanel.open(deps, destination, {
    title: t('Copy rules: {0} → {1}', getPath(source), getPath(destination)),
    tabTitle: t(
      'Copy rules: {0} → {1}',
      source.connectionId === destination.connectionId ? name : getPath(source),
      getSubjectTitle(destination.subject),
    ),
    sourceName: getPath(source),
    // IDs differ between instances: on another instance, groups are looked up by name.
    hasPartyIds: destination.connectionId === source.connectionId,
    choices: { mode: 'add', columns: {}, rewritesExclusions: false },
    getName: (party) => partyNames.get(`${party.type}:${party.idOrName}`),
    // Reads the rules again on each comparison, since they may have changed in the meantime.
    readRules: async ({ columns, rewritesExclusions }, catalog) => {
      const rules = await readSourceRules(deps, source);
      partyNames = new Map(readNamedParties(rules).map(({ type, id, name }) => [`${type}:${id}`, name]));
      const copyResult = createCopiedRules(rules, {
        catalog,
        kind: destination.subject.kind,
        columns,
        rewritesExclusions,
      });
      return {
        rules: copyResult.rules,
        problems: [],
        mapping: copyResult.mapping,
        exclusionCount: copyResult.exclusionCount,
        warnings: [
          ...copyResult.unclearColumns.map((columnName) =>
            t("A rule on {0} is uncertain, so it isn't copied. Fix the rule first.", columnName),
          ),
          ...copyResult.mapping
            .filter((entry) => entry.target === undefined)
            .map(({ source: { table, column }, ruleCount: count }) =>
              count === 1
                ? t("A rule on {0} isn't mapped: no column has this name.", `${table}.${column}`)
                : t("{0} rules on {1} aren't mapped: no column has this name.", count, `${table}.${column}`),
            ),
        ],
      };
    },
  });
}

async function readSourceRules(
  { sessions }: BulkRulesDeps,
  { connectionId, subject }: SubjectTarget,
): Promise<readonly unknown[]> {
  const { client } = await sessions.get(connectionId);
  const document = await new DocumentReader(client).readDocument({ kind: 'rules', subject });
  return Array.isArray(document) ? document : [];
}
