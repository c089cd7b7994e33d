import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonValue } from '../../base/json.ts';
import { getDatasetName } from '../../contract/datamodel.ts';
import { type Column, type Table, getExpressionText } from '../../contract/table.ts';
import { readRules } from '../../security/readRules.ts';
import { getRuleEffect, restrictsAnyone } from '../../security/ruleEffect.ts';
import { findCatalogUsages, omitComments } from '../../sql/language.ts';
import { matchesStored, serverManagedConnectionFields } from '../endpoints/matchesStored.ts';
import { type IndexedColumn, type IndexedTable, ModelIndex } from '../model/modelIndex.ts';
import type { Write } from '../model/operation.ts';
import type { DataChange } from '../model/plan.ts';
import { asObject } from '../model/jsonMembers.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { sourceFields } from '../model/sourceFields.ts';
import { getRulesOfDatamodel } from './applyWrites.ts';

/**
 * Finds changes of data that access depends on, whose effect on access is unknown because the new data is: changes of
 * columns by whose values rules restrict rows, directly or through relations, and of what these columns are made from;
 * and SQL that reads restricted tables into a table that nothing restricts. Names and descriptions aren't data.
 * @param writes the writes between the two states
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
    const [old, restricted] = [findRestricted(oldIndex, before), findRestricted(index, after)];
    if (old.size + restricted.size === 0) {
      return [];
    }
    const formerNodes = findFormerNodes(oldIndex, index);
    const changes = [
      ...findChangedDatasets(index, writes),
      ...findChangedItems(formerNodes, [oldIndex, index]),
    ];
    const currentNodes = new Map([...formerNodes].map(([node, former]) => [former, node]));
    return findEffects(changes, index, {
      restricted,
      formerlyRestricted: new Set([...old].flatMap((former) => currentNodes.get(former) ?? [])),
    });
  });

/** A table or column that exists after the operation. */
type DataNode = IndexedTable | IndexedColumn;

interface Change extends Pick<DataChange, 'kind' | 'name'> {
  /** The table, and the columns whose data changes. */
  readonly nodes: readonly DataNode[];
}

const isColumn = (node: DataNode): node is IndexedColumn => 'column' in node;

const getTable = (node: DataNode): IndexedTable => (isColumn(node) ? node.table : node);

const getName = (node: DataNode): string => (isColumn(node) ? `${node.table.name}.${node.name}` : node.name);

const getContent = (node: DataNode): Column | Table => (isColumn(node) ? node.column : node.table);

/** Returns the SQL of a table or column without its comments, which don't affect its data; empty if it has none. */
function getSql(node: DataNode): string {
  const sql = getExpressionText(getContent(node).expression) ?? '';
  // Most columns have no SQL, and each is checked several times.
  return sql === '' ? '' : omitComments(sql);
}

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

/**
 * Returns what each table and column was before the operation. If another item of the same name replaces a table or
 * column, it counts as the replaced one, since rules and SQL refer to names.
 */
function findFormerNodes(oldIndex: ModelIndex, index: ModelIndex): ReadonlyMap<DataNode, DataNode> {
  const match = <T extends DataNode>(formerNodes: readonly T[], nodes: readonly T[]) => {
    const ids = new Set(nodes.map(({ id }) => id));
    const formerById = new Map(formerNodes.map((node) => [node.id, node]));
    const replacedByName = new Map(
      formerNodes.flatMap((node) => (ids.has(node.id) ? [] : [[node.name, node]])),
    );
    return nodes.flatMap((node): readonly (readonly [T, T])[] => {
      const former = formerById.get(node.id) ?? replacedByName.get(node.name);
      return former === undefined ? [] : [[node, former]];
    });
  };
  return new Map(
    match(oldIndex.tables, index.tables).flatMap(
      ([table, former]): readonly (readonly [DataNode, DataNode])[] => [
        [table, former],
        ...match(former.columns, table.columns),
      ],
    ),
  );
}

/** Finds the tables and columns whose data changes, and new columns with SQL in tables that existed before. */
function findChangedItems(
  formerNodes: ReadonlyMap<DataNode, DataNode>,
  [oldIndex, index]: readonly [ModelIndex, ModelIndex],
): readonly Change[] {
  const hasSameNames = jsonEquals(getNames(oldIndex), getNames(index));
  return index.tables.flatMap(withColumns).flatMap((node): readonly Change[] => {
    const former = formerNodes.get(node);
    if (former === undefined) {
      return isColumn(node) && formerNodes.has(node.table) && getSql(node) !== ''
        ? [{ kind: 'new', name: getName(node), nodes: [node] }]
        : [];
    }
    const hasSameText = getSql(former) === getSql(node);
    const isSameSql = hasSameText
      ? hasSameNames || hasSameMeaning(findUsages(former, oldIndex), findUsages(node, index), formerNodes)
      : hasOnlyOtherNames(splitAtNames(former, oldIndex), splitAtNames(node, index, formerNodes));
    if (!isSameSql) {
      return [{ kind: hasSameText ? 'names' : 'sql', name: getName(former), nodes: withColumns(node) }];
    }
    const [before, after] = [getContent(former), getContent(node)];
    const isSameSource = sourceFields.every((field) =>
      jsonEquals((before[field] || null) as JsonValue, (after[field] || null) as JsonValue),
    );
    return isSameSource ? [] : [{ kind: 'source', name: getName(former), nodes: withColumns(node) }];
  });
}

