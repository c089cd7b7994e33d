import type {
  DiagramColumn,
  DiagramModel,
  DiagramRelation,
  DiagramTable,
} from '../diagramLayout/diagramModel.ts';
import { t } from '../shared/t.ts';

export const formatTableCount = (count: number): string =>
  count === 1 ? t('1 table') : t('{0} tables', count);
export const formatColumnCount = (count: number): string =>
  count === 1 ? t('1 column') : t('{0} columns', count);
const formatRelationCount = (count: number): string =>
  count === 1 ? t('1 relation') : t('{0} relations', count);
export const formatMoreColumns = (count: number): string =>
  count === 1 ? t('1 more column') : t('{0} more columns', count);

/** The number of tables and relations, and the number of relations that cannot be drawn. */
export function describeModel({ tables, relations, undrawnRelationCount }: DiagramModel): string {
  const counts = `${formatTableCount(tables.length)}, ${formatRelationCount(relations.length)}`;
  if (undrawnRelationCount === 0) {
    return counts;
  }
  return `${counts}. ${t('Not shown because their tables are missing: {0}.', formatRelationCount(undrawnRelationCount))}`;
}

/** The labels of the badges of a table or column. */
export const getBadgeLabels = ({
  isCustom,
  isHidden,
  isSecured,
}: Pick<DiagramTable | DiagramColumn, 'isCustom' | 'isHidden' | 'isSecured'>): readonly string[] => [
  ...(isCustom ? [t('custom')] : []),
  ...(isHidden ? [t('hidden')] : []),
  ...(isSecured ? [t('secured')] : []),
];

/** The label of a table for screen readers, including its related tables. */
export function describeTable(table: DiagramTable, relatedNames: readonly string[]): string {
  return [
    t('Table {0}', table.name),
    ...getBadgeLabels(table),
    formatColumnCount(table.columns.length),
    relatedNames.length === 0 ? t('no relations') : t('related to {0}', relatedNames.join(', ')),
  ].join(', ');
}

/** Describes a relation by its columns: `Orders.Id = Items.Order Id`. */
export function describeRelation(
  { ends }: DiagramRelation,
  tables: ReadonlyMap<string, DiagramTable>,
): string {
  return ends
    .map(({ table, column }) => {
      const endTable = tables.get(table);
      const name = endTable?.columns.find(({ id }) => id === column)?.name ?? t('(missing column)');
      return `${endTable?.name ?? ''}.${name}`;
    })
    .join(' = ');
}
