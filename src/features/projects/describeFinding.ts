import * as vscode from 'vscode';
import { formatMessage } from '../../base/localize.ts';
import {
  describeRuleFinding,
  describeSqlProblem,
  describeViewpointProblem,
} from '../../platform/problemTexts.ts';
import type { Finding } from '../../project/validate/finding.ts';

/** Describes a problem in a file of a project in the user's language. */
export function describeFinding({ detail }: Pick<Finding, 'detail'>): string {
  switch (detail.kind) {
    case 'sql':
      return describeSqlProblem(detail.problem);
    case 'rules':
      return describeRuleFinding(detail.finding);
    case 'viewpoint':
      return describeViewpointProblem(detail.problem);
    case 'message':
      return formatMessage(vscode.l10n.t, detail.message);
  }
}
