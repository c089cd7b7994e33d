import { sortByText } from '../../base/sortByText.ts';
import type { RuleLintCode } from '../../security/lint/lintCode.ts';
import type { Diagnostic } from '../../sql/language.ts';
import type { ViewpointCode } from '../../viewpoints/lint/problem.ts';
import type { FilePosition, ProjectProblemCode } from '../files/project.ts';

export const findingSeverities = ['error', 'warning', 'information'] as const;
export type FindingSeverity = (typeof findingSeverities)[number];

/** Identifies the kind of a finding. Scripts depend on it, so it never changes. */
export type FindingCode =
  | `project/${ProjectProblemCode}`
  | 'settings/invalid-file'
  | 'settings/invalid-lock'
  | 'reference/invalid'
  | 'reference/unknown-column'
  | 'reference/unknown-datamodel'
  | 'reference/unknown-dataset'
  | 'reference/unknown-table'
  | `sql/${Diagnostic['code']}`
  | `rules/${RuleLintCode}`
  | `viewpoint/${ViewpointCode | 'unknown-datamodel'}`;

/**
 * Returns whether errors with a code may be ignored: they are what checks of the content have found, which may not know
 * everything that an instance accepts. Without what other errors are about, nothing can be planned.
 */
export const isIgnorableCode = (code: FindingCode): boolean => /^(sql|rules|viewpoint)\//.test(code);

/** A problem in a file of a project. */
export interface Finding extends FilePosition {
  /** The path of the file or folder in its project, with `/` between the folders. */
  readonly path: string;
  readonly severity: FindingSeverity;
  readonly code: FindingCode;
  readonly message: string;
  /**
   * The text that the finding is about, such as an unknown name. Together with path and code, it identifies the
   * finding.
   */
  readonly subject: string;
}

/** Sorts findings by file and position. The order depends on the findings only. */
export const sortFindings = (findings: readonly Finding[]): readonly Finding[] =>
  sortByText(findings, ({ path, line, column, code, message }) =>
    [path, pad(line), pad(column), code, message].join('\0'),
  );

const pad = (position: number): string => String(position).padStart(9, '0');
