import { useId, useMemo, useRef, useState } from 'preact/hooks';
import type { JsonValue } from '../../base/json.ts';
import { formatCell, defaultColumnCount, getResultColumns } from '../../catalog/customData/resultTable.ts';
import { t } from '../shared/t.ts';
import { useVirtualRows } from '../shared/useVirtualRows.ts';
import { getNextRow } from './gridKeys.ts';

const rowHeight = 26;
/** The maximum number of columns to display; more would make the layout slow. */
const maxColumns = 60;

interface ObjectGridProps {
  readonly objects: readonly JsonValue[];
  readonly open: (object: JsonValue) => void;
}

/** A grid of objects, with their keys as columns. Only the visible rows are rendered. */
export function ObjectGrid({ objects, open }: ObjectGridProps) {
  const id = useId();
  const all = useMemo(() => getResultColumns(objects), [objects]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const shown = all.filter((name, index) =>
    chosen === undefined ? index < defaultColumnCount : chosen.has(name),
  );
  const [at, setAt] = useState(0);
  const row = Math.min(at, objects.length - 1);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualRows(scroller, objects.length, rowHeight);
  const template = `repeat(${Math.max(1, shown.length)}, minmax(140px, 1fr))`;
  const minWidth = `${Math.max(1, shown.length) * 152}px`;
  const onKeyDown = (event: KeyboardEvent): void => {
    const object = objects[row];
    if (event.key === 'Enter' && object !== undefined) {
      open(object);
    } else {
      const next = getNextRow(event.key, row, objects.length);
      if (next === undefined) {
        return;
      }
      setAt(next);
      rows.reveal(next);
    }
    event.preventDefault();
  };
  if (objects.length === 0) {
    return null;
  }
  return (
    <section class="results" aria-label={t('Objects')}>
      {all.length <= 1 ? null : (
        <details class="columns">
          <summary>{t('{0} of {1} keys as columns', shown.length, all.length)}</summary>
          <div class="column-list">
            {all.slice(0, 500).map((name) => (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={shown.includes(name)}
                  disabled={!shown.includes(name) && shown.length >= maxColumns}
                  onChange={({ currentTarget }) => {
                    const next = new Set(shown);
                    if (currentTarget.checked) {
                      next.add(name);
                    } else {
                      next.delete(name);
                    }
                    setChosen(next);
                  }}
                />
                {name}
              </label>
            ))}
          </div>
        </details>
      )}
      <div
        class="long-table"
        role="grid"
        aria-label={t('Objects')}
        aria-rowcount={objects.length + 1}
        aria-colcount={shown.length}
        aria-activedescendant={`${id}-${row}`}
        tabIndex={0}
        ref={scroller}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" class="long-table-head" style={{ minWidth }}>
          <div role="row" class="long-table-row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
            {shown.map((name) => (
              <span role="columnheader" key={name} title={name}>
                {name}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" class="long-table-body" style={{ height: `${rows.totalSize}px`, minWidth }}>
          {rows.items.map(({ index, start }) => {
            const object = objects[index];
            return object === undefined ? null : (
              <div
                role="row"
                class="long-table-row"
                key={index}
                id={`${id}-${index}`}
                aria-rowindex={index + 2}
                aria-selected={index === row}
                style={{ transform: `translateY(${start}px)`, gridTemplateColumns: template }}
                onClick={() => setAt(index)}
                onDblClick={() => open(object)}
              >
                {shown.map((name) => {
                  const text = formatCell(object, name);
                  return (
                    <span role="gridcell" key={name} title={text} class={text === undefined ? 'muted' : ''}>
                      {text ?? '–'}
                    </span>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
      <p class="muted hint">{t('Enter or a double click opens the object as a document.')}</p>
    </section>
  );
}
