import { getColumnType, getRuleDatatype } from '../../contract/terms.ts';
import type { Catalog } from '../../sql/language.ts';
import { CatalogNames } from '../catalogNames.ts';
import { getLiveExclusionSupport } from '../liveExclusion.ts';
import { createContentFields, getBindingFields, type RuleBinding, createShareFields } from '../ruleFields.ts';
import type { ColumnName } from '../tableAccess.ts';
import {
  type Grant,
  isObject,
  isNonEmptyString,
  type PartyRef,
  type ParsedRule,
  readRules,
  type UnknownObject,
} from '../readRules.ts';
import { getTablePartyKey } from '../ruleTable/unresolvedParties.ts';
import type { TableParty, TableRule } from '../ruleTable/tableRule.ts';
import { isExclusion } from '../valueSet.ts';

/**
 * Which current rules an import deletes unless the table of rules contains them: all rules of the datamodel, those on
 * the columns that the table names, or none.
 */
export type ImportMode = 'all' | 'columns' | 'add';

export interface RuleDifferenceInput {
  readonly tableRules: readonly TableRule[];
  /** The current rules of the datamodel. */
  readonly existingRules: readonly unknown[];
  readonly binding: RuleBinding;
  readonly mode: ImportMode;
  /** Looks up the ID of a user or group that no current rule names; `undefined` if not found. */
  readonly findPartyId: (party: TableParty) => string | undefined;
  readonly catalog?: Catalog | undefined;
}

/** The reason why a rule of the table can't be written. */
export interface RuleObstacle {
  readonly code:
    | 'party-not-found'
    | 'unknown-table'
    | 'unknown-column'
    | 'date-column'
    | 'not-a-number'
    | 'exclusionary-live';
  readonly rows: readonly number[];
  readonly args: readonly string[];
  /** The most similar existing name, for a table or column that does not exist. */
  readonly closestName?: string | undefined;
}

/** An existing rule that is to be deleted. */
export interface DeletedRule {
  /** Its index in the current rules. */
  readonly index: number;
  readonly rule: UnknownObject;
}

/** The changes that apply a table of rules. Nothing may be written while there are obstacles. */
export interface RuleDifference {
  readonly adds: readonly UnknownObject[];
  readonly deletes: readonly DeletedRule[];
  /** The number of current rules that are kept unchanged. */
  readonly unchangedCount: number;
  readonly obstacles: readonly RuleObstacle[];
  /**
   * The obstacles, if nothing is to be written: they are only warnings then. If anything is to be written, all
   * obstacles are in `obstacles`, even those of rules that are kept. For example, a table may use the former name of a
   * renamed column. Such a table may be older than the rules on the new name, and importing it would delete them.
   */
  readonly obstacleWarnings: readonly RuleObstacle[];
  /** Whether nothing is to be written: the datamodel has all rules of the table, and keeps all others. */
  readonly isUnchanged: boolean;
}

/** A rule of the table with resolved parties. */
interface DesiredRule {
  readonly rule: TableRule;
  readonly parties: readonly PartyRef[];
}

/**
 * Computes the additions and deletions that give each party the access in the table. A current rule is kept if the
 * table grants the same to all its parties, however its rows are grouped. Otherwise the rule is deleted if the mode
 * replaces it, and the grants that the table still contains are added in new rules.
 */
