import type { Localize } from '../../../base/localize.ts';
import type { DoctorRemedy, StepReport } from '../step.ts';
import { formatFinding } from './doctorFindingWords.ts';
import { formatFacts, getOutcomeLabel, getStepLabel } from './doctorStepWords.ts';

/** A step of a diagnosis as plain lines: finding, facts, remedy. */
export function formatStep(
  t: Localize,
  report: StepReport,
  { remedyText, day }: { remedyText: (remedy: DoctorRemedy) => string; day: (date: Date) => string },
): string {
  const { step, outcome, remedy } = report;
  const lines = [`${getOutcomeLabel(t, outcome)}: ${getStepLabel(t, step)}: ${formatFinding(t, report)}`];
  const facts = formatFacts(t, report, { form: 'full', day });
  if (facts.length > 0) {
    lines.push(`    ${facts.join(' · ')}`);
  }
  if (remedy !== undefined) {
    lines.push(`    → ${remedyText(remedy)}`);
  }
  // A server's message may contain line breaks, which would look like lines of the report.
  return lines.map((line) => line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')).join('\n');
}
