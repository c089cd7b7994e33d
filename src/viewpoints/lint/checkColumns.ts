import { type ColumnTypeGroup, getColumnType } from '../../contract/terms.ts';
import {
  type ArrayNode,
  getLiteralText,
  getMembersByKey,
  isNullOrMissing,
  type JsonNode,
} from '../../json/text/jsonNode.ts';
import { formatDim, splitDim, isDateType, type DatamodelLookup, isSameDim } from '../datamodelLookup.ts';
import { deprecatedFlags, filterOperators, numericAggregations } from '../vocabulary.ts';
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
  datamodel: DatamodelLookup,
  collector: ProblemCollector,
): void {
  const firstColumnByFlag = new Map<string, ColumnFacts>();
  columns.items.forEach((item, index) => {
    if (item.kind !== 'object') {
      return;
    }
    const segment: PathSegment = { parent, step: index };
    const facts = readColumnFacts(item, datamodel);
    // With an unknown name, the dim is not checked: it may repeat the misspelling, or be right where the name is wrong.
    if (!reportUnknownName(facts, segment, datamodel, collector)) {
      checkDim(facts, segment, collector);
    }
    checkLevel(facts, segment, collector);
    checkAggregation(facts, segment, collector);
    checkFilter(facts, segment, collector);
    checkInfusion(facts, firstColumnByFlag, segment, collector);
  });
}

/** Returns the dims that match the table and column names, best first; none if one of the names is missing. */
function getMatchingDims({ table, column, isDate, knownColumn }: ColumnFacts): readonly string[] {
  if (table === undefined || column === undefined) {
    return [];
  }
  const [plainDim, dateDim] = [formatDim(table, column, false), formatDim(table, column, true)];
  const isDateInDatamodel = isDateType(knownColumn?.type);
  const isDateColumn = isDate ?? isDateInDatamodel;
  if (isDateColumn === true) {
    // The API guide also shows date dims without ` (Calendar)`.
    return [dateDim, plainDim];
  }
  // A column of dates in the datamodel has a calendar dim, whatever type the document gives it.
  return isDateColumn === false && isDateInDatamodel !== true ? [plainDim] : [plainDim, dateDim];
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
  const expected = getExpectedDim(facts);
  if (expected === undefined) {
    collector.add({ code: 'dim-mismatch', reason: 'dim-form' }, member, segment);
    return;
  }
  const matchingDims = getMatchingDims(facts);
  const isMatching =
    matchingDims.length > 0
      ? matchingDims.some((candidate) => isSameDim(candidate, dim))
      : splitDim(dim).some(createNameMatcher({ table, column }));
  if (!isMatching) {
    collector.add({ code: 'dim-mismatch', reason: 'dim-mismatch' }, member, segment, expected);
  }
}

/**
 * Returns the dim that a column should have: the best one that matches its names. A missing table or column name is
 * taken from the current dim. Returns `undefined` if that has no names either.
 */
export function getExpectedDim(facts: ColumnFacts): string | undefined {
  const { table, column, dim } = facts;
  const [bestDim] = getMatchingDims(facts);
  const splits = dim === undefined ? [] : splitDim(dim);
  if (bestDim !== undefined || splits.length === 0) {
    return bestDim;
  }
  return formatDim(table ?? splits[0]?.table ?? '', column ?? splits.at(-1)?.column ?? '', false);
}

const stripCalendarSuffix = (name: string): string => name.replace(/ \(Calendar\)$/, '');

const matchesName = (dimName: string, name: string | undefined): boolean =>
  name === undefined || isSameDim(dimName, stripCalendarSuffix(name)) || isSameDim(dimName, name);

/**
 * Reports the name that the datamodel does not have, and returns whether there is one. Reports nothing while the
 * catalog is incomplete (decisions.md, "JSON editors").
 */
function reportUnknownName(
  facts: ColumnFacts,
  parent: PathSegment,
  datamodel: DatamodelLookup,
  collector: ProblemCollector,
): boolean {
  const unknownName = datamodel.isComplete ? findUnknownName(facts, datamodel) : undefined;
  const member = unknownName && facts.members.get(unknownName.key);
  if (unknownName === undefined || member === undefined) {
    return false;
  }
  const { key, names } = unknownName;
  const code = names.length === 1 ? 'unknown-table' : 'unknown-column';
  collector.add({ code, reason: code }, member, { parent, step: key }, ...names);
  return true;
}

