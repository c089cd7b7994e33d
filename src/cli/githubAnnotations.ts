import { listDifferenceLines } from './differences/differenceTexts.ts';
import { formatNames, labelItems } from './itemLabels.ts';
import { formatPlanSummary } from './planCounts.ts';
import type { PlanOutput } from './planOutput.ts';
import { type PlanEntry, type PlanSection, formatEntryLine, getPlanSections } from './planSections.ts';
import { formatWorkflowCommand } from './workflowCommand.ts';

const levels = ['error', 'warning', 'notice'] as const;

/** A message that GitHub shows next to a file. */
export interface Annotation {
  readonly level: (typeof levels)[number];
  readonly title: string;
  readonly message: string;
  readonly file?: string | undefined;
}

/** Formats a workflow command of GitHub Actions. */
export const formatAnnotation = ({ level, title, message, file }: Annotation): string =>
  formatWorkflowCommand(level, { file, title }, message);

/**
 * The maximum number of annotations of a level. GitHub shows 10 errors, 10 warnings, and 10 notices of a step, and
 * silently leaves out the others (docs/problem-matchers.md of actions/toolkit, "Limitations").
 */
const maxAnnotations = 10;

/** The maximum number of lines of an annotation that stands for several. */
const maxLines = 50;

/**
 * Returns the annotations for the reviewers of a plan, the most important ones of each level first. If there are more
 * than GitHub shows, those with the same title become one, the least important ones first, and lose their details.
 */
export function getPlanAnnotations(plan: PlanOutput): readonly Annotation[] {
  const labeledPlan = labelItems(plan);
  const sections = getPlanSections(labeledPlan);
  const summary: PlanSection = {
    title: `Plan for ${plan.environment}`,
    level: sections.some(({ level }) => level === 'warning') ? 'warning' : 'notice',
    entries: [{ text: formatPlanSummary(plan) }],
  };
  const interrupted: PlanSection = {
    title: 'An earlier change was interrupted',
    level: 'warning',
    entries: plan.interrupted === undefined ? [] : [{ text: plan.interrupted.text }],
  };
  return levels.flatMap((level) =>
    limitAnnotations(
      level,
      [interrupted, summary, ...sections].filter((section) => section.level === level),
    ),
  );
}

/** Returns the annotations of a level, with those that GitHub wouldn't show merged into others. */
function limitAnnotations(
  level: Annotation['level'],
  sections: readonly Pick<PlanSection, 'title' | 'entries'>[],
): readonly Annotation[] {
  let count = sections.reduce((sum, { entries }) => sum + entries.length, 0);
  const groups = sections.toReversed().map(({ title, entries }) => {
    if (count <= maxAnnotations || entries.length < 2) {
      return entries.map((entry) => toAnnotation(level, title, entry));
    }
    count -= entries.length - 1;
    return [mergeEntries(level, title, entries)];
  });
  const annotations = groups.toReversed().flat();
  return annotations.length <= maxAnnotations
    ? annotations
    : [
        ...annotations.slice(0, maxAnnotations - 1),
        {
          level,
          title: `${annotations.length - maxAnnotations + 1} more ${level}s`,
          message: sections
            .filter(({ entries }) => entries.length > 0)
            .slice(maxAnnotations - 1)
            .map(({ title, entries }) => `${title}: ${formatNames(formatLines(entries))}`)
            .join('\n'),
        },
      ];
}

const toAnnotation = (
  level: Annotation['level'],
  title: string,
  { subject, text, details = [], path }: PlanEntry,
): Annotation => ({
  level,
  title: subject === undefined ? title : `${title}: ${subject}`,
  message: [text, ...listDifferenceLines(details)].join('\n'),
  ...(path === undefined ? {} : { file: path }),
});

/** Creates one annotation for several entries. It belongs to no file, since the entries can be in several files. */
function mergeEntries(level: Annotation['level'], title: string, entries: readonly PlanEntry[]): Annotation {
  const lines = formatLines(entries);
  return {
    level,
    title: `${title} (${entries.length})`,
    message: [
      ...lines.slice(0, maxLines),
      ...(lines.length > maxLines ? [`… and ${lines.length - maxLines} more`] : []),
    ].join('\n'),
  };
}

/** Formats entries one per line, and subjects with the same text in the same line. */
const formatLines = (entries: readonly PlanEntry[]): readonly string[] =>
  [...Map.groupBy(entries, ({ subject, text }) => (subject === undefined ? undefined : text))].flatMap(
    ([text, group]) =>
      text === undefined
        ? group.map(formatEntryLine)
        : [`${formatNames(group.map(({ subject = '' }) => subject))}: ${text}`],
  );
