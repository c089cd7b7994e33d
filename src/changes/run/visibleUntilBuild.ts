import type { AccessDifferenceRow } from '../../security/change/accessDifferenceRow.ts';
import { mayHaveWritten } from '../journal/stoppedOperation.ts';
import type { Operation, VisibleUntilBuild } from '../model/operation.ts';
import type { Plan, PlannedAccess } from '../model/plan.ts';
import { getRuleAction } from '../rules/ruleAction.ts';
import type { OperationReport, PlanHash } from './writeErrors.ts';

/**
 * Returns what a plan may show until the next build, to record it: after a stop, or once another process has finished
 * the operation, nothing else shows it. Nothing without confirmed effects, since these would have to be loaded.
 */
export async function findVisibleUntilBuild(
  plan: Pick<Plan, 'loadAccess'>,
  confirmedPlanHash: PlanHash | undefined,
): Promise<Pick<Operation, 'visibleUntilBuild'>> {
  if (confirmedPlanHash?.effects === undefined) {
    return {};
  }
  // Loaded when the effects were compared, unless it was unknown then, too.
  const access = await plan.loadAccess().catch(() => undefined);
  const visibleUntilBuild = access === undefined ? [] : listVisibleUntilBuild(access);
  return visibleUntilBuild.length === 0 ? {} : { visibleUntilBuild };
}

function listVisibleUntilBuild({
  subjects,
  viewpointsUntilBuild = [],
}: PlannedAccess): readonly VisibleUntilBuild[] {
  const parts = [
    ...subjects.flatMap(({ untilBuild }) =>
      untilBuild === undefined
        ? []
        : [{ ...untilBuild, data: untilBuild.rows.flatMap(getNames), viewpoints: [] }],
    ),
    ...viewpointsUntilBuild.map(({ viewpoint, ...build }) => ({
      ...build,
      data: [],
      viewpoints: [viewpoint],
    })),
  ];
  return [...Map.groupBy(parts, ({ datamodel }) => datamodel)].map(([datamodel, group]) => ({
    datamodel,
    isLive: group.some(({ isLive }) => isLive),
    ...(group.some(({ isNeverBuilt }) => isNeverBuilt) ? { isNeverBuilt: true as const } : {}),
    data: [...new Set(group.flatMap(({ data }) => data))],
    viewpoints: [...new Set(group.flatMap(({ viewpoints }) => viewpoints))],
  }));
}

const getNames = (row: AccessDifferenceRow): readonly string[] =>
  row.kind === 'column' ? [`${row.name.table}.${row.name.column}`] : row.tables;

/**
 * Returns whether an operation that isn't done may already show what is only visible until the next build: it has
 * changed or deleted rules, or written viewpoints, or may have. Rules that it adds on new names show nothing.
 */
export const mayShowMoreUntilBuild = ({
  operation,
  writeStates,
}: Pick<OperationReport, 'operation' | 'writeStates'>): boolean =>
  mayHaveWritten({
    writeStates: writeStates.filter((_state, index) => {
      const write = operation.writes[index];
      const action = write && getRuleAction(write);
      return (
        (action !== undefined && action !== 'create') || write?.endpoint.startsWith('viewpoints.') === true
      );
    }),
  });
