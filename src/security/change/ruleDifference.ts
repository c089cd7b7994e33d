import { columnType, ruleDatatype } from '../../contract/terms.ts';
import type { Catalog } from '../../sql/language.ts';
import { CatalogNames } from '../catalogNames.ts';
import { liveExclusion } from '../liveExclusion.ts';
import { contentFields, placeFields, type RulePlace, shareFields } from '../convert/convertRules.ts';
import type { ColumnName } from '../tableAccess.ts';
import {
  type Grant,
  isObject,
  isText,
  type NamedParty,
  type ReadRule,
  readRules,
  type UnknownObject,
} from '../readRule.ts';
import { partyKey } from '../ruleTable/partiesOf.ts';
import type { TableParty, TableRule } from '../ruleTable/tableRule.ts';
import { isBlock } from '../valueSet.ts';

/** What a table of rules is for: all rules of the datamodel, all rules of its columns, or rules beside those there. */
export type TableScope = 'all' | 'columns' | 'add';

export interface DifferenceInput {
  readonly table: readonly TableRule[];
  /** The rules of the datamodel as they are now. */
  readonly current: readonly unknown[];
  readonly place: RulePlace;
  readonly scope: TableScope;
  /** Identifiers of users and groups; a party that is in none of the current rules and not here is not found. */
  readonly identify: (party: TableParty) => string | undefined;
  readonly catalog?: Catalog | undefined;
}

/** A rule of the table that cannot be written. */
export interface Obstacle {
  readonly code: 'party-not-found' | 'unknown-table' | 'unknown-column' | 'date-column' | 'exclusionary-live';
  readonly rows: readonly number[];
  readonly args: readonly string[];
}

/** A rule that is there now and will not be. */
export interface DoomedRule {
  /** Its place among the current rules. */
  readonly index: number;
  readonly rule: UnknownObject;
}

/** What a table would change. Obstacles name rules that are left out of it, so nothing is written while there are any. */
export interface RuleDifference {
  readonly adds: readonly UnknownObject[];
  readonly deletes: readonly DoomedRule[];
  /** How many of the current rules stay as they are. */
  readonly unchanged: number;
  readonly obstacles: readonly Obstacle[];
}

/** A rule of the table with its parties known. */
interface Wanted {
  readonly rule: TableRule;
  readonly parties: readonly NamedParty[];
}

/**
 * What has to be added and deleted so that each party has what the table says. A current rule stays when the table
 * says the same for all its parties, however its rows are grouped; else it goes, and what is still said of its
 * parties is added anew.
 */
export function ruleDifference(input: DifferenceInput): RuleDifference {
  const { table, current, place, scope, catalog } = input;
  const known = readRules(current);
  const names = catalog === undefined ? undefined : new CatalogNames(catalog);
  // Where nothing is known, the server says so itself.
  const hidesNothing = place.kind === 'live' && liveExclusion(current) === 'not-shown';
  const ids = new Set(
    known.flatMap(({ parties }) => parties.map(({ type, id = '' }) => partyKey({ type, name: id }))),
  );
  const idOf = (party: TableParty): string | undefined =>
    ids.has(partyKey(party)) ? party.name : input.identify(party);
  const wanted = table.map((rule) => ({ rule, ...identified(rule, idOf) }));
  const obstacles = wanted.flatMap(({ rule, missing }) => [
    ...missing.map(({ type, name }) => obstacle('party-not-found', rule, type, name)),
    ...nameObstacles(rule, names),
    ...(hidesNothing && isBlock(rule.grant)
      ? [obstacle('exclusionary-live', rule, rule.table, rule.column)]
      : []),
  ]);
  const remaining = new Map<string, number>();
  for (const key of wanted.flatMap(grantKeys)) {
    remaining.set(key, (remaining.get(key) ?? 0) + 1);
  }
  const columns = new Set(table.map(columnKey));
  const deletes = known.flatMap((rule): DoomedRule[] => {
    const stays = take(remaining, rule);
    const isMeant = scope === 'all' || (scope === 'columns' && columns.has(columnKey(rule)));
    const document = current[rule.index];
    return stays || !isMeant || !isObject(document) ? [] : [{ index: rule.index, rule: document }];
  });
  const datatypes = datatypesOf(current, catalog);
  return {
    adds: wanted.flatMap((each) => additions(each, remaining, place, datatypes)),
    deletes,
    unchanged: known.length - deletes.length,
    obstacles,
  };
}

