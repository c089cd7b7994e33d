import { stringify } from '../../base/json.ts';
import { type RuleSubject, getSubjectTitle, isCubeSetRuleSubject } from '../../catalog/ruleSubject.ts';
import type { AccessDifferenceRow } from '../../security/change/accessDifferenceRow.ts';
import { mayHaveWritten } from '../journal/stoppedOperation.ts';
import { getText } from '../model/jsonMembers.ts';
import type { Operation, VisibleUntilBuild, Write } from '../model/operation.ts';
import type { Plan, PlannedAccess } from '../model/plan.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import { getRuleAction } from '../rules/ruleAction.ts';
import { collectRules, getRuleEdits } from '../rules/ruleEdits.ts';
import type { RuleEdit } from '../rules/ruleTarget.ts';
import type { OperationReport, PlanHash } from './writeErrors.ts';

type DocumentsBefore = Parameters<typeof collectRules>[0];

/**
 * Returns what a plan may show until the next build, to record it: after a stop, or once another process has finished
 * the operation, nothing else shows it. Returns nothing if the user has confirmed no effects, since they would have to
 * be loaded.
 * @param before the documents before the operation, with the rules that it changes
 */
export async function findVisibleUntilBuild(
  plan: Pick<Plan, 'loadAccess'>,
  writes: readonly Write[],
  before: DocumentsBefore,
  confirmedPlanHash: PlanHash | undefined,
): Promise<Pick<Operation, 'visibleUntilBuild'>> {
  if (confirmedPlanHash?.effects === undefined) {
    return {};
  }
  // This was already loaded when the effects were compared, unless loading failed then.
  const access = await plan.loadAccess().catch(() => undefined);
  const visibleUntilBuild = access === undefined ? [] : listVisibleUntilBuild(access, writes, before);
  return visibleUntilBuild.length === 0 ? {} : { visibleUntilBuild };
}

function listVisibleUntilBuild(
  { subjects, viewpointsUntilBuild = [] }: PlannedAccess,
  writes: readonly Write[],
  before: DocumentsBefore,
): readonly VisibleUntilBuild[] {
  const viewpointWrites = [...writes.keys()].filter((index) => isViewpointWrite(writes[index]));
  const findRuleWrites = createRuleWriteFinder(writes, before);
  const parts = [
    ...subjects.flatMap(({ untilBuild }) => {
      if (untilBuild === undefined) {
        return [];
      }
      const { rows, ...build } = untilBuild;
      return rows.map((row) => ({
        ...build,
        data: getNames(row),
        viewpoints: [],
        writes: findRuleWrites(build.datamodel, row),
      }));
    }),
    ...viewpointsUntilBuild.map(({ viewpoint, ...build }) => ({
      ...build,
      data: [],
      viewpoints: [viewpoint],
      writes: viewpointWrites,
    })),
  ];
  return [
    ...Map.groupBy(parts, ({ datamodel, writes: causes }) => JSON.stringify([datamodel, causes])).values(),
  ].flatMap((group) => mergeVisible(group));
}

/** Merges what may be shown until the same datamodel is built; empty if there is nothing. */
export const mergeVisible = (group: readonly VisibleUntilBuild[]): readonly VisibleUntilBuild[] =>
  group.slice(0, 1).map(({ datamodel, writes }) => ({
    datamodel,
    isLive: group.some(({ isLive }) => isLive),
    ...(group.some(({ isNeverBuilt }) => isNeverBuilt) ? { isNeverBuilt: true as const } : {}),
    data: [...new Set(group.flatMap(({ data }) => data))],
    viewpoints: [...new Set(group.flatMap(({ viewpoints }) => viewpoints))],
    writes,
  }));

const getNames = (row: AccessDifferenceRow): readonly string[] =>
  row.kind === 'column' ? [formatColumn(row.name.table, row.name.column)] : row.tables;

const formatColumn = (table: string, column: string): string => `${table}.${column}`;