export function computeRuleDifference(input: RuleDifferenceInput): RuleDifference {
  const { tableRules, existingRules, binding, mode, catalog } = input;
  const currentRules = readRules(existingRules);
  const names = catalog === undefined ? undefined : new CatalogNames(catalog);
  // If it is unknown whether exclusions are supported, the server decides: it rejects them if not.
  const isExclusionUnsupported =
    binding.kind === 'live' && getLiveExclusionSupport(existingRules) === 'not-shown';
  const currentPartyKeys = new Set(
    currentRules.flatMap(({ parties }) =>
      parties.map(({ type, id = '' }) => getTablePartyKey({ type, idOrName: id })),
    ),
  );
  const getPartyId = (party: TableParty): string | undefined =>
    currentPartyKeys.has(getTablePartyKey(party)) ? party.idOrName : input.findPartyId(party);
  const getDatatype = createDatatypeLookup(existingRules, catalog);
  const getClosestName = createClosestNameLookup(names);
  const findObstacles = (rule: TableRule): readonly RuleObstacle[] => [
    ...findNameObstacles(rule, names, getClosestName),
    ...findNumberObstacles(rule, getDatatype(rule)),
    ...(isExclusionUnsupported && isExclusion(rule.grant)
      ? [createObstacle('exclusionary-live', rule, rule.table, rule.column)]
      : []),
  ];
  const desiredRules = tableRules.map((rule) => ({ rule, ...resolveParties(rule, getPartyId) }));
  const uncoveredGrantCounts = new Map<string, number>();
  for (const key of desiredRules.flatMap(getGrantKeys)) {
    uncoveredGrantCounts.set(key, (uncoveredGrantCounts.get(key) ?? 0) + 1);
  }
  const columns = new Set(tableRules.map(getColumnKey));
  const deletes = currentRules.flatMap((rule): DeletedRule[] => {
    const isCovered = subtractGrants(uncoveredGrantCounts, rule);
    const isReplaceable = mode === 'all' || (mode === 'columns' && columns.has(getColumnKey(rule)));
    const document = existingRules[rule.index];
    return isCovered || !isReplaceable || !isObject(document) ? [] : [{ index: rule.index, rule: document }];
  });
  const adds = desiredRules.flatMap((rule) =>
    computeAdditions(rule, uncoveredGrantCounts, binding, getDatatype),
  );
  const isUnchanged =
    adds.length + deletes.length === 0 && desiredRules.every(({ missing }) => missing.length === 0);
  const obstacles = desiredRules.flatMap(({ rule, missing }) => [
    ...missing.map(({ type, idOrName }) => createObstacle('party-not-found', rule, type, idOrName)),
    ...findObstacles(rule),
  ]);
  return {
    adds,
    deletes,
    unchangedCount: currentRules.length - deletes.length,
    obstacles: isUnchanged ? [] : obstacles,
    obstacleWarnings: isUnchanged ? obstacles : [],
    isUnchanged,
  };
}

const getColumnKey = ({ table, column }: Readonly<Record<keyof ColumnName, unknown>>): string =>
  JSON.stringify([table, column]);

function resolveParties(
  rule: TableRule,
  getPartyId: (party: TableParty) => string | undefined,
): { readonly parties: readonly PartyRef[]; readonly missing: readonly TableParty[] } {
  const resolvedParties = rule.parties.map((party) => ({ party, id: getPartyId(party) }));
  return {
    parties: resolvedParties.flatMap(({ party: { type }, id }): PartyRef[] => {
      if (type === 'default') {
        return [{ type }];
      }
      return id === undefined ? [] : [{ type, id }];
    }),
    missing: resolvedParties.flatMap(({ party, id }) =>
      party.type !== 'default' && id === undefined ? [party] : [],
    ),
  };
}

const createObstacle = (
  code: RuleObstacle['code'],
  { rows }: TableRule,
  ...args: readonly string[]
): RuleObstacle => ({
  code,
  rows,
  args,
});

/**
 * Checks names, since the server does not: a typo would create a rule that protects nothing (platform-facts.md, 3.1).
 */
function findNameObstacles(
  rule: TableRule,
  names: CatalogNames | undefined,
  getClosestName: (column: ColumnName) => string | undefined,
): readonly RuleObstacle[] {
  if (names === undefined) {
    return [];
  }
  const { table, column } = rule;
  const lookupResult = names.find(table, column);
  if (typeof lookupResult === 'string') {
    return [
      {
        ...createObstacle(lookupResult, rule, table, column),
        closestName: getClosestName({ table, column }),
      },
    ];
  }
  return getColumnType(lookupResult?.type)?.group === 'date-time'
    ? [createObstacle('date-column', rule, table, column)]
    : [];
}

