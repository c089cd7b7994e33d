import * as vscode from 'vscode';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import type { AuditCode, AuditFinding } from '../../security/audit/auditFinding.ts';
import type { FindingCause, FindingPlace } from '../../security/audit/groupFindings.ts';
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

/** Describes a place of a cause: its name, and what was found there unless the cause's title says it. */
export function describePlace(
  { subject: { subject, rules }, finding }: FindingPlace<SubjectAudit>,
  cause: Pick<FindingCause, 'subject' | 'topic'>,
): { readonly name: string; readonly detail?: string } {
  const name = getFindingName(finding, rules[finding.index ?? -1]);
  // A cause without a subject concerns several.
  const container = cause.subject === undefined ? getSubjectTitle(subject) : '';
  const fullName = [container, name].filter((part) => part !== '').join(' › ');
  const isNamedInTitle = cause.topic.length > 0;
  const { detail } = codeTexts[finding.code];
  const text = detail === undefined ? finding.message : detail(finding.args, isNamedInTitle);
  return text === undefined ? { name: fullName } : { name: fullName, detail: text };
}

function getFindingName(
  { viewpointId, table, args: [first = ''] }: AuditFinding,
  rule: SubjectAudit['rules'][number] | undefined,
): string {
  if (viewpointId !== undefined) {
    return first;
  }
  return table ?? (rule === undefined ? '' : `${rule.table}.${rule.column}`);
}

/** The texts of findings with a code. Functions, since they are translated when they are shown. */
interface CodeTexts {
  readonly title: () => string;
  /** The title of a cause that is about one table, column, user or group. */
  readonly formatTopicTitle?: (topic: readonly string[]) => string;
  /** What it means, or what to do. */
  readonly explanation?: () => string;
  /** What was found in a place; if absent, the message of the finding. */
  readonly detail?: (args: readonly string[], isNamedInTitle: boolean) => string | undefined;
}

const noDetail = (): undefined => undefined;
const explainMissingName = (): string => t('The rules protect nothing. Correct the name, or delete them.');
const formatParty = (type: string, id: string): string =>
  type === 'user' ? t('User {0}', id) : t('Group {0}', id);

const codeTexts: Readonly<Record<AuditCode, CodeTexts>> = {
  'all-members-false': { title: () => t('Rules that list values although "allMembers" is false') },
  'members-required': { title: () => t('Rules without "members"') },
  'ambiguous-empty': { title: () => t('Rules that can mean Nothing or Everything') },
  'default-has-party': { title: () => t('Default rules that name a user or group') },
  'party-required': { title: () => t('Rules that do not identify their user or group') },
  'date-column': { title: () => t('Rules on date columns, which the platform does not support') },
  'unknown-table': {
    title: () => t('Rules on tables that do not exist'),
    formatTopicTitle: ([table = '']) => t('Table {0} does not exist', table),
    explanation: explainMissingName,
    detail: noDetail,
  },
  'unknown-column': {
    title: () => t('Rules on columns that do not exist'),
    formatTopicTitle: ([table = '', column = '']) => t('Column {0}.{1} does not exist', table, column),
    explanation: explainMissingName,
    detail: noDetail,
  },
  'datatype-mismatch': { title: () => t('Rules with another data type than their column') },
  'live-flag': { title: () => t('Rules of a live datamodel without "live": true') },
  'live-prefix': { title: () => t('Rules of a live datamodel without the prefix "live:"') },
  'exclusionary-live': { title: () => t('Exclusionary rules of a live datamodel') },
  'no-default-rule': {
    title: () => t('Columns without a default rule'),
    explanation: () => t('What everyone else sees of them is not defined.'),
    detail: noDetail,
  },
  'duplicate-rule': { title: () => t('Rules that repeat another rule') },
  'member-not-string': { title: () => t('Rules with values that are not text') },
  'flag-not-boolean': { title: () => t('Rules with a flag that is neither true, false, nor null') },
  'other-spelling': {
    title: () => t('Values that other rules of the column write differently'),
    explanation: () => t('Rules compare letter case and spaces, so one of the spellings matches no row.'),
  },
  contradiction: {
    title: () => t('Rules that contradict each other'),
    explanation: () => t('For one party, one rule makes the others pointless.'),
    detail: ([, , type = '', id = '']) => formatParty(type, id),
  },
  'several-defaults': {
    title: () => t('Columns with several default rules that differ'),
    detail: noDetail,
  },
  'party-unknown': {
    title: () => t('Users and groups that have no name on the server'),
    formatTopicTitle: ([type = '', id = '']) =>
      type === 'user'
        ? t('User {0} has no name on the server', id)
        : t('Group {0} has no name on the server', id),
    explanation: () => t('It may no longer exist. Delete the rules that name it, or correct the ID.'),
    detail: ([type = '', id = ''], isNamedInTitle) => (isNamedInTitle ? undefined : formatParty(type, id)),
  },
  'viewpoint-sees-nothing': {
    title: () => t('Viewpoints that are shared with groups that see no rows of them'),
    formatTopicTitle: ([group = '']) =>
      t('Group {0} sees no rows of viewpoints that are shared with it', group),
    explanation: () => t('Rules hide all rows of at least one table that the viewpoint uses.'),
    detail: ([, group = '', table = ''], isNamedInTitle) =>
      isNamedInTitle ? t('No row of {0}', table) : t('Group {0} sees no row of {1}', group, table),
  },
  'table-unreached': {
    title: () => t('Tables that no rule reaches'),
    explanation: () =>
      t(
        'Everyone sees all of their rows: neither they nor tables that relations link to them have a column with rules.',
      ),
    detail: ([, linkedCount]) => describeLinkedTables(Number(linkedCount)),
  },
  'no-rules': {
    title: () => t('Datamodels without rules'),
    explanation: () => t('Everyone sees everything in them.'),
    detail: noDetail,
  },
  'cube-set-unconfirmed': {
    title: () => t('Cube sets that are not confirmed'),
    explanation: () =>
      t(
        'The server lists no rules for cube sets of these names, whether they exist or not. Check the spelling; upper and lower case count.',
      ),
    detail: noDetail,
  },
};

function describeLinkedTables(count: number): string | undefined {
  if (count === 0) {
    return undefined;
  }
  return count === 1
    ? t('Linked with another table of this list')
    : t('Linked with {0} other tables of this list', count);
}
