import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonValue } from '../../base/json.ts';
import { getDatasetName } from '../../contract/datamodel.ts';
import { type Column, type Table, getExpressionText } from '../../contract/table.ts';
import { readRules } from '../../security/readRule.ts';
import { getRuleEffect, restrictsAnyone } from '../../security/ruleEffect.ts';
import { findCatalogUsages } from '../../sql/language.ts';
import { matchesStored, serverManagedConnectionFields } from '../endpoints/matchesStored.ts';
import { type IndexedColumn, type IndexedTable, ModelIndex } from '../model/modelIndex.ts';
import type { Write } from '../model/operation.ts';
import type { DataChange } from '../model/plan.ts';
import { asObject } from '../model/readJson.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { getRulesOfDatamodel } from './applyWrites.ts';

/**
 * Finds changes of data that access depends on, whose effect on access is unknown because the new data is: changes of
 * columns by whose values rules restrict rows, directly or through relations, and of what these columns are made from;
 * and SQL that reads restricted tables into a table that nothing restricts. Names and descriptions aren't data.
 * @param writes those between the two states
 */
export const findDataChanges = (
  before: Snapshot,
  after: Snapshot,
  writes: readonly Write[],
): readonly DataChange[] =>
  after.datamodels.flatMap((model) => {
    const oldModel = before.datamodels.find(({ oid }) => oid === model.oid);
    if (oldModel === undefined) {
      return [];
    }
    const [oldIndex, index] = [new ModelIndex(oldModel), new ModelIndex(model)];
    const changes = [...findChangedDatasets(index, writes), ...findChangedItems(oldIndex, index)];
    return changes.length === 0
      ? []
      : findEffects(changes, index, {
          old: findRestricted(oldIndex, before),
          restricted: findRestricted(index, after),
        });
  });

/** A table or column that exists after the operation. */
type DataNode = IndexedTable | IndexedColumn;

interface Change extends Pick<DataChange, 'kind' | 'name'> {
  /** The table, and the columns whose data changes. */
  readonly nodes: readonly DataNode[];
}

const isColumn = (node: DataNode): node is IndexedColumn => 'column' in node;

const getName = (node: DataNode): string => (isColumn(node) ? `${node.table.name}.${node.name}` : node.name);

const getContent = (node: DataNode): Column | Table => (isColumn(node) ? node.column : node.table);

const getSql = (node: DataNode): string => getExpressionText(getContent(node).expression) ?? '';

/** Returns a column, or a table with its columns. */
const withColumns = (node: DataNode): readonly DataNode[] =>
  isColumn(node) ? [node] : [node, ...node.columns];

const findChangedDatasets = ({ model, tables }: ModelIndex, writes: readonly Write[]): readonly Change[] =>
  (model.datasets ?? [])
    .filter(({ oid, connection = null }) =>
      writes.some(
        ({ endpoint, params, body }) =>
          endpoint === 'datasets.update' &&
          params['datasetId'] === oid &&
          !matchesStored(
            asObject(body)['connection'] ?? null,
            connection as JsonValue,
            undefined,
            serverManagedConnectionFields,
          ),
      ),
    )
    .map((dataset) => ({
      kind: 'source',
      name: getDatasetName(dataset) ?? dataset.oid,
      nodes: tables.filter((table) => table.dataset === dataset).flatMap(withColumns),
    }));

/** Finds the tables and columns whose data changes. */
const findChangedItems = (oldIndex: ModelIndex, index: ModelIndex): readonly Change[] =>
  index.tables.flatMap(withColumns).flatMap((node): readonly Change[] => {
    const old = isColumn(node) ? oldIndex.getColumn(node.table.id, node.id) : oldIndex.getTable(node.id);
    if (old === undefined) {
      return [];
    }
    const isSameSql = getSql(old) === getSql(node) || hasOnlyOtherNames([old, oldIndex], [node, index]);
    const [before, after] = [getContent(old), getContent(node)];
    const isSame =
      isSameSql &&
      sourceFields.every((field) =>
        jsonEquals((before[field] || null) as JsonValue, (after[field] || null) as JsonValue),
      );
    return isSame
      ? []
      : [{ kind: isSameSql ? 'source' : 'sql', name: getName(old), nodes: withColumns(node) }];
  });

/** The fields of tables and columns that say where their data comes from, beside SQL, and what its type is. */
const sourceFields = ['id', 'type', 'isCustom', 'configOptions'] as const;

/** Finds the tables and columns that SQL names. */
const findUsages = (node: DataNode, index: ModelIndex) =>
  findCatalogUsages(
    getSql(node),
    index.getContext(isColumn(node) ? { table: node.table, column: node } : { table: node }),
  ).map((usage) => {
    const target = index.findByUsage(usage);
    return { ...usage, node: target?.column ?? target?.table };
  });