const isViewpointWrite = (write: Write | undefined): boolean =>
  write?.endpoint.startsWith('viewpoints.') === true;

/** Returns whether a write changes or deletes rules. Rules that it adds on new names show nothing. */
function changesOldRules(write: Write | undefined): boolean {
  const action = write && getRuleAction(write);
  return action !== undefined && action !== 'create';
}

/**
 * Returns a function that finds the writes of rules that may lead to a difference: those of rules on its column, also
 * rules that leave the column. If there are none, returns all writes that change or delete rules of the datamodel: a
 * difference of rows may come from rules on any linked table. The rules of a cube set may be on the tables of any
 * datamodel.
 */
function createRuleWriteFinder(
  writes: readonly Write[],
  before: DocumentsBefore,
): (datamodel: string, row: AccessDifferenceRow) => readonly number[] {
  const ruleWrites = groupRuleWrites(writes).flatMap(({ subject, writeIndices }) => {
    const { edits } = getRuleEdits({ subject, writeIndices }, writes, collectRules(before, subject));
    const editsByWrite = Map.groupBy(edits, ({ writeIndex }) => writeIndex);
    const title = isCubeSetRuleSubject(subject) ? undefined : getSubjectTitle(subject);
    return writeIndices.map((index) => ({
      index,
      title,
      columns: new Set([
        ...(editsByWrite.get(index) ?? []).flatMap(getColumns),
        ...getWrittenColumn(writes[index]),
      ]),
      changesOld: changesOldRules(writes[index]),
    }));
  });
  return (datamodel, row) => {
    const all = ruleWrites.filter(({ title }) => title === undefined || title === datamodel);
    const name = row.kind === 'column' ? formatColumn(row.name.table, row.name.column) : undefined;
    const onColumn = all.filter(({ columns }) => name !== undefined && columns.has(name));
    return (onColumn.length > 0 ? onColumn : all.filter(({ changesOld }) => changesOld)).map(
      ({ index }) => index,
    );
  };
}

/** Groups the writes of rules by the datamodels and cube sets of the rules. */
function groupRuleWrites(
  writes: readonly Write[],
): readonly { readonly subject: RuleSubject; readonly writeIndices: readonly number[] }[] {
  const targets = writes.flatMap((write, index) => {
    const subject = getWriteRuleSubject(write);
    return subject === undefined ? [] : [{ subject, index }];
  });
  return [...Map.groupBy(targets, ({ subject }) => stringify(subject)).values()].flatMap((group) =>
    group.slice(0, 1).map(({ subject }) => ({ subject, writeIndices: group.map(({ index }) => index) })),
  );
}

const getColumns = ({ before, after }: RuleEdit): readonly string[] =>
  [before, after].flatMap((rule) =>
    rule === undefined ? [] : [formatColumn(getText(rule['table']), getText(rule['column']))],
  );

/** Returns the column whose rules a write deletes, if it deletes them all. */
const getWrittenColumn = (write: Write | undefined): readonly string[] => {
  const { table, column } = write?.params ?? {};
  return table === undefined || column === undefined ? [] : [formatColumn(table, column)];
};

/** Returns what an operation that isn't done may already show until the next build. */
export const findVisibleAfterStop = ({
  operation: { writes, visibleUntilBuild = [] },
  writeStates,
}: Pick<OperationReport, 'operation' | 'writeStates'>): readonly VisibleUntilBuild[] =>
  visibleUntilBuild.filter(({ writes: causes }) =>
    mayHaveWritten({
      writeStates: writeStates.filter(
        (_state, index) =>
          causes?.includes(index) ?? (changesOldRules(writes[index]) || isViewpointWrite(writes[index])),
      ),
    }),
  );

/**
 * Returns whether an operation that isn't done may already show something that is only visible until the next build.
 */
export const mayShowMoreUntilBuild = (
  progress: Pick<OperationReport, 'operation' | 'writeStates'>,
): boolean => findVisibleAfterStop(progress).length > 0;
