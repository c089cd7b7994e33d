import { type ArrayNode, isNullLiteral, type JsonMember, getLiteralText } from '../../json/text/jsonNode.ts';
import { formatDim, splitDim, isDateType, type Model, isSameDim } from '../model.ts';
import { deprecatedFlags } from '../vocabulary.ts';
import { type ColumnFacts, readColumnFacts, getInfusionMembers, isTrueLiteral } from './columnFacts.ts';
import type { PathSegment, ProblemCollector } from './problem.ts';

/** Flags that at most one column may have (rest-api.md, "Limits"). */
const exclusiveFlagProblems = [
  { flag: 'uid', code: 'one-uid' },
  { flag: 'defaultMeasure', code: 'one-default-measure' },
  { flag: 'defaultDate', code: 'one-default-date' },
] as const;

/** Checks the columns of a viewpoint (rest-api.md, "Column metadata", "infusion sub-object" and "Limits"). */
export function checkColumns(
  columns: ArrayNode,
  place: PathSegment,
  model: Model,
  report: ProblemCollector,
): void {
  const first = new Map<string, ColumnFacts>();
  columns.items.forEach((item, index) => {
    if (item.kind !== 'object') {
      return;
    }
    const at: PathSegment = { parent: place, step: index };
    const facts = readColumnFacts(item, model);
    checkDim(facts, at, report);
    checkNames(facts, at, model, report);
    checkLevel(facts, at, report);
    checkInfusion(facts, first, at, report);
  });
}

/** Returns the dims that match the table and column names, best first; none if one of the names is missing. */
export function getMatchingDims({ table, column, isDate, knownColumn }: ColumnFacts): readonly string[] {
  if (table === undefined || column === undefined) {
    return [];
  }
  const [plain, ofDates] = [formatDim(table, column, false), formatDim(table, column, true)];
  const byModel = isDateType(knownColumn?.type);
  const date = isDate ?? byModel;
  if (date === true) {
    // The guide also writes date dims without the calendar.
    return [ofDates, plain];
  }
  // A column of dates in the datamodel has a calendar dim, whatever type the document gives it.
  return date === false && byModel !== true ? [plain] : [plain, ofDates];
}

/**
 * Checks the dim of a column: it has the form `[<table>.<column>]` (rest-api.md, "Column metadata"), and ends in
 * ` (Calendar)` for dates (platform-facts.md, 5.1).
 */
function checkDim(facts: ColumnFacts, place: PathSegment, report: ProblemCollector): void {
  const { members, dim, table, column } = facts;
  const member = members.get('dim');
  if (dim === undefined || member === undefined) {
    return;
  }
  const at: PathSegment = { parent: place, step: 'dim' };
  const fitting = getMatchingDims(facts);
  const [best] = fitting;
  if (best !== undefined) {
    if (!fitting.some((fit) => isSameDim(fit, dim))) {
      report.add({ code: 'dim-mismatch', reason: 'dim-mismatch' }, member, at, best);
    }
    return;
  }
  const splits = splitDim(dim);
  if (splits.length === 0) {
    report.add({ code: 'dim-mismatch', reason: 'dim-form' }, member, at);
  } else if (
    !splits.some(
      (split) => matchesName(split.table, table) && matchesName(stripCalendarSuffix(split.column), column),
    )
  ) {
    const expected = formatDim(table ?? splits[0]?.table ?? '', column ?? splits.at(-1)?.column ?? '', false);
    report.add({ code: 'dim-mismatch', reason: 'dim-mismatch' }, member, at, expected);
  }
}

const stripCalendarSuffix = (name: string): string => name.replace(/ \(Calendar\)$/, '');

const matchesName = (part: string, name: string | undefined): boolean =>
  name === undefined || isSameDim(part, stripCalendarSuffix(name)) || isSameDim(part, name);

/**
 * Reports names that the datamodel does not have. Reports nothing while the catalog is incomplete
 * (decisions.md, "JSON editors").
 */
