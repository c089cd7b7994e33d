import { sortByText } from '../../base/sortByText.ts';
import type { ProjectComparison } from '../plan/compareProject.ts';
import type { DeferralReason, DeferredChange } from './problems.ts';

/**
 * Returns the titles of the datamodels that must be built before the next apply can write what waits. Leaves out those
 * whose SQL this plan writes: some instances create the columns immediately (docs/projects.md, "Apply"), so only the state after the apply shows whether they need a build.
 */
export function listNeededBuilds({
  comparison: { changes },
  compiled: { deferred },
}: {
  readonly comparison: Pick<ProjectComparison, 'changes'>;
  readonly compiled: { readonly deferred: readonly DeferredChange[] };
}): readonly string[] {
  const writtenTitles = new Set(
    changes.flatMap(({ key, action, parts }) =>
      key.kind === 'table' &&
      (action === 'create' || parts.some(({ pointer }) => pointer.startsWith('/expression')))
        ? [key.datamodel]
        : [],
    ),
  );
  const titles = deferred.flatMap(({ key, reason }) =>
    'datamodel' in key && buildReasons.has(reason) && !writtenTitles.has(key.datamodel)
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
