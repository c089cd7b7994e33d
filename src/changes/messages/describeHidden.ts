import { joinNames } from '../../base/joinNames.ts';
import type { Localize } from '../../base/localize.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import { type HiddenName, findHiddenAfterStop } from '../journal/hiddenAfterStop.ts';
import type { OperationReport } from '../run/writeErrors.ts';

/** The maximum number of tables and columns to name. */
const maxNames = 5;

/** Says what an operation that has stopped keeps hidden until it's done; empty if nothing. */
export const describeHiddenAfterStop = (
  t: Localize,
  report: Pick<OperationReport, 'operation' | 'writeStates' | 'documents'>,
): readonly string[] => {
  const names = findHiddenAfterStop(report, report.documents);
  return names.length === 0
    ? []
    : [t('Hidden until the change is finished or rolled back: {0}.', formatNames(names, t))];
};

/** Says what stays hidden once an operation that has stopped is abandoned; empty if nothing. */
export const describeHiddenAfterAbandoning = (
  t: Localize,
  entry: Pick<HistoryEntry, 'operation' | 'writeStates' | 'before'>,
): readonly string[] => {
  const names = findHiddenAfterStop(entry, entry.before, entry.before);
  return names.length === 0
    ? []
    : [
        t(
          'The change has hidden these tables and columns, and they stay hidden: {0}. To show them again, set "hidden" to false.',
          formatNames(names, t),
        ),
      ];
};

const formatNames = (names: readonly HiddenName[], t: Localize): string =>
  joinNames(
    // The name of a table is unknown if it couldn't be read.
    names.map(({ table, column }) => [table, column].filter(Boolean).join('.') || t('1 table')),
    t,
    maxNames,
  );
