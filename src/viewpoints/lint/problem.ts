import { translatable } from '../../base/localize.ts';
import type { JsonPath } from '../../base/json.ts';

export type ViewpointCode =
  | 'syntax'
  | 'schema'
  | 'one-uid'
  | 'uid-needs-filter'
  | 'one-default-measure'
  | 'one-default-date'
  | 'default-date-type'
  | 'level-needs-datetime'
  | 'agg-needs-number'
  | 'filter-conflict'
  | 'dim-mismatch'
  | 'unknown-table'
  | 'unknown-column'
  | 'deprecated'
  | 'visibility-needs-app'
  | 'visibility-needs-party'
  | 'publication-conflict';

export type ProblemSeverity = 'error' | 'warning' | 'information';

/** The English messages of problems, with `{0}` for their arguments. The UI translates them. */
export const problemMessages = translatable({
  'syntax-error': 'Invalid JSON: {0}',
  'syntax-end': 'Incomplete JSON.',
  'trailing-comma': 'Trailing comma.',
  'too-deep': 'The document is nested too deeply.',
  empty: 'The document is empty. Expected: a JSON object.',
  'not-a-viewpoint': 'A viewpoint must be a JSON object, not {0}.',
  'wrong-type': '"{0}" must be {1}, not {2}.',
  'wrong-item': 'Each item of "{0}" must be {1}, not {2}.',
  'unknown-word': 'Unknown {1} "{0}". Expected: {2}.',
  'undocumented-word': '"{0}" isn\'t listed in the viewpoint API ({2}), but the query language supports it.',
  'similar-key': 'Unknown property "{0}". Did you mean "{1}"?',
  'unknown-key': 'Unknown property "{0}". The API reference doesn\'t list it.',
  'duplicate-key': 'Duplicate property "{0}". Only the last one is used.',
  required: 'A new viewpoint requires "{0}".',
  'blank-name': 'The name is empty. It is shown to users of the viewpoint.',
  'one-uid': 'Only one column can be the unique ID ("uid"), which is currently "{0}".',
  'one-default-measure': 'Only one column can be the default measure, which is currently "{0}".',
  'one-default-date': 'Only one column can be the default date, which is currently "{0}".',
  'uid-needs-filter': 'A unique ID ("uid") requires a "filter" on its column.',
  'default-date-type': 'Only a date column can be the default date. This one is {0}.',
  'level-needs-datetime': 'Only a date column can have a "level". This one is {0}.',
  'agg-needs-number': '"{0}" requires a numeric column. The data type of this one is {1}.',
  'filter-conflict': '"all" selects every value, so it can\'t be combined with "{0}".',
  'dim-mismatch': 'The "dim" of this column must be {0}.',
  'dim-form': 'Invalid "dim". Expected: [Table.Column].',
  'unknown-table': 'The datamodel has no table "{0}".',
  'unknown-column': 'The table "{1}" has no column "{0}".',
  deprecated: '"{0}" is deprecated. The platform no longer uses it.',
  'visibility-needs-app': 'A viewpoint that is shared with a user or group must also be shared with an app.',
  'visibility-needs-party':
    'A viewpoint that is shared with an app must also be shared with a user or group.',
  'publication-conflict': '"enabled" is {0}, but "visibility.enabled" is {1}. Set both to the same value.',
});
export type ProblemReason = keyof typeof problemMessages;

/** A problem in a viewpoint. With `reason` and `args`, the UI can localize the message. */
export interface ViewpointProblem {
  readonly code: ViewpointCode;
  readonly severity: ProblemSeverity;
  readonly message: string;
  readonly path: JsonPath;
  readonly start: number;
  readonly end: number;
  readonly reason: ProblemReason;
  readonly args: readonly string[];
}

/** The last segment of a path in a document, linked to its parent. Converted to a path only for a problem. */
export interface PathSegment {
  readonly parent: PathSegment | undefined;
  readonly step: string | number;
}

function toJsonPath(segment: PathSegment | undefined): JsonPath {
  const steps: (string | number)[] = [];
  for (let current = segment; current !== undefined; current = current.parent) {
    steps.push(current.step);
  }
  return steps.reverse();
}

/** Shortens a name or word from a document for a message, since it can be up to ten megabytes long. */
const truncate = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

/** Collects the problems of a viewpoint, and formats their messages. */
export class ProblemCollector {
  readonly problems: ViewpointProblem[] = [];

  add(
    problem: {
      readonly code: ViewpointCode;
      readonly severity?: ProblemSeverity;
      readonly reason: ProblemReason;
    },
    range: { readonly start: number; readonly end: number },
    segment: PathSegment | undefined,
    ...values: readonly string[]
  ): void {
    const args = values.map(truncate);
    const { code, severity = 'error', reason } = problem;
    const message = problemMessages[reason].replaceAll(
      /\{(\d)\}/g,
      (_placeholder, index) => args[Number(index)] ?? '',
    );
    const { start, end } = range;
    this.problems.push({ code, severity, message, path: toJsonPath(segment), start, end, reason, args });
  }
}
