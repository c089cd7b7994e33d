import { sortByText } from '../../base/sortByText.ts';
import { formatItemKey } from '../item.ts';
import type { ProjectComparison } from '../plan/compareProject.ts';
import type { DeferralReason, DeferredChange } from './problems.ts';

/**
 * Returns the titles of the datamodels that must be built before the next apply can write what waits. An item that only
 * waits for columns of custom tables doesn't count if the plan writes the SQL of all these tables: some instances
 * create the columns immediately (docs/projects.md, "Apply"), so only the state after the apply shows whether it needs
 * a build.
 */
export function listNeededBuilds({
  comparison: { changes },
  compiled: { deferred },
}: {
  readonly comparison: Pick<ProjectComparison, 'changes'>;
  readonly compiled: { readonly deferred: readonly DeferredChange[] };
}): readonly string[] {
  const written = new Set(
    changes.flatMap(({ key, action }) => (action === 'delete' ? [] : [formatItemKey(key)])),
  );
  const isWrittenSql = (datamodel: string, table: string): boolean =>
    written.has(formatItemKey({ kind: 'tableExpression', datamodel, table }));
  const titles = deferred.flatMap(({ key, reason, generatedBy }) =>
    'datamodel' in key &&
    buildReasons.has(reason) &&
    generatedBy?.every((table) => isWrittenSql(key.datamodel, table)) !== true
      ? [key.datamodel]
      : [],
  );
  return sortByText([...new Set(titles)], (title) => title);
}

const buildReasons: ReadonlySet<DeferralReason> = new Set([
  'generated-column',
  'relation-column',
  'rules-need-build',
]);