const columnKey = ({ table, column }: ColumnName): string => JSON.stringify([table, column]);

function identified(
  rule: TableRule,
  idOf: (party: TableParty) => string | undefined,
): { readonly parties: readonly NamedParty[]; readonly missing: readonly TableParty[] } {
  const found = rule.parties.map((party) => ({ party, id: idOf(party) }));
  return {
    parties: found.flatMap(({ party: { type }, id }): NamedParty[] => {
      if (type === 'default') {
        return [{ type }];
      }
      return id === undefined ? [] : [{ type, id }];
    }),
    missing: found.flatMap(({ party, id }) => (party.type !== 'default' && id === undefined ? [party] : [])),
  };
}

const obstacle = (code: Obstacle['code'], { rows }: TableRule, ...args: readonly string[]): Obstacle => ({
  code,
  rows,
  args,
});

/** The server checks no names, so a typo would make a rule that protects nothing (platform-facts 3.1). */
function nameObstacles(rule: TableRule, names: CatalogNames | undefined): readonly Obstacle[] {
  if (names === undefined) {
    return [];
  }
  const { table, column } = rule;
  const known = names.find(table, column);
  if (typeof known === 'string') {
    return [obstacle(known, rule, table, column)];
  }
  return columnType(known?.type)?.group === 'date-time' ? [obstacle('date-column', rule, table, column)] : [];
}

/** One text for what a rule says to one party on one column. */
function grantKey(
  { table, column }: ColumnName,
  grant: Grant,
  { type, id = '' }: NamedParty,
  index = -1,
): string {
  const content = grant === 'unclear' ? ['unclear', index] : [grant.kind, [...grant.values].sort()];
  return JSON.stringify([table, column, content, type, id]);
}

const grantKeys = ({ rule, parties }: Wanted): readonly string[] =>
  parties.map((party) => grantKey(rule, rule.grant, party));

/** Takes a rule's grants out of those that are wanted, when all of them are; a rule for nobody is never wanted. */
function take(remaining: Map<string, number>, rule: ReadRule): boolean {
  const keys = [...new Set(rule.parties.map((party) => grantKey(rule, rule.grant, party, rule.index)))];
  const isWanted = keys.length > 0 && keys.every((key) => (remaining.get(key) ?? 0) > 0);
  for (const key of isWanted ? keys : []) {
    remaining.set(key, (remaining.get(key) ?? 0) - 1);
  }
  return isWanted;
}

/** The rule for those of its parties whom no current rule serves. */
function additions(
  { rule, parties }: Wanted,
  remaining: Map<string, number>,
  place: RulePlace,
  datatypes: (column: ColumnName) => string,
): readonly UnknownObject[] {
  const unserved = parties.filter((party) => {
    const key = grantKey(rule, rule.grant, party);
    const count = remaining.get(key) ?? 0;
    remaining.set(key, count - 1);
    return count > 0;
  });
  if (unserved.length === 0) {
    return [];
  }
  const { table, column, datatype = datatypes(rule) } = rule;
  const shares = unserved.map((party) => shareFields(party, place.kind));
  return [
    { ...placeFields(place), table, column, datatype, ...contentFields(rule.grant, place.kind), shares },
  ];
}

/** What a column holds by the catalogue, else what its rules say, else text. */
function datatypesOf(
  current: readonly unknown[],
  catalog: Catalog | undefined,
): (column: ColumnName) => string {
  const names = catalog === undefined ? undefined : new CatalogNames(catalog);
  const said = new Map(
    current.flatMap((rule) => {
      const { table, column, datatype } = isObject(rule) ? rule : {};
      return isText(table) && isText(column) && isText(datatype)
        ? [[columnKey({ table, column }), datatype] as const]
        : [];
    }),
  );
  return (column) => {
    const known = names?.find(column.table, column.column);
    const byType = typeof known === 'object' ? ruleDatatype(known.type) : undefined;
    return byType ?? said.get(columnKey(column)) ?? 'text';
  };
}