/** Returns all names with the IDs of what they mean. */
const getNames = ({ tables }: ModelIndex): JsonValue =>
  tables.flatMap(withColumns).map((node) => [node.id, node.name]);

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
 * Returns whether the names in SQL whose text stays the same mean the same tables and columns. Names that no longer
 * mean anything don't count: the plan lists them as broken references.
 */
const hasSameMeaning = (
  formerUsages: ReturnType<typeof findUsages>,
  usages: ReturnType<typeof findUsages>,
  formerNodes: ReadonlyMap<DataNode, DataNode>,
): boolean =>
  usages.every(({ start, node }) =>
    formerUsages.some(
      (former) => former.start === start && former.node === ((node && formerNodes.get(node)) ?? node),
    ),
  );

/** A part of SQL: a name, and the text up to the next one. */
interface SqlPart {
  /** What the name means; `undefined` for the text before the first name. */
  readonly node: DataNode | undefined;
  readonly name: string;
  readonly rest: string;
}

/**
 * Returns whether SQL differs only by the names of the same tables and columns. A rename may also add the former name
 * of a column as its alias.
 */
const hasOnlyOtherNames = (formerParts: readonly SqlPart[], parts: readonly SqlPart[]): boolean =>
  formerParts.length === parts.length &&
  formerParts.every(({ node, name, rest }, index) => {
    const part = parts[index];
    return part?.node === node && (part?.rest === rest || part?.rest === ` AS ${name}${rest}`);
  });

/**
 * Splits SQL before each name of a table or column.
 * @param formerNodes replaces what the names mean by what it was before the operation
 */
function splitAtNames(
  owner: DataNode,
  index: ModelIndex,
  formerNodes?: ReadonlyMap<DataNode, DataNode>,
): readonly SqlPart[] {
  const sql = getSql(owner);
  const usages = findUsages(owner, index);
  return [{ start: 0, end: 0, node: undefined }, ...usages].map(({ start, end, node }, number) => ({
    node: (node && formerNodes?.get(node)) ?? node,
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
 * Returns the changes of data with what depends on them. Leaves out changes that don't affect access.
 * @param restricted what rules restrict after the operation
 * @param formerlyRestricted the tables and columns that exist after the operation, and that rules restricted before it
 */
function findEffects(
  changes: readonly Change[],
  index: ModelIndex,
  {
    restricted,
    formerlyRestricted,
  }: Readonly<Record<'restricted' | 'formerlyRestricted', ReadonlySet<DataNode>>>,
): readonly DataChange[] {
  if (changes.length === 0) {
    return [];
  }
  const columns = [...formerlyRestricted.union(restricted)].filter(isColumn);
  const derivations = index.getExpressions().map(({ table, column: node = table, text }) => ({
    results: new Set(
      isColumn(node) ? [node] : [node, ...node.columns.filter((column) => getSql(column) === '')],
    ),
    sources: new Set(
      findUsages(node, index).flatMap((usage) =>
        usage.node === undefined
          ? []
          : // A query with `*` or a natural join uses columns without naming them.
            isColumn(node) || !/\*|natural/i.test(text)
            ? [usage.node]
            : withColumns(usage.node),
      ),
    ),
  }));
  /**
   * Returns nodes, and those that SQL connects with them: from `sources` to `results`, those that their data gets into;
   * from `results` to `sources`, those that it comes from. Doesn't go beyond a node for which `isLast` is true.
   */
  const findReachable = (
    nodes: readonly DataNode[],
    [from, to]: readonly ['sources' | 'results', 'sources' | 'results'],
    isLast: (node: DataNode) => boolean = () => false,
  ): ReadonlySet<DataNode> => {
    const reached = new Set(nodes);
    for (const node of reached) {
      for (const derivation of derivations) {
        if (derivation[from].has(node) && !isLast(node)) {
          derivation[to].forEach((next) => reached.add(next));
        }
      }
    }
    return reached;
  };
  /** Returns the restricted tables whose data gets into a table that nothing restricts. */
  const findReads = (node: DataNode): readonly string[] => {
    const table = getTable(node);
    // The other columns of the table are as visible as before, or are listed as changes of their own.
    const isLast = (source: DataNode) =>
      restricted.has(source) || (source !== node && getTable(source) === table);
    return restricted.has(table)
      ? []
      : [...findReachable([node], ['results', 'sources'], isLast)]
          .filter((source) => !isColumn(source) && restricted.has(source))
          .map(getName);
  };
  return changes.flatMap(({ nodes, ...change }): readonly DataChange[] => {
    const [node] = nodes;
    const reached = findReachable(nodes, ['sources', 'results']);
    const dependents =
      // Nothing depended on a new column.
      change.kind === 'new' ? [] : columns.filter((column) => reached.has(column)).map(getName);
    const reads = node === undefined || change.kind === 'source' ? [] : findReads(node);
    return dependents.length + reads.length === 0 ? [] : [{ ...change, dependents, reads }];
  });
}
