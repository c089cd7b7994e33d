import {
  type ArrayNode,
  isNullOrMissing,
  type JsonMember,
  getLiteralText,
} from '../../json/text/jsonNode.ts';
import { formatDim, splitDim, isDateType, type DatamodelLookup, isSameDim } from '../model.ts';
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
  parent: PathSegment,
  model: DatamodelLookup,
  collector: ProblemCollector,
): void {
  const firstColumnByFlag = new Map<string, ColumnFacts>();
  columns.items.forEach((item, index) => {
    if (item.kind !== 'object') {
      return;
    }
    const segment: PathSegment = { parent, step: index };
    const facts = readColumnFacts(item, model);
    checkDim(facts, segment, collector);
    checkNames(facts, segment, model, collector);
    checkLevel(facts, segment, collector);
    checkInfusion(facts, firstColumnByFlag, segment, collector);
  });
}

/** Returns the dims that match the table and column names, best first; none if one of the names is missing. */
export function getMatchingDims({ table, column, isDate, knownColumn }: ColumnFacts): readonly string[] {
  if (table === undefined || column === undefined) {
    return [];
  }
  const [plainDim, dateDim] = [formatDim(table, column, false), formatDim(table, column, true)];
  const isDateInModel = isDateType(knownColumn?.type);
  const isDateColumn = isDate ?? isDateInModel;
  if (isDateColumn === true) {
    // The API guide also shows date dims without ` (Calendar)`.
    return [dateDim, plainDim];
  }
  // A column of dates in the datamodel has a calendar dim, whatever type the document gives it.
  return isDateColumn === false && isDateInModel !== true ? [plainDim] : [plainDim, dateDim];
}

/**
 * Checks the dim of a column: it has the form `[<table>.<column>]` (rest-api.md, "Column metadata"), and ends in
 * ` (Calendar)` for dates (platform-facts.md, 5.1).
 */
function checkDim(facts: ColumnFacts, parent: PathSegment, collector: ProblemCollector): void {
  const { members, dim, table, column } = facts;
  const member = members.get('dim');
  if (dim === undefined || member === undefined) {
    return;
  }
  const segment: PathSegment = { parent, step: 'dim' };
  const matchingDims = getMatchingDims(facts);
  const [bestDim] = matchingDims;
  if (bestDim !== undefined) {
    if (!matchingDims.some((candidate) => isSameDim(candidate, dim))) {
      collector.add({ code: 'dim-mismatch', reason: 'dim-mismatch' }, member, segment, bestDim);
    }
    return;
  }
  const splits = splitDim(dim);
  if (splits.length === 0) {
    collector.add({ code: 'dim-mismatch', reason: 'dim-form' }, member, segment);
  } else if (
    !splits.some(
      (split) => matchesName(split.table, table) && matchesName(stripCalendarSuffix(split.column), column),
    )
  ) {
    const expected = formatDim(table ?? splits[0]?.table ?? '', column ?? splits.at(-1)?.column ?? '', false);
    collector.add({ code: 'dim-mismatch', reason: 'dim-mismatch' }, member, segment, expected);
  }
}

const stripCalendarSuffix = (name: string): string => name.replace(/ \(Calendar\)$/, '');

const matchesName = (dimName: string, name: string | undefined): boolean =>
  name === undefined || isSameDim(dimName, stripCalendarSuffix(name)) || isSameDim(dimName, name);

/**
 * Reports names that the datamodel does not have. Reports nothing while the catalog is incomplete
 * (decisions.md, "JSON editors").
 */
