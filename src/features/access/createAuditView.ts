import * as vscode from 'vscode';
import type { AcceptedFindings, BaselineResult } from '../../security/audit/applyBaseline.ts';
import type { FindingCause } from '../../security/audit/groupFindings.ts';
import type { AcceptedFindingsView, AuditCauseView, AuditView } from '../../webviews/protocol/audit.ts';
import type { InstanceAudit, SubjectAudit } from './auditInstance.ts';
import { describeCause, describeCode, describePlace, formatFindingCount } from './auditLabels.ts';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';

const t = vscode.l10n.t;

/** The maximum number of causes and accepted entries on the page, and of places of each. The report contains all. */
const maxCauses = 200;
const maxPlaces = 100;

/** The result of an audit, compared with the baseline. */
export interface AuditResult {
  readonly audit: InstanceAudit;
  readonly baseline: BaselineResult<SubjectAudit>;
  /** Why the baseline can't be read. */
  readonly baselineProblem?: string;
  /** The path of the baseline file in the workspace, if it exists. */
  readonly baselineFile?: string;
}

/** Creates the content of the Security page. */
export function createAuditView(result: AuditResult): AuditView {
  const { audit, baseline, baselineProblem, baselineFile } = result;
  const { newCauses, accepted, resolvedCount } = baseline;
  return {
    title: t('Security of {0}', audit.connectionName),
    summary: summarizeAudit(result),
    problems: describeReadFailures(audit),
    ...(baselineProblem === undefined ? {} : { baselineProblem }),
    ...(baselineFile === undefined ? {} : { baselineFile }),
    causes: newCauses.slice(0, maxCauses).map(toCauseView),
    causeCount: newCauses.length,
    accepted: accepted.slice(0, maxCauses).map(toAcceptedView),
    acceptedCount: countFindings(accepted),
    resolvedCount,
  };
}

/** Summarizes the number of findings, new and accepted ones, in a sentence or two. */
export function summarizeAudit({ audit, baseline: { newCauses, accepted } }: AuditResult): string {
  const count = countFindings(newCauses);
  const acceptedCount = countFindings(accepted);
  const [only, ...others] = audit.subjectAudits;
  const subjects =
    only !== undefined && others.length === 0
      ? getSubjectTitle(only.subject)
      : t('{0} datamodels and cube sets', audit.subjectAudits.length);
  const newFindings =
    newCauses.length === 1
      ? t('{0} with 1 cause in {1}.', formatFindingCount(count), subjects)
      : t('{0} with {1} causes in {2}.', formatFindingCount(count), newCauses.length, subjects);
  return [
    count === 0 ? t('No new findings in {0}.', subjects) : newFindings,
    ...(acceptedCount === 0 ? [] : [t('{0} accepted.', formatFindingCount(acceptedCount))]),
  ].join(' ');
}

/** Describes what could not be read. */
export const describeReadFailures = ({
  subjectAudits,
  datamodelProblem,
  viewpointProblem,
}: InstanceAudit): readonly string[] => [
  ...(datamodelProblem === undefined ? [] : [t("Can't read the datamodels. {0}", datamodelProblem)]),
  ...(viewpointProblem === undefined ? [] : [t("Can't read the viewpoints. {0}", viewpointProblem)]),
  ...subjectAudits.flatMap(({ subject, problem }) =>
    problem === undefined
      ? []
      : [t("{0} couldn't be checked completely. {1}", getSubjectTitle(subject), problem)],
  ),
];

const countFindings = (items: readonly { readonly places: readonly unknown[] }[]): number =>
  items.reduce((sum, { places }) => sum + places.length, 0);

function toCauseView(cause: FindingCause<SubjectAudit>): AuditCauseView {
  const { key, severity, subject, places } = cause;
  return {
    key,
    severity,
    ...describeCause(cause),
    ...(subject === undefined ? {} : { subject: getSubjectTitle(subject.subject) }),
    places: places.slice(0, maxPlaces).map((place) => describePlace(place, cause)),
    placeCount: places.length,
  };
}

function toAcceptedView(accepted: AcceptedFindings<SubjectAudit>): AcceptedFindingsView {
  const { entry, places } = accepted;
  return {
    key: getAcceptedKey(accepted),
    title: describeCode(entry.finding),
    subject: places[0] === undefined ? entry.datamodel : getSubjectTitle(places[0].subject.subject),
    placeCount: places.length,
    reason: entry.reason,
    author: entry.author,
    date: entry.date,
  };
}

/** Returns a key that identifies accepted findings among those of one instance. */
export const getAcceptedKey = ({ entry }: AcceptedFindings): string =>
  JSON.stringify([entry.datamodel, entry.finding, entry.reason, entry.author, entry.date, entry.places[0]]);
