import { formatGrant } from '../protocol/ruleFormat.ts';
import { type ChangeView, type ChangeSummary, hasNoMappedColumn } from '../protocol/ruleChange.ts';
import type { Localize } from '../../base/localize.ts';

/** The texts of a change, for display on one line. */
export interface ChangeLine {
  readonly kind: ChangeSummary['kind'];
  readonly kindText: string;
  readonly column: string;
  readonly party: string;
  readonly before: string;
  readonly after: string;
}

export function toChangeLine({ kind, column, party, before, after }: ChangeSummary, t: Localize): ChangeLine {
  return {
    kind,
    kindText: { add: t('Add'), change: t('Change'), delete: t('Delete') }[kind],
    column,
    party: formatPartyLabel(party, t),
    before: before.map((grant) => formatGrant(grant, t)).join(' + '),
    after: after.map((grant) => formatGrant(grant, t)).join(' + '),
  };
}

function formatPartyLabel({ type, name }: ChangeSummary['party'], t: Localize): string {
  switch (type) {
    case 'user':
      return t('User {0}', name);
    case 'group':
      return t('Group {0}', name);
    case 'default':
      return t('Everyone else');
  }
}

/** True if a line contains all words of the filter, in any letter case. */
export function matchesFilter(line: ChangeLine, filter: string): boolean {
  const text = `${line.column} ${line.party} ${line.before} ${line.after}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/**
 * Returns the message for a page without changes: nothing changes, errors prevented the comparison, or no column of the
 * source has a counterpart.
 */
export function getNoChangesMessage(view: Pick<ChangeView, 'problems' | 'mapping'>, t: Localize): string {
  if (view.problems.some(({ severity }) => severity === 'error')) {
    return t('Fix these problems to see what would change.');
  }
  return hasNoMappedColumn(view)
    ? t('Nothing to copy. No columns are mapped.')
    : t('Nothing to change. The server already has these rules.');
}
