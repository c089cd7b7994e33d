import { getDatasetName, type Datamodel, type Relation } from '../../contract/datamodel.ts';
import { getColumnTypeLabel } from '../../contract/terms.ts';
import type { Rule } from '../../contract/rule.ts';
import {
  type Column,
  getColumnName,
  getExpressionText,
  type Table,
  getTableName,
} from '../../contract/table.ts';
import type {
  DiagramColumn,
  DiagramEnd,
  DiagramModel,
  DiagramRelation,
  DiagramTable,
} from './diagramModel.ts';

/**
 * Creates the diagram model of a datamodel. Relations should refer to datasets, tables and columns by oid, and have at
 * least two columns (rest-api.md, "Relation" and "Limits"); responses may be inconsistent, so none of that is assumed.
 * @param rules the data security rules of the datamodel; names are case sensitive (rest-api.md, "Data security rule")
 * @param options `isReadOnly`: no relation can be created in the diagram
 */
export function createDiagramModel(
  datamodel: Datamodel,
  rules: readonly Pick<Rule, 'table' | 'column'>[] = [],
  { isReadOnly = false }: { readonly isReadOnly?: boolean } = {},
): DiagramModel {
  const relations = datamodel.relations ?? [];
  const relationColumnKeys = new Set(relations.flatMap(({ columns }) => (columns ?? []).map(getEndKey)));
  const securedColumnKeys = new Set(rules.map(({ table, column }) => JSON.stringify([table, column])));
  const tables = new Map<string, DiagramTable>();
  for (const dataset of datamodel.datasets ?? []) {
    for (const table of dataset.schema?.tables ?? []) {
      if (!tables.has(table.oid)) {
        const datasetInfo = { datasetId: dataset.oid, dataset: getDatasetName(dataset) ?? dataset.oid };
        tables.set(table.oid, {
          ...toDiagramTable(table, { relationColumnKeys, securedColumnKeys, isReadOnly }),
          ...datasetInfo,
        });
      }
    }
  }
  const drawnRelations = removeDuplicates(relations).flatMap(
    (relation) => toDiagramRelation(relation, tables) ?? [],
  );
  return {
    tables: [...tables.values()],
    relations: drawnRelations,
    undrawnRelationCount: removeDuplicates(relations).length - drawnRelations.length,
  };
}

const getEndKey = ({ table, column }: { readonly table: string; readonly column: string }): string =>
  JSON.stringify([table, column]);

const removeDuplicates = (relations: readonly Relation[]): readonly Relation[] => [
  ...new Map(relations.map((relation) => [relation.oid, relation])).values(),
];

function toDiagramTable(
  table: Table,
  {
    relationColumnKeys,
    securedColumnKeys,
    isReadOnly,
  }: {
    readonly relationColumnKeys: ReadonlySet<string>;
    readonly securedColumnKeys: ReadonlySet<string>;
    readonly isReadOnly: boolean;
  },
): Omit<DiagramTable, 'datasetId' | 'dataset'> {
  const name = getTableName(table);
  const seenIds = new Set<string>();
  const columns = (table.columns ?? []).flatMap((column, index): DiagramColumn[] => {
    const id = column.oid ? column.oid : `#${index}`;
    if (seenIds.has(id)) {
      return [];
    }
    seenIds.add(id);
    const type = getColumnTypeLabel(column.type);
    return [
      {
        id,
        name: getColumnName(column),
        ...(type === '' ? {} : { type }),
        isInRelation: relationColumnKeys.has(getEndKey({ table: table.oid, column: id })),
        isCustom: isCalculated(column),
        isHidden: column.hidden === true,
        isSecured: securedColumnKeys.has(JSON.stringify([name, getColumnName(column)])),
        canRelate: Boolean(column.oid) && !isReadOnly,
      },
    ];
  });
  return {
    id: table.oid,
    name,
    isCustom: table.type === 'custom',
    isHidden: table.hidden === true,
    isSecured: columns.some(({ isSecured }) => isSecured),
    columns: [
      ...columns.filter(({ isInRelation }) => isInRelation),
      ...columns.filter(({ isInRelation }) => !isInRelation),
    ],
  };
}

const isCalculated = ({ isCustom, expression }: Column): boolean =>
  isCustom === true || (getExpressionText(expression) ?? '') !== '';

function toDiagramRelation(
  { oid, columns }: Relation,
  tables: ReadonlyMap<string, DiagramTable>,
): DiagramRelation | undefined {
  const ends = (columns ?? []).flatMap(({ table: tableId, column: columnId }): DiagramEnd[] => {
    const table = tables.get(tableId);
    if (table === undefined) {
      return [];
    }
    const hasColumn = table.columns.some(({ id }) => id === columnId);
    return [hasColumn ? { table: tableId, column: columnId } : { table: tableId }];
  });
  return ends.length < 2 ? undefined : { id: oid, ends };
}
