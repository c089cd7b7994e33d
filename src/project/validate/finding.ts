import { sortByText } from '../../base/sortByText.ts';
import { type Message, english, formatMessage } from '../../base/localize.ts';
import type { RuleFinding } from '../../security/lint/finding.ts';
import type { RuleLintCode } from '../../security/lint/lintCode.ts';
import type { Diagnostic } from '../../sql/language.ts';
import type { ViewpointCode, ViewpointProblem } from '../../viewpoints/lint/problem.ts';
import { type MisspelledName, type UnknownName, findMeantNames } from '../files/misspelledName.ts';
import type { FilePosition, ProjectProblemCode } from '../files/project.ts';

export const findingSeverities = ['error', 'warning', 'information'] as const;
export type FindingSeverity = (typeof findingSeverities)[number];

/** Identifies the kind of a finding. Scripts depend on it, so it never changes. */
export type FindingCode =
  | `project/${ProjectProblemCode}`
  | 'project/not-managed'
  | 'project/plain-secret'
  | 'project/renamed-twice'
  | 'project/schema'
  | 'settings/invalid-file'
  | 'settings/invalid-lock'
  | 'settings/unknown-datamodel'
  | 'settings/unknown-dataset'
  | 'settings/unmatched-pattern'
  | 'settings/weaker-role'
  | 'reference/invalid'
  | 'reference/unknown-column'
  | 'reference/unknown-datamodel'
  | 'reference/unknown-dataset'
  | 'reference/unknown-table'
  | `sql/${Diagnostic['code']}`
  | `rules/${RuleLintCode}`
  | 'rules/same-parties'
  | `viewpoint/${ViewpointCode | 'unknown-datamodel'}`;

/** The data that a message was created from, with which the editor shows it in the user's language. */
export type FindingDetail =
  | { readonly kind: 'sql'; readonly problem: Diagnostic }
  | { readonly kind: 'rules'; readonly finding: RuleFinding }
  | { readonly kind: 'viewpoint'; readonly problem: ViewpointProblem }
  | { readonly kind: 'message'; readonly message: Message };

/** Returns the description of a finding: its message in English, and the data that it was created from. */
export const toDescription = (message: Message): Pick<Finding, 'message' | 'detail'> => ({
  message: formatMessage(english, message),
  detail: { kind: 'message', message },
});

/** What describes a finding. */
type Description = Pick<Finding, 'message' | 'statement' | 'detail' | 'misspelled'>;

/** Returns the description of a finding about an unknown name, with the known names that were probably meant. */
export const describeUnknownName = (
  message: Message,
  unknown: UnknownName,
  knownNames: readonly string[],
): Description => describeMisspelled(message, findMeantNames(unknown, knownNames));

/**
 * Returns the description of a finding about a misspelled name. Its message suggests the most similar name.
 * @param misspelled `undefined` if no known name is similar
 */
export function describeMisspelled(message: Message, misspelled: MisspelledName | undefined): Description {
  const description = toDescription(message);
  const [closest] = misspelled?.candidates ?? [];
  return misspelled === undefined || closest === undefined
    ? description
    : { ...description, ...withSuggestion(description.message, `"${closest}"`), misspelled };
}

/**
 * Returns a message that ends with the suggestion of a similar name, if there is one.
 * @param similarName the name, with the quotes that it needs
 */
export const withSuggestion = (
  message: string,
  similarName: string | undefined,
): Pick<Finding, 'message' | 'statement'> =>
  similarName === undefined
    ? { message }
    : { message: `${message.replace(/\.$/, '')}. Did you mean ${similarName}?`, statement: message };

/** The errors of rules that may be ignored. With any other error, it's unclear which values users would see. */
const ignorableRuleCodes: ReadonlySet<string> = new Set<`rules/${RuleLintCode}`>([
  'rules/unknown-table',
  'rules/unknown-column',
  'rules/date-column',
  'rules/datatype-mismatch',
  'rules/live-flag',
  'rules/live-prefix',
]);

/**
 * Returns whether errors with a code may be ignored: they come from checks of the content, which may not know
 * everything that an instance accepts. A plan depends on everything that other errors are about.
 */
export const isIgnorableCode = (code: FindingCode): boolean =>
  code !== 'viewpoint/publication-conflict' &&
  (/^(sql|viewpoint)\//.test(code) || ignorableRuleCodes.has(code));

/** A problem in a file of a project. */
export interface Finding extends FilePosition {
  /** The path of the file or folder in its project, with `/` between the folders. */
  readonly path: string;
  readonly severity: FindingSeverity;
  readonly code: FindingCode;
  readonly message: string;
  /**
   * The message without the suggestion of a similar name, if it has one. The suggestion depends on names elsewhere, and
   * in the editor, it's a quick fix.
   */
  readonly statement?: string;
  /** The name that the finding is about, if it is probably misspelled and no linter has fixes for the finding. */
  readonly misspelled?: MisspelledName;
  /**
   * The text that the finding is about, such as an unknown name. Together with path and code, it identifies the
   * finding.
   */
  readonly subject: string;
  readonly detail: FindingDetail;
}

/** Sorts findings by file and position. The order depends on the findings only. */
export const sortFindings = (findings: readonly Finding[]): readonly Finding[] =>
  sortByText(findings, ({ path, line, column, code, message }) =>
    [path, pad(line), pad(column), code, message].join('\0'),
  );

const pad = (position: number): string => String(position).padStart(9, '0');
