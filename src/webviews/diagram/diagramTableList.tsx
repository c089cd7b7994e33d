import { useState } from 'preact/hooks';
import type { DiagramTable } from '../diagramLayout/diagramModel.ts';
import { t } from '../shared/t.ts';
import { type DiagramViewProps, isFileDiagram } from './diagramProps.ts';
import { TableActions } from './details.tsx';
import { formatColumnCount, getBadgeLabels, describeRelation } from './labels.ts';

interface DiagramTableListProps extends DiagramViewProps {
  readonly query: string;
  readonly selectedId: string | undefined;
}

/** The list view of the diagram: all tables that match the query, with their relations and columns when expanded. */
export function DiagramTableList(props: DiagramTableListProps) {
  const searchText = props.query.trim().toLocaleLowerCase();
  const matchesQuery = (name: string): boolean => name.toLocaleLowerCase().includes(searchText);
  const visibleTables = props.data.model.tables
    .filter(({ name, columns }) => matchesQuery(name) || columns.some((column) => matchesQuery(column.name)))
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  return (
    <div class="list">
      <ul>
        {visibleTables.map((table) => (
          <TableListItem key={table.id} {...props} table={table} />
        ))}
      </ul>
      {visibleTables.length === 0 ? <p class="muted">{t('No results')}</p> : null}
    </div>
  );
}

function TableListItem({
  table,
  data,
  host,
  tables,
  selectedId,
}: DiagramTableListProps & { readonly table: DiagramTable }) {
  const [isExpanded, setExpanded] = useState(table.id === selectedId);
  const relations = data.model.relations.filter(({ ends }) => ends.some((end) => end.table === table.id));
  return (
    <li>
      <details open={isExpanded} onToggle={({ currentTarget }) => setExpanded(currentTarget.open)}>
        <summary>
          {table.name}{' '}
          <span class="muted">
            {[...getBadgeLabels(table), formatColumnCount(table.columns.length), table.dataset].join(' · ')}
          </span>
        </summary>
        {isExpanded ? (
          <div class="listed">
            <TableActions {...{ host, table }} isReadOnly={isFileDiagram(data)} />
            {relations.length === 0 ? null : <h2>{t('Relations')}</h2>}
            <ul>
              {relations.map((relation) => (
                <li key={relation.id}>
                  <button
                    type="button"
                    class="link"
                    onClick={() => host.post({ type: 'openRelation', relation: relation.id })}
                  >
                    {describeRelation(relation, tables)}
                  </button>
                </li>
              ))}
            </ul>
            <h2>{t('Columns')}</h2>
            <ul>
              {table.columns.map((column) => (
                <li key={column.id}>
                  {column.name}{' '}
                  <span class="muted">
                    {[
                      column.type ?? '',
                      ...(column.isInRelation ? [t('key')] : []),
                      ...getBadgeLabels(column),
                    ]
                      .filter((label) => label !== '')
                      .join(' · ')}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        ) : null}
      </details>
    </li>
  );
}