function checkNames(
  facts: ColumnFacts,
  parent: PathSegment,
  model: DatamodelLookup,
  collector: ProblemCollector,
): void {
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
    const namedMember = member(key);
    if (namedMember !== undefined) {
      const code = isTable ? 'unknown-table' : 'unknown-column';
      collector.add({ code, reason: code }, namedMember, { parent, step: key }, ...args);
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
    const missingNames = findMissingNames(splitDim(dim).filter(createNameMatcher({ table, column })), model);
    if (missingNames !== undefined) {
      reportUnknown('dim', missingNames.length === 1, ...missingNames);
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
function findMissingNames(
  splits: readonly DimSplit[],
  model: DatamodelLookup,
): readonly string[] | undefined {
  const candidates = splits.flatMap(({ table, column }) => {
    const catalogTable = model.findTable(table);
    return catalogTable === undefined ? [] : [{ table, column, catalogTable }];
  });
  const [firstKnown] = candidates;
  if (firstKnown === undefined) {
    return splits[0] && [splits[0].table];
  }
  const exists = candidates.some(
    ({ column, catalogTable }) =>
      catalogTable.columns.length === 0 || model.findColumn(catalogTable, column) !== undefined,
  );
  return exists ? undefined : [stripCalendarSuffix(firstKnown.column), firstKnown.table];
}

/** Checks that only date columns have a `level` (rest-api.md, "Column metadata": `level` is only for datetime). */
function checkLevel(
  { members, cannotBeDate, datatypeLabel }: ColumnFacts,
  parent: PathSegment,
  collector: ProblemCollector,
): void {
  const level = members.get('level');
  if (level !== undefined && getLiteralText(level.value) !== undefined && cannotBeDate) {
    const segment: PathSegment = { parent, step: 'level' };
    collector.add(
      { code: 'level-needs-datetime', reason: 'level-needs-datetime' },
      level,
      segment,
      datatypeLabel,
    );
  }
}

function checkInfusion(
  facts: ColumnFacts,
  firstColumnByFlag: Map<string, ColumnFacts>,
  parent: PathSegment,
  collector: ProblemCollector,
): void {
  const flags = getInfusionMembers(facts);
  const toFlagSegment = (flag: string): PathSegment => ({
    parent: { parent, step: 'infusion' },
    step: flag,
  });
  for (const { flag, code } of exclusiveFlagProblems) {
    const member = flags.get(flag);
    if (member === undefined || !isTrueLiteral(member.value)) {
      continue;
    }
    const firstColumn = firstColumnByFlag.get(flag);
    if (firstColumn === undefined) {
      firstColumnByFlag.set(flag, facts);
    } else {
      collector.add({ code, reason: code }, member, toFlagSegment(flag), getColumnLabel(firstColumn));
    }
  }
  const [uid, defaultDate] = [flags.get('uid'), flags.get('defaultDate')];
  if (uid !== undefined && isTrueLiteral(uid.value) && !hasFilter(facts)) {
    collector.add({ code: 'uid-needs-filter', reason: 'uid-needs-filter' }, uid, toFlagSegment('uid'));
  }
  if (defaultDate !== undefined && isTrueLiteral(defaultDate.value) && facts.cannotBeDate) {
    const problem = { code: 'default-date-type', reason: 'default-date-type' } as const;
    collector.add(problem, defaultDate, toFlagSegment('defaultDate'), facts.datatypeLabel);
  }
  for (const key of deprecatedFlags) {
    const member = flags.get(key);
    if (member !== undefined && !isNullOrMissing(member.value)) {
      const problem = { code: 'deprecated', severity: 'information', reason: 'deprecated' } as const;
      collector.add(problem, member, toFlagSegment(key), key);
    }
  }
}

/** Returns whether a column has a filter that is not empty. A filter of a wrong type is reported elsewhere. */
function hasFilter({ members }: ColumnFacts): boolean {
  const filter = members.get('filter')?.value;
  return !isNullOrMissing(filter) && !(filter?.kind === 'object' && filter.members.length === 0);
}

const getColumnLabel = ({ node, members, dim, column, table }: ColumnFacts): string =>
  getLiteralText(members.get('title')?.value) ?? dim ?? column ?? table ?? String(node.start);
