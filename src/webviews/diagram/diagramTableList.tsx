import { useState } from 'preact/hooks';
import type { DiagramTable } from '../diagramLayout/diagramModel.ts';
import { t } from '../shared/t.ts';
import type { DiagramViewProps } from './diagramView.ts';
import { TableActions } from './details.tsx';
import { formatColumnCount, getMarkLabels, describeRelation } from './labels.ts';

interface DiagramTableListProps extends DiagramViewProps {
  readonly query: string;
  readonly chosen: string | undefined;
}

/** The list view of the diagram: all tables that match the query, with their relations and columns when expanded. */
export function DiagramTableList(props: DiagramTableListProps) {
  const text = props.query.trim().toLocaleLowerCase();
  const matchesQuery = (name: string): boolean => name.toLocaleLowerCase().includes(text);
  const listed = props.data.model.tables
    .filter(({ name, columns }) => matchesQuery(name) || columns.some((column) => matchesQuery(column.name)))
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  return (
    <div class="list">
      <ul>
        {listed.map((table) => (
          <TableListItem key={table.id} {...props} table={table} />
        ))}
      </ul>
      {listed.length === 0 ? <p class="muted">{t('Nothing found')}</p> : null}
    </div>
  );
}

function TableListItem({
  table,
  data,
  host,
  tables,
  chosen,
}: DiagramTableListProps & { readonly table: DiagramTable }) {
  const [isOpen, setOpen] = useState(table.id === chosen);
  const relations = data.model.relations.filter(({ ends }) => ends.some((end) => end.table === table.id));
  return (
    <li>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          {table.name}{' '}
          <span class="muted">
            {[...getMarkLabels(table), formatColumnCount(table.columns.length), table.dataset].join(' · ')}
          </span>
        </summary>
        {isOpen ? (
          <div class="listed">
            <TableActions {...{ host, table }} />
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
                    {[column.type ?? '', ...(column.isKey ? [t('key')] : []), ...getMarkLabels(column)]
                      .filter((word) => word !== '')
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
