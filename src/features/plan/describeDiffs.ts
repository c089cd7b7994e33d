import * as vscode from 'vscode';
import { compareLines } from '../../base/lineDiff.ts';
import type { FieldChange } from '../../changes/model/plan.ts';
import type { PlanDiff } from '../../webviews/protocol/planPage.ts';

/** The maximum number of lines of a text: each adds an element to the page. */
const maxLines = 1000;

/** The fields of a changed item: those that are compared line by line, and those that are described in one line. */
export interface DescribedFields {
  readonly diffs: readonly PlanDiff[];
  readonly others: readonly FieldChange[];
}

/** Compares the texts among changed fields line by line. */
export function describeDiffs(fields: readonly FieldChange[]): DescribedFields {
  const diffs: PlanDiff[] = [];
  const others: FieldChange[] = [];
  for (const change of fields) {
    const lines = change.texts === undefined ? [] : compareLines(change.texts.before, change.texts.after);
    if (lines.length === 0) {
      others.push(change);
    } else {
      const omittedCount = lines.length - maxLines;
      diffs.push({
        label: change.field,
        lines: lines.slice(0, maxLines),
        ...(omittedCount > 0 ? { omission: vscode.l10n.t('and {0} more', omittedCount) } : {}),
      });
    }
  }
  return { diffs, others };
}