/** Returns a function that finds the closest existing name; thousands of rules may have the same wrong name. */
function createClosestNameLookup(
  names: CatalogNames | undefined,
): (column: ColumnName) => string | undefined {
  const closestNames = new Map<string, string | undefined>();
  return (column) => {
    const key = getColumnKey(column);
    if (!closestNames.has(key)) {
      closestNames.set(key, names?.findClosest(column.table, column.column));
    }
    return closestNames.get(key);
  };
}

/** Checks the values on a column of numbers: the server accepts any text, but no row has such a value. */
function findNumberObstacles(rule: TableRule, knownDatatype: string): readonly RuleObstacle[] {
  if (knownDatatype !== 'numeric' && rule.datatype !== 'numeric') {
    return [];
  }
  const invalidValue = [...rule.grant.values].find((value) => !numberPattern.test(value));
  return invalidValue === undefined
    ? []
    : [createObstacle('not-a-number', rule, rule.table, rule.column, invalidValue)];
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Returns a key for what a rule grants to one party on one column. A grant that is unclear equals no other, so its key
 * contains the index of its rule.
 */
function getPartyGrantKey(
  { table, column }: ColumnName,
  grant: Grant,
  { type, id = '' }: PartyRef,
  index = -1,
): string {
  const content = grant === 'unclear' ? ['unclear', index] : [grant.kind, [...grant.values].sort()];
  return JSON.stringify([table, column, content, type, id]);
}

const getGrantKeys = ({ rule, parties }: DesiredRule): readonly string[] =>
  parties.map((party) => getPartyGrantKey(rule, rule.grant, party));

/**
 * Returns whether the table contains all grants of a current rule; if so, subtracts them from the counts. Rules without
 * parties never match.
 */
function subtractGrants(uncoveredGrantCounts: Map<string, number>, rule: ParsedRule): boolean {
  const keys = [
    ...new Set(rule.parties.map((party) => getPartyGrantKey(rule, rule.grant, party, rule.index))),
  ];
  const isCovered = keys.length > 0 && keys.every((key) => (uncoveredGrantCounts.get(key) ?? 0) > 0);
  for (const key of isCovered ? keys : []) {
    uncoveredGrantCounts.set(key, (uncoveredGrantCounts.get(key) ?? 0) - 1);
  }
  return isCovered;
}

/**
 * Creates a rule for those parties of a desired rule that no current rule covers, and subtracts their grants from the
 * counts. Returns an empty list if all parties are covered.
 */
function computeAdditions(
  { rule, parties }: DesiredRule,
  uncoveredGrantCounts: Map<string, number>,
  binding: RuleBinding,
  getDatatype: (column: ColumnName) => string,
): readonly UnknownObject[] {
  const uncoveredParties = parties.filter((party) => {
    const key = getPartyGrantKey(rule, rule.grant, party);
    const count = uncoveredGrantCounts.get(key) ?? 0;
    uncoveredGrantCounts.set(key, count - 1);
    return count > 0;
  });
  if (uncoveredParties.length === 0) {
    return [];
  }
  const { table, column, datatype = getDatatype(rule) } = rule;
  const shares = uncoveredParties.map((party) => createShareFields(party, binding.kind));
  return [
    {
      ...getBindingFields(binding),
      table,
      column,
      datatype,
      ...createContentFields(rule.grant, binding.kind),
      shares,
    },
  ];
}

/** Returns a function that looks up a column's datatype: in the catalog, else in its rules; text by default. */
function createDatatypeLookup(
  current: readonly unknown[],
  catalog: Catalog | undefined,
): (column: ColumnName) => string {
  const names = catalog === undefined ? undefined : new CatalogNames(catalog);
  const datatypesInRules = new Map(
    current.flatMap((rule) => {
      const { table, column, datatype } = isObject(rule) ? rule : {};
      return isNonEmptyString(datatype) ? [[getColumnKey({ table, column }), datatype] as const] : [];
    }),
  );
  return (column) => {
    const lookupResult = names?.find(column.table, column.column);
    const datatypeFromCatalog =
      typeof lookupResult === 'object' ? getRuleDatatype(lookupResult.type) : undefined;
    return datatypeFromCatalog ?? datatypesInRules.get(getColumnKey(column)) ?? 'text';
  };
}
