import { sortByText } from '../../base/sortByText.ts';
import type { FilePosition } from '../files/project.ts';

/** What a finding is about; the first part of its code. */
type FindingArea = 'project' | 'settings' | 'reference' | 'sql' | 'rules' | 'viewpoint';

export const findingSeverities = ['error', 'warning', 'information'] as const;
export type FindingSeverity = (typeof findingSeverities)[number];

/** Something that is wrong with a file of a project. */
export interface Finding extends FilePosition {
  /** The path of the file or folder in its project, with `/` between the folders. */
  readonly path: string;
  readonly severity: FindingSeverity;
  /** Identifies the kind of finding, such as `sql/unknown-column`. Scripts depend on it, so it never changes. */
  readonly code: `${FindingArea}/${string}`;
  readonly message: string;
}

/** Sorts findings by file and place. The order depends on the findings only. */
export const sortFindings = (findings: readonly Finding[]): readonly Finding[] =>
  sortByText(findings, ({ path, line, column, code, message }) =>
    [path, pad(line), pad(column), code, message].join('\0'),
  );

const pad = (position: number): string => String(position).padStart(9, '0');
