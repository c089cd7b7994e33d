import { useState } from 'preact/hooks';
import type { TableVerdict } from '../../security/tableAccess.ts';
import { t } from '../shared/t.ts';
import type { AccessFormatter } from './accessFormatter.ts';
import { initialRowCount } from './initialRowCount.ts';
import { ShowMore } from './showMore.tsx';
import { SidesTable } from './sidesTable.tsx';
import type { AccessView, TableAccessRow } from './accessView.ts';
import type { AccessPageState } from './state.ts';

interface TableAccessListProps {
  readonly view: AccessView;
  readonly state: AccessPageState;
  readonly formatter: AccessFormatter;
}

const icons: Readonly<Record<TableVerdict, string>> = {
  all: 'pass',
  some: 'filter',
  none: 'circle-slash',
  ambiguous: 'question',
};

/** The tables of the datamodel, with the rows that each side sees, and the restrictions through relations. */
export function TableAccessList({ view, state, formatter }: TableAccessListProps) {
  const [maxRows, setMaxRows] = useState(initialRowCount);
  const showsOnlyDifferences = state.onlyDifferences && view.sides.length > 1;
  const rows = view.tables.filter(
    (row) => matchesFilter(row, state) && (!showsOnlyDifferences || row.isDifferent),
  );
  if (view.tables.length === 0) {
    return null;
  }
  return (
    <section aria-labelledby="tables">
      <h2 id="tables">{t('Tables')}</h2>
      <p class="muted">{t('Rules on a table also restrict the tables that its relations lead to.')}</p>
      <p class="muted" role="status">
        {rows.length === view.tables.length
          ? ''
          : rows.length === 0
            ? t('No matching tables.')
            : t('{0} of {1} tables', rows.length, view.tables.length)}
      </p>
      {rows.length === 0 ? null : (
        <SidesTable rowHeading={t('Table')} {...{ view, formatter }}>
          {rows.slice(0, maxRows).map((row) => (
            <tr key={row.table} class={row.isDifferent ? 'differs' : ''}>
              <th scope="row">
                {row.table}
                {row.isDifferent ? <span class="sr-only">{t('(different)')}</span> : null}
              </th>
              {row.cells.map((cell, index) => (
                <td key={`${index} ${cell.verdict}`}>
                  <p class={`verdict ${cell.verdict}`}>
                    <span class={`codicon codicon-${icons[cell.verdict]}`} aria-hidden="true" />{' '}
                    {formatter.formatTable(cell)}
                  </p>
                  {cell.columns.length === 0 ? null : (
                    <ul class="reasons" aria-label={t('Why')}>
                      {formatter.formatRestrictions(cell).map((condition) => (
                        <li key={condition}>{condition}</li>
                      ))}
                    </ul>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </SidesTable>
      )}
      <ShowMore count={rows.length} maxRows={maxRows} setMaxRows={setMaxRows} />
    </section>
  );
}

function matchesFilter({ table }: TableAccessRow, { filter }: AccessPageState): boolean {
  // The filter may be `Table.Column`; the part before the dot is the table.
  const filterText = filter.trim().toLowerCase();
  const name = table.toLowerCase();
  return name.includes(filterText) || filterText.startsWith(`${name}.`);
}
