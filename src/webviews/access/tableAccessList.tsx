import { useState } from 'preact/hooks';
import type { TableVerdict } from '../../security/tableAccess.ts';
import { t } from '../shared/t.ts';
import type { AccessFormatter } from './accessFormatter.ts';
import { ShowMore, initialRowCount } from './showMore.tsx';
import { SidesTable } from './sidesTable.tsx';
import type { AccessView, TableAccessRow } from './accessView.ts';
import type { AccessState } from './state.ts';

interface TableAccessListProps {
  readonly view: AccessView;
  readonly state: AccessState;
  readonly sentences: AccessFormatter;
}

const icons: Readonly<Record<TableVerdict, string>> = {
  all: 'pass',
  some: 'filter',
  none: 'circle-slash',
  ambiguous: 'question',
};

/** The tables of the datamodel, with the rows that each side sees, and the restrictions through relations. */
export function TableAccessList({ view, state, sentences }: TableAccessListProps) {
  const [most, setMost] = useState(initialRowCount);
  const onlyDifferences = state.onlyDifferences && view.sides.length > 1;
  const lines = view.tables.filter((line) => isVisible(line, state) && (!onlyDifferences || line.differs));
  if (view.tables.length === 0) {
    return null;
  }
  return (
    <section aria-labelledby="tables">
      <h2 id="tables">{t('Tables')}</h2>
      <p class="muted">
        {t('Rules on one table also narrow every table that relations lead to from there.')}
      </p>
      {lines.length === 0 ? (
        <p class="muted">{t('No table matches.')}</p>
      ) : (
        <SidesTable subject={t('Table')} {...{ view, sentences }}>
          {lines.slice(0, most).map((line) => (
            <tr key={line.table} class={line.differs ? 'differs' : ''}>
              <th scope="row">
                {line.table}
                {line.differs ? <span class="sr-only">{t('(differs)')}</span> : null}
              </th>
              {line.cells.map((cell, index) => (
                <td key={`${index} ${cell.verdict}`}>
                  <p class={`verdict ${cell.verdict}`}>
                    <span class={`codicon codicon-${icons[cell.verdict]}`} aria-hidden="true" />{' '}
                    {sentences.formatTable(cell)}
                  </p>
                  {cell.columns.length === 0 ? null : (
                    <ul class="because" aria-label={t('Why')}>
                      {sentences.formatRestrictions(cell).map((condition) => (
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
      <ShowMore count={lines.length} most={most} show={setMost} />
    </section>
  );
}

function isVisible({ table }: TableAccessRow, { filter }: AccessState): boolean {
  // The filter may be `Table.Column`; the part before the dot is the table.
  const wanted = filter.trim().toLowerCase();
  const name = table.toLowerCase();
  return name.includes(wanted) || wanted.startsWith(`${name}.`);
}
