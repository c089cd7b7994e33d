import * as vscode from 'vscode';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import type { AuditCode, AuditFinding } from '../../security/audit/auditFinding.ts';
import type { FindingCause, FindingPlace } from '../../security/audit/groupFindings.ts';
import { describeRuleFinding } from '../../platform/problemTexts.ts';
import { isLintCode } from '../../security/lint/lintMessage.ts';
import type { DiagnosticSeverity } from '../../sql/language.ts';
import type { SubjectAudit } from './auditInstance.ts';

const t = vscode.l10n.t;

export function getSeverityLabel(severity: DiagnosticSeverity): string {
  switch (severity) {
    case 'error':
      return t('Error');
    case 'warning':
      return t('Warning');
    case 'information':
      return t('Information');
  }
}

export const formatFindingCount = (count: number): string =>
  count === 1 ? t('1 finding') : t('{0} findings', count);

/** Describes a cause in the user's language: a title, and what it means or what to do. */
export function describeCause({ code, topic }: Pick<FindingCause, 'code' | 'topic'>): {
  readonly title: string;
  readonly explanation?: string;
} {
  const { title, formatTopicTitle, explanation } = codeTexts[code];
  return {
    title: topic.length > 0 && formatTopicTitle !== undefined ? formatTopicTitle(topic) : title(),
    ...(explanation === undefined ? {} : { explanation: explanation() }),
  };
}

/** Returns the title for findings with a code, or the code itself if a later version has added it. */
export const describeCode = (code: string): string =>
  Object.entries(codeTexts)
    .find(([knownCode]) => knownCode === code)?.[1]
    .title() ?? code;

/** Describes a place of a cause: its name, and what was found there unless the cause's title already contains it. */
export function describePlace(
  { subject: audit, finding }: FindingPlace<SubjectAudit>,
  cause: Pick<FindingCause, 'subject' | 'topic'>,
): { readonly name: string; readonly detail?: string } {
  const name = getPlaceLabel(finding, audit.rules[finding.index ?? -1]);
  // A cause without a subject has places in several datamodels or cube sets.
  const container = cause.subject === undefined ? getSubjectTitle(audit.subject) : '';
  const fullName = [container, name].filter((part) => part !== '').join(' › ');
  const isNamedInTitle = cause.topic.length > 0;
  const { detail } = codeTexts[finding.code];
  const text = detail === undefined ? describeLintFinding(finding) : detail(finding.args, isNamedInTitle);
  return text === undefined ? { name: fullName } : { name: fullName, detail: text };
}

const describeLintFinding = ({ code, args }: AuditFinding): string | undefined =>
  isLintCode(code) ? describeRuleFinding({ code, args }) : undefined;

function getPlaceLabel(
  { viewpointId, table, args: [viewpointName = ''] }: AuditFinding,
  rule: SubjectAudit['rules'][number] | undefined,
): string {
  if (viewpointId !== undefined) {
    return viewpointName;
  }
  return table ?? (rule === undefined ? '' : `${rule.table}.${rule.column}`);
}

/** The texts of findings with a code. They are functions, so that they are translated when they are shown. */
interface CodeTexts {
  readonly title: () => string;
  /** The title of a cause that is about one table, column, user or group. */
  readonly formatTopicTitle?: (topic: readonly string[]) => string;
  /** What the finding means, or what to do about it. */
  readonly explanation?: () => string;
  /** What was found in a place; if absent, the message of the linter of rules. */
  readonly detail?: (args: readonly string[], isNamedInTitle: boolean) => string | undefined;
}

const noDetail = (): undefined => undefined;
const explainMissingName = (): string =>
  t('These rules have no effect. Correct the name or delete the rules.');
const formatParty = (type: string, id: string): string =>
  type === 'user' ? t('User {0}', id) : t('Group {0}', id);