interface UnknownName {
  readonly key: 'table' | 'column' | 'dim';
  /** The missing table, or the missing column and its table. */
  readonly names: readonly string[];
}

function findUnknownName(
  { table, column, dim, knownTable, knownColumn }: ColumnFacts,
  datamodel: DatamodelLookup,
): UnknownName | undefined {
  if (table !== undefined && knownTable === undefined) {
    return { key: 'table', names: [table] };
  }
  if (knownTable !== undefined && table !== undefined && column !== undefined) {
    // A table without any columns has not been loaded yet.
    return knownColumn === undefined && knownTable.columns.length > 0
      ? { key: 'column', names: [column, knownTable.name] }
      : undefined;
  }
  const splits = dim === undefined ? [] : splitDim(dim).filter(createNameMatcher({ table, column }));
  const missingNames = findMissingNames(splits, datamodel);
  return missingNames && { key: 'dim', names: missingNames };
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
  datamodel: DatamodelLookup,
): readonly string[] | undefined {
  const candidates = splits.flatMap(({ table, column }) => {
    const catalogTable = datamodel.findTable(table);
    return catalogTable === undefined ? [] : [{ table, column, catalogTable }];
  });
  const [firstKnownSplit] = candidates;
  if (firstKnownSplit === undefined) {
    return splits[0] && [splits[0].table];
  }
  const exists = candidates.some(
    ({ column, catalogTable }) =>
      catalogTable.columns.length === 0 || datamodel.findColumn(catalogTable, column) !== undefined,
  );
  return exists ? undefined : [stripCalendarSuffix(firstKnownSplit.column), firstKnownSplit.table];
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

/**
 * Warns of a sum or an average of values that are not numbers, according to the datamodel or else to the document.
 */
function checkAggregation(
  { members, knownColumn }: ColumnFacts,
  parent: PathSegment,
  collector: ProblemCollector,
): void {
  const agg = members.get('agg');
  const word = getLiteralText(agg?.value);
  if (agg === undefined || word === undefined || !numericAggregations.includes(word)) {
    return;
  }
  const datatype =
    datatypesByGroup.get(getColumnType(knownColumn?.type)?.group) ??
    getLiteralText(members.get('datatype')?.value);
  if (datatype === 'text' || datatype === 'datetime') {
    const problem = { code: 'agg-needs-number', severity: 'warning', reason: 'agg-needs-number' } as const;
    collector.add(problem, agg, { parent, step: 'agg' }, word, datatype);
  }
}

/** The datatype of a viewpoint column, by the group of its column type; other groups do not determine it. */
const datatypesByGroup: ReadonlyMap<ColumnTypeGroup | undefined, string> = new Map([
  ['number', 'numeric'],
  ['text', 'text'],
  ['date-time', 'datetime'],
]);

/**
 * Warns of a filter for all values that selects values as well: each condition has one operator (platform-facts.md,
 * 5.2), and which of two applies is not documented.
 */
function checkFilter({ members }: ColumnFacts, column: PathSegment, collector: ProblemCollector): void {
  const filter = members.get('filter')?.value;
  if (filter?.kind !== 'object') {
    return;
  }
  const conditions = getMembersByKey(filter);
  const all = conditions.get('all');
  const operator = filterOperators.find((key) => isCondition(conditions.get(key)?.value));
  if (all !== undefined && isTrueLiteral(all.value) && operator !== undefined) {
    const segment: PathSegment = { parent: { parent: column, step: 'filter' }, step: 'all' };
    const problem = { code: 'filter-conflict', severity: 'warning', reason: 'filter-conflict' } as const;
    collector.add(problem, all, segment, operator);
  }
}

/** Returns whether an operator selects values. An empty list does not, so it is no conflict with `all`. */
const isCondition = (node: JsonNode | undefined): boolean =>
  !isNullOrMissing(node) && !(node?.kind === 'array' && node.items.length === 0);

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