function checkNames(facts: ColumnFacts, place: PathSegment, model: Model, report: ProblemCollector): void {
  if (!model.isComplete) {
    return;
  }
  const { members, table, column, dim, knownTable, knownColumn } = facts;
  const member = (key: string): JsonMember | undefined => members.get(key);
  const reportUnknown = (
    key: 'table' | 'column' | 'dim',
    isTable: boolean,
    ...args: readonly string[]
  ): void => {
    const at = member(key);
    if (at !== undefined) {
      const code = isTable ? 'unknown-table' : 'unknown-column';
      report.add({ code, reason: code }, at, { parent: place, step: key }, ...args);
    }
  };
  if (table !== undefined && knownTable === undefined) {
    reportUnknown('table', true, table);
  } else if (knownTable !== undefined && table !== undefined && column !== undefined) {
    // A table without any columns has not been loaded yet.
    if (knownColumn === undefined && knownTable.columns.length > 0) {
      reportUnknown('column', false, column, knownTable.name);
    }
  } else if (dim !== undefined) {
    const missing = findMissingNames(splitDim(dim).filter(createNameMatcher({ table, column })), model);
    if (missing !== undefined) {
      reportUnknown('dim', missing.length === 1, ...missing);
    }
  }
}

interface DimSplit {
  readonly table: string;
  readonly column: string;
}

const createNameMatcher =
  ({ table, column }: Pick<ColumnFacts, 'table' | 'column'>) =>
  (split: DimSplit): boolean =>
    matchesName(split.table, table) && matchesName(stripCalendarSuffix(split.column), column);

/** Returns the missing table, or the missing column and its table; `undefined` if both exist. */
function findMissingNames(splits: readonly DimSplit[], model: Model): readonly string[] | undefined {
  const known = splits.flatMap(({ table, column }) => {
    const found = model.findTable(table);
    return found === undefined ? [] : [{ table, column, found }];
  });
  const [first] = known;
  if (first === undefined) {
    return splits[0] && [splits[0].table];
  }
  const isThere = known.some(
    ({ column, found }) => found.columns.length === 0 || model.findColumn(found, column) !== undefined,
  );
  return isThere ? undefined : [stripCalendarSuffix(first.column), first.table];
}

/** Checks that only date columns have a `level` (rest-api.md, "Column metadata": `level` is only for datetime). */
function checkLevel(
  { members, isNoDate, kind }: ColumnFacts,
  place: PathSegment,
  report: ProblemCollector,
): void {
  const level = members.get('level');
  if (level !== undefined && getLiteralText(level.value) !== undefined && isNoDate) {
    const at: PathSegment = { parent: place, step: 'level' };
    report.add({ code: 'level-needs-datetime', reason: 'level-needs-datetime' }, level, at, kind);
  }
}

function checkInfusion(
  facts: ColumnFacts,
  first: Map<string, ColumnFacts>,
  place: PathSegment,
  report: ProblemCollector,
): void {
  const flags = getInfusionMembers(facts);
  const toFlagSegment = (flag: string): PathSegment => ({
    parent: { parent: place, step: 'infusion' },
    step: flag,
  });
  for (const { flag, code } of exclusiveFlagProblems) {
    const member = flags.get(flag);
    if (member === undefined || !isTrueLiteral(member.value)) {
      continue;
    }
    const before = first.get(flag);
    if (before === undefined) {
      first.set(flag, facts);
    } else {
      report.add({ code, reason: code }, member, toFlagSegment(flag), getColumnLabel(before));
    }
  }
  const [uid, date] = [flags.get('uid'), flags.get('defaultDate')];
  if (uid !== undefined && isTrueLiteral(uid.value) && !hasFilter(facts)) {
    report.add({ code: 'uid-needs-filter', reason: 'uid-needs-filter' }, uid, toFlagSegment('uid'));
  }
  if (date !== undefined && isTrueLiteral(date.value) && facts.isNoDate) {
    const found = { code: 'default-date-type', reason: 'default-date-type' } as const;
    report.add(found, date, toFlagSegment('defaultDate'), facts.kind);
  }
  for (const key of deprecatedFlags) {
    const member = flags.get(key);
    if (member !== undefined && !isNullLiteral(member.value)) {
      const found = { code: 'deprecated', severity: 'information', reason: 'deprecated' } as const;
      report.add(found, member, toFlagSegment(key), key);
    }
  }
}

/** Returns whether a column has a filter that is not empty. A filter of a wrong type is reported elsewhere. */
function hasFilter({ members }: ColumnFacts): boolean {
  const filter = members.get('filter')?.value;
  return !isNullLiteral(filter) && !(filter?.kind === 'object' && filter.members.length === 0);
}

const getColumnLabel = ({ node, members, dim, column, table }: ColumnFacts): string =>
  getLiteralText(members.get('title')?.value) ?? dim ?? column ?? table ?? String(node.start);