const codeTexts: Readonly<Record<AuditCode, CodeTexts>> = {
  'all-members-false': { title: () => t('Rules that list values while "allMembers" is false') },
  'all-members-true': { title: () => t('Rules that list values while "allMembers" is true') },
  'members-required': { title: () => t('Rules without "members"') },
  'ambiguous-empty': { title: () => t('Rules that can mean all values or no values') },
  'default-has-party': { title: () => t('Rules for everyone else that name a user or group') },
  'party-required': { title: () => t("Rules that don't identify their user or group") },
  'party-not-id': { title: () => t('Rules with a name instead of an ID') },
  'date-column': { title: () => t("Rules on date columns, which the platform doesn't support") },
  'unknown-table': {
    title: () => t("Rules on tables that don't exist"),
    formatTopicTitle: ([table = '']) => t("Table {0} doesn't exist", table),
    explanation: explainMissingName,
    detail: noDetail,
  },
  'unknown-column': {
    title: () => t("Rules on columns that don't exist"),
    formatTopicTitle: ([table = '', column = '']) => t("Column {0}.{1} doesn't exist", table, column),
    explanation: explainMissingName,
    detail: noDetail,
  },
  'datatype-mismatch': { title: () => t('Rules with a different data type than their column') },
  'live-flag': { title: () => t('Rules of a live datamodel without "live": true') },
  'live-prefix': { title: () => t('Rules of a live datamodel without the prefix "live:"') },
  'exclusionary-live': { title: () => t('Rules that exclude values in a live datamodel') },
  'no-default-rule': {
    title: () => t('Columns without a rule for everyone else'),
    explanation: () => t('What everyone else sees in these columns is uncertain.'),
    detail: noDetail,
  },
  'duplicate-rule': { title: () => t('Duplicate rules') },
  'member-not-string': { title: () => t("Rules with values that aren't text") },
  'flag-not-boolean': { title: () => t("Rules with a flag that isn't true, false, or null") },
  'other-spelling': {
    title: () => t('Values that are spelled differently in other rules on the column'),
    explanation: () =>
      t('Rules are case-sensitive, and spaces count, so one of the spellings might not match any rows.'),
  },
  contradiction: {
    title: () => t('Rules that contradict each other'),
    explanation: () => t('For the same user or group, one rule overrides the others.'),
    detail: ([, , type = '', id = '']) => formatParty(type, id),
  },
  'several-defaults': {
    title: () => t('Columns with conflicting rules for everyone else'),
    detail: noDetail,
  },
  'party-unknown': {
    title: () => t('Users and groups without a name on the server'),
    formatTopicTitle: ([type = '', id = '']) =>
      type === 'user'
        ? t('User {0} has no name on the server', id)
        : t('Group {0} has no name on the server', id),
    explanation: () => t('It might no longer exist. Correct the ID or delete the rules that use it.'),
    detail: ([type = '', id = ''], isNamedInTitle) => (isNamedInTitle ? undefined : formatParty(type, id)),
  },
  'viewpoint-sees-nothing': {
    title: () => t("Viewpoints shared with groups that can't see any of their rows"),
    formatTopicTitle: ([group = '']) => t("Group {0} can't see any rows of viewpoints shared with it", group),
    explanation: () => t('Rules hide all rows of at least one table used by the viewpoint.'),
    detail: ([, group = '', table = ''], isNamedInTitle) =>
      isNamedInTitle ? t('No rows of {0}', table) : t('Group {0} sees no rows of {1}', group, table),
  },
  'table-unreached': {
    title: () => t('Tables not restricted by any rule'),
    explanation: () =>
      t(
        'Everyone with access to the datamodel can see all rows of these tables. Neither these tables nor their linked tables have a column with rules.',
      ),
    detail: ([, linkedCount]) => describeLinkedTables(Number(linkedCount)),
  },
  'no-rules': {
    title: () => t('Datamodels without rules'),
    explanation: () => t('Everyone with access to these datamodels can see all of their data.'),
    detail: noDetail,
  },
  'cube-set-unconfirmed': {
    title: () => t('Unconfirmed cube sets'),
    explanation: () =>
      t(
        "The server returned no rules for these names, so it's unknown whether the cube sets exist. Check the spelling. Names are case-sensitive.",
      ),
    detail: noDetail,
  },
};

function describeLinkedTables(count: number): string | undefined {
  if (count === 0) {
    return undefined;
  }
  return count === 1
    ? t('Linked to another table in this list')
    : t('Linked to {0} other tables in this list', count);
}
