import type { Words } from '../../../base/words.ts';
import type { DoctorRemedy, StepReport } from '../step.ts';
import { findingText } from './doctorFindingWords.ts';
import { factTexts, outcomeLabel, stepLabel } from './doctorStepWords.ts';

/** A step of a diagnosis as plain lines: what was found, what was seen, what helps. */
export function stepText(
  t: Words,
  report: StepReport,
  { remedyText, day }: { remedyText: (remedy: DoctorRemedy) => string; day: (date: Date) => string },
): string {
  const { step, outcome, remedy } = report;
  const lines = [`${outcomeLabel(t, outcome)}: ${stepLabel(t, step)}: ${findingText(t, report)}`];
  const facts = factTexts(t, report, { form: 'full', day });
  if (facts.length > 0) {
    lines.push(`    ${facts.join(' · ')}`);
  }
  if (remedy !== undefined) {
    lines.push(`    → ${remedyText(remedy)}`);
  }
  // What a server said may hold line breaks, which would look like lines of ours.
  return lines.map((line) => line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')).join('\n');
}
