import { useState } from 'preact/hooks';
import type { DiagramTable } from '../diagramLayout/diagramModel.ts';
import { t } from '../shared/t.ts';
import type { DiagramView } from './view.ts';
import { TableActions } from './details.tsx';
import { columnCount, marks, relationWords } from './words.ts';

interface TableListProps extends DiagramView {
  readonly query: string;
  readonly chosen: string | undefined;
}

/** The picture as text: every table with its columns and relations, those that are not asked about closed. */
export function TableList(props: TableListProps) {
  const text = props.query.trim().toLocaleLowerCase();
  const holds = (name: string): boolean => name.toLocaleLowerCase().includes(text);
  const listed = props.data.model.tables
    .filter(({ name, columns }) => holds(name) || columns.some((column) => holds(column.name)))
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  return (
    <div class="list">
      <ul>
        {listed.map((table) => (
          <Item key={table.id} {...props} table={table} />
        ))}
      </ul>
      {listed.length === 0 ? <p class="muted">{t('Nothing found')}</p> : null}
    </div>
  );
}

function Item({ table, data, host, tables, chosen }: TableListProps & { readonly table: DiagramTable }) {
  const [isOpen, setOpen] = useState(table.id === chosen);
  const relations = data.model.relations.filter(({ ends }) => ends.some((end) => end.table === table.id));
  return (
    <li>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          {table.name}{' '}
          <span class="muted">
            {[...marks(table), columnCount(table.columns.length), table.dataset].join(' · ')}
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
                    {relationWords(relation, tables)}
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
                    {[column.type ?? '', ...(column.isKey ? [t('key')] : []), ...marks(column)]
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