/**
 * Returns whether SQL differs only by the names of the same tables and columns. A rename may also add the former name of
 * a column as its alias.
 */
function hasOnlyOtherNames(old: readonly [DataNode, ModelIndex], current: readonly [DataNode, ModelIndex]) {
  const [oldParts, parts] = [splitAtNames(...old), splitAtNames(...current)];
  return (
    oldParts.length === parts.length &&
    oldParts.every(({ id, name, rest }, index) => {
      const part = parts[index];
      return part?.id === id && (part.rest === rest || part.rest === ` AS ${name}${rest}`);
    })
  );
}

/** Splits SQL before each name of a table or column. */
function splitAtNames(owner: DataNode, index: ModelIndex) {
  const sql = getSql(owner);
  const usages = findUsages(owner, index);
  return [{ start: 0, end: 0, node: undefined }, ...usages].map(({ start, end, node }, number) => ({
    id: JSON.stringify(node && [node.id, isColumn(node) && node.table.id]),
    name: sql.slice(start, end),
    rest: sql.slice(end, usages[number]?.start),
  }));
}

/**
 * Finds the tables that rules restrict, directly or through relations, and the columns whose values decide who sees
 * which rows: those with rules, and those that link the tables.
 */
function findRestricted(index: ModelIndex, state: Snapshot): ReadonlySet<DataNode> {
  const rules = getRulesOfDatamodel(state, index.model).flatMap((ofSubject) => ofSubject.rules);
  const restricted = new Set<DataNode>();
  const addColumn = (column: IndexedColumn): void => void restricted.add(column).add(column.table);
  const rulesByColumn = Map.groupBy(
    readRules(rules),
    ({ table, column }) => index.findByName(table, column)?.column,
  );
  for (const [column, columnRules] of rulesByColumn) {
    const effect = getRuleEffect(columnRules);
    if (column !== undefined && (restrictsAnyone(effect) || effect.isUncertain)) {
      addColumn(column);
    }
  }
  const relations = (index.model.relations ?? []).map(({ columns }) =>
    (columns ?? []).flatMap(({ table, column }) => index.getColumn(table, column) ?? []),
  );
  // A set that grows while it is iterated works as a queue.
  for (const node of restricted) {
    relations
      .filter((columns) => columns.some(({ table }) => table === node))
      .flat()
      .forEach(addColumn);
  }
  return restricted;
}

/**
 * @param old what rules restrict before the operation
 * @param restricted what they restrict after it
 */
function findEffects(
  changes: readonly Change[],
  index: ModelIndex,
  { old, restricted }: Readonly<Record<'old' | 'restricted', ReadonlySet<DataNode>>>,
): readonly DataChange[] {
  if (old.size + restricted.size === 0) {
    return [];
  }
  const columns = new Set(
    [...old]
      .map((node) => (isColumn(node) ? index.getColumn(node.table.id, node.id) : undefined))
      .concat([...restricted].filter(isColumn)),
  );
  const derivations = index.getExpressions().map(({ table, column: node = table, text }) => ({
    results: new Set(withColumns(node)),
    sources: new Set(
      findUsages(node, index).flatMap((usage) =>
        usage.node === undefined
          ? []
          : // Without naming them, a query may read all columns, or join by some of them.
            isColumn(node) || !/\*|natural/i.test(text)
            ? [usage.node]
            : withColumns(usage.node),
      ),
    ),
  }));
  /** Returns what data gets into, through SQL, or what it comes from. Goes no further than to the last nodes. */
  const follow = (
    nodes: readonly DataNode[],
    [from, to]: readonly ['sources' | 'results', 'sources' | 'results'],
    lastNodes?: ReadonlySet<DataNode>,
  ): ReadonlySet<DataNode> => {
    const reached = new Set(nodes);
    for (const node of reached) {
      for (const derivation of derivations) {
        if (derivation[from].has(node) && lastNodes?.has(node) !== true) {
          derivation[to].forEach((next) => reached.add(next));
        }
      }
    }
    return reached;
  };
  return changes.flatMap(({ nodes, ...change }): readonly DataChange[] => {
    const [node] = nodes;
    const reached = follow(nodes, ['sources', 'results']);
    const dependents = [...columns].flatMap((column) =>
      column !== undefined && reached.has(column) ? [getName(column)] : [],
    );
    const isExposed =
      change.kind === 'sql' && node !== undefined && !restricted.has(isColumn(node) ? node.table : node);
    const reads = isExposed
      ? [...follow([node], ['results', 'sources'], restricted)]
          .filter((source) => !isColumn(source) && restricted.has(source))
          .map(getName)
      : [];
    return dependents.length + reads.length === 0 ? [] : [{ ...change, dependents, reads }];
  });
}
