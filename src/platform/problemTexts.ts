import * as vscode from 'vscode';
import type { RuleFinding } from '../security/lint/finding.ts';
import { getLintTemplate } from '../security/lint/lintMessage.ts';
import { type Diagnostic, formatSqlProblem } from '../sql/language.ts';
import { formatViewpointProblem } from '../viewpoints/lint/formatViewpointProblem.ts';
import type { ViewpointProblem } from '../viewpoints/lint/problem.ts';

const t = vscode.l10n.t;

/** Describes a problem of a viewpoint in the user's language. */
export const describeViewpointProblem = (problem: ViewpointProblem): string =>
  formatViewpointProblem(t, problem);

/** Describes a problem of a rule in the user's language. */
export const describeRuleFinding = ({ code, args }: Pick<RuleFinding, 'code' | 'args'>): string =>
  t(getLintTemplate(code, args), ...args);

/** Describes a problem of SQL in the user's language. */
export const describeSqlProblem = (problem: Diagnostic): string => formatSqlProblem(t, problem);
