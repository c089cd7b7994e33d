import type { ChangedSubject, Plan, PlanSubject } from '../../changes/model/plan.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import { getGrantsKey, pairReplacedRules } from './pairReplacedRules.ts';

/** The rules of a plan, in pairs as far as possible. */
interface PairedRules extends ReturnType<typeof pairReplacedRules> {
  /**
   * The number of rules that follow each renamed table or column: each is deleted on the former name, and created with
   * the same content on the new one. If a column and its table are renamed, they follow the column.
   */
  readonly movedRuleCounts: ReadonlyMap<ChangedSubject, number>;
}

/**
 * Pairs the deleted and created rules of a plan. Rules that follow a rename of their table or column with the same
 * content are only counted. The others are paired per column, as {@link pairReplacedRules} does; if their content
 * changes with a rename, they are paired on the new column.
 */
export function pairRules(plan: Pick<Plan, 'deleted' | 'created' | 'changed'>): PairedRules {
  const findMove = createMoveFinder(plan.changed);
  const created = Map.groupBy(plan.created, getContentKey);
  const moved = new Map<ChangedSubject, number>();
  const originals = new Map<PlanSubject, PlanSubject>();
  const deleted = plan.deleted.flatMap((subject): readonly PlanSubject[] => {
    const move = findMove(subject);
    if (move === undefined) {
      return [subject];
    }
    const renamed = { ...subject, name: `${move.to.table}.${move.to.column}`, column: move.to };
    if (created.get(getContentKey(renamed))?.pop() !== undefined) {
      moved.set(move.cause, (moved.get(move.cause) ?? 0) + 1);
      return [];
    }
    originals.set(renamed, subject);
    return [renamed];
  });
  const unpaired = new Set([...created.values()].flat());
  const others = pairReplacedRules({
    deleted,
    created: plan.created.filter((subject) => unpaired.has(subject)),
  });
  return {
    ...others,
    deleted: others.deleted.map((subject) => originals.get(subject) ?? subject),
    movedRuleCounts: moved,
  };
}

/** Where a rule moves to, and the renamed table or column that it follows. */
interface Move {
  readonly to: ColumnName;
  readonly cause: ChangedSubject;
}

/** Creates a function that finds where a rule moves to; it returns `undefined` if its column isn't renamed. */
function createMoveFinder(changed: readonly ChangedSubject[]): (subject: PlanSubject) => Move | undefined {
  const tables = new Map<string, Rename>();
  const columns = new Map<string, Rename>();
  for (const cause of changed) {
    const { before, after } = cause.fields.find(({ field }) => field === 'name') ?? {};
    const title = cause.within[0];
    if (before !== undefined && after !== undefined) {
      if (cause.kind === 'table') {
        tables.set(JSON.stringify([title, before]), { after, cause });
      } else if (cause.kind === 'column') {
        columns.set(JSON.stringify([title, cause.within.at(-1), before]), { after, cause });
      }
    }
  }
  return ({ within: [title], rule, column: name }) => {
    if (rule === undefined || name === undefined) {
      return undefined;
    }
    const table = tables.get(JSON.stringify([title, name.table]));
    const newTable = table?.after ?? name.table;
    // A column that is renamed together with its table is named with either name of the table.
    const column = [name.table, newTable]
      .map((each) => columns.get(JSON.stringify([title, each, name.column])))
      .find((rename) => rename !== undefined);
    const cause = (column ?? table)?.cause;
    return cause && { to: { table: newTable, column: column?.after ?? name.column }, cause };
  };
}

interface Rename {
  readonly after: string;
  readonly cause: ChangedSubject;
}

/** Returns a key of the column and the content of a rule. */
const getContentKey = ({ kind, within, column, rule }: PlanSubject): string =>
  JSON.stringify([
    kind,
    within,
    column?.table,
    column?.column,
    rule && getGrantsKey([rule.grant]),
    rule?.parties.map(({ type, name }) => JSON.stringify([type, name])).toSorted(),
  ]);
