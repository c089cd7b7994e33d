import type { PlannedAccess } from '../../changes/model/plan.ts';
import type { Localize } from '../../base/localize.ts';
import { mayHaveUnreadAccess } from '../apply/unreadFiles.ts';
import { affectsAccess, formatItemKey } from '../item.ts';
import type { ComparedProject } from './itemsAfterApply.ts';
import { type NewlyVisibleItems, findNewlyVisible, nothingVisible } from './newlyVisible.ts';
import { formatTableKey } from './tableRestrictions.ts';

/** What a plan changes about who sees what. */
export interface ProjectAccess {
  /** Who gains or loses access to what is already visible; `undefined` if unknown, or if no one does. */
  readonly existing: PlannedAccess | undefined;
  /**
   * Whether something that affects access couldn't be compared, on the instance or in a file, so that more may change.
   */
  readonly isPartlyUnknown: boolean;
  /** Whether data is deleted that someone may see, even if no rule restricts it. */
  readonly deletesData: boolean;
  /** What becomes visible, with who sees it. */
  readonly newlyVisible: NewlyVisibleItems;
  /** The number of new tables with rules that a later apply has to write. */
  readonly deferredRulesCount: number;
}

/**
 * Returns what a plan changes about who sees what. What is visible already is compared before and after. What becomes
 * visible can't be compared, because no one had access to it, so its rules are described instead.
 * @param access what the writes change about access, without regard to whether a table is new
 */
export function getProjectAccess(
  plan: ComparedProject,
  access: PlannedAccess | undefined,
  t: Localize,
): ProjectAccess {
  const existing = access && omitNewDatamodels(access, plan);
  const { writes, deferred } = plan.prepared.compiled;
  // If everything is deferred, the plan of the later apply will contain its effects on access.
  const isLater = writes.length === 0 && deferred.length > 0;
  return {
    existing,
    isPartlyUnknown:
      plan.prepared.uncomparedItems.some(({ kind }) => affectsAccess(kind)) || mayHaveUnreadAccess(plan),
    deletesData: deletesData(plan),
    newlyVisible: isLater ? nothingVisible : findNewlyVisible(plan, t),
    deferredRulesCount: isLater ? 0 : countTablesWithDeferredRules(plan),
  };
}

/** Returns whether a plan deletes data that someone may see, even if no rule restricts it. */
const deletesData = ({ prepared: { comparison } }: ComparedProject): boolean =>
  comparison.changes.some(({ action, key, parts }) =>
    action === 'delete'
      ? key.kind === 'datamodel' || key.kind === 'table'
      : parts.some(({ pointer, after }) => pointer.startsWith('/columns/') && after === undefined),
  );

/** Leaves out the datamodels that are created. A cube set of the same name has rules on existing tables. */
function omitNewDatamodels(access: PlannedAccess, { prepared }: ComparedProject): PlannedAccess {
  const titles = new Set(
    prepared.comparison.changes.flatMap(({ action, key }) =>
      action === 'create' && key.kind === 'datamodel' ? [key.datamodel] : [],
    ),
  );
  return {
    ...access,
    subjects: access.subjects.filter(({ title, isCubeSet }) => isCubeSet === true || !titles.has(title)),
  };
}

/** Counts the new tables whose rules a later apply has to write: until then, everyone sees all of their rows. */
function countTablesWithDeferredRules({ prepared: { comparison, compiled } }: ComparedProject): number {
  const tables = new Set(
    compiled.deferred.flatMap(({ key }) => (key.kind === 'rules' ? [formatTableKey(key)] : [])),
  );
  return comparison.changes.filter(
    ({ action, key }) => action === 'create' && key.kind === 'table' && tables.has(formatItemKey(key)),
  ).length;
}
