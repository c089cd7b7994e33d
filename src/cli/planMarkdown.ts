import { formatCode, formatInterruptedLines, formatSections } from './markdown.ts';
import { labelItems } from './itemLabels.ts';
import { formatPlanCounts } from './planCounts.ts';
import type { PlanOutput } from './planOutput.ts';
import { formatEntryLine, getPlanSections } from './planSections.ts';

/**
 * Formats a plan as Markdown that fits into a comment of a pull request. Problems, access that is gained, and what
 * breaks come first and are truncated last; omitted lines are counted.
 */
export function formatPlanMarkdown(plan: PlanOutput): string {
  const labeledPlan = labelItems(plan);
  const { environment, instance, access, changes } = labeledPlan;
  const head = [
    `### Plan for ${formatCode(environment)}`,
    '',
    `${formatCode(instance.url)} (${instance.role}). ${formatPlanCounts(plan)}`,
    ...(changes.length === 0 ? [] : ['', formatCode(access.summary)]),
    ...formatInterruptedLines(labeledPlan),
    '',
  ].join('\n');
  const sections = getPlanSections(labeledPlan).map(({ title, entries }) => ({
    title,
    lines: entries.map((entry) => ({ text: formatEntryLine(entry), details: entry.details ?? [] })),
  }));
  return formatSections(head, sections, `\nPlan ${formatCode(labeledPlan.hash.slice(0, 12))}\n`);
}
