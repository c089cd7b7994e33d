import type { Localize } from '../../../base/localize.ts';
import type { DoctorRemedy, StepReport } from '../diagnosis.ts';
import { formatStepFinding } from './formatStepFinding.ts';
import { formatFacts, getOutcomeLabel, getStepLabel } from './doctorStepLabels.ts';

/** A step of a diagnosis as plain lines: finding, facts, remedy. */
export function formatStep(
  t: Localize,
  report: StepReport,
  {
    getRemedyText,
    formatDay,
  }: { getRemedyText: (remedy: DoctorRemedy) => string; formatDay: (date: Date) => string },
): string {
  const { step, outcome, remedy } = report;
  const lines = [`${getOutcomeLabel(t, outcome)}: ${getStepLabel(t, step)}: ${formatStepFinding(t, report)}`];
  const facts = formatFacts(t, report, { detailLevel: 'full', formatDay });
  if (facts.length > 0) {
    lines.push(`    ${facts.join(' · ')}`);
  }
  if (remedy !== undefined) {
    lines.push(`    → ${getRemedyText(remedy)}`);
  }
  // A server's message may contain line breaks, which would look like lines of the report.
  return lines.map((line) => line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')).join('\n');
}
