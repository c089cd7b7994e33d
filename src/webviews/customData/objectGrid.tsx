import { useId, useMemo, useRef, useState } from 'preact/hooks';
import type { JsonValue } from '../../base/json.ts';
import {
  formatCell,
  defaultColumnCount,
  getObjectId,
  getResultColumns,
} from '../../catalog/customData/resultTable.ts';
import { t } from '../shared/t.ts';
import { useVirtualRows } from '../shared/useVirtualRows.ts';
import { getNextRow } from './gridKeys.ts';

const rowHeight = 26;
/** The maximum number of columns to display; more would make the layout slow. */
const maxColumns = 60;

interface ObjectGridProps {
  readonly objects: readonly JsonValue[];
  readonly openObject: (object: JsonValue) => void;
}

/** The object that the user moved to, and the index of its row then; without a move, the first row is active. */
interface ActiveObject {
  readonly index: number;
  readonly objectId: string | undefined;
}

/** Returns the row of the active object, whose index changes when others are found; its former row if it is gone. */
function findActiveRow(objects: readonly JsonValue[], { index, objectId }: ActiveObject): number {
  const row = objectId === undefined ? -1 : objects.findIndex((object) => getObjectId(object) === objectId);
  return row === -1 ? Math.min(index, objects.length - 1) : row;
}

/** A grid of objects, with their keys as columns. Only the visible rows are rendered. */
export function ObjectGrid({ objects, openObject }: ObjectGridProps) {
  const id = useId();
  const allColumns = useMemo(() => getResultColumns(objects), [objects]);
  const [selectedColumns, setSelectedColumns] = useState<ReadonlySet<string>>();
  const visibleColumns = allColumns.filter((name, index) =>
    selectedColumns === undefined ? index < defaultColumnCount : selectedColumns.has(name),
  );
  const [active, setActive] = useState<ActiveObject>({ index: 0, objectId: undefined });
  const activeRow = useMemo(() => findActiveRow(objects, active), [objects, active]);
  const activateRow = (index: number): void =>
    setActive({ index, objectId: getObjectId(objects[index] ?? null) });
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualRows(scroller, objects.length, rowHeight);
  const gridTemplateColumns = `repeat(${Math.max(1, visibleColumns.length)}, minmax(140px, 1fr))`;
  const minWidth = `${Math.max(1, visibleColumns.length) * 152}px`;
  const onKeyDown = (event: KeyboardEvent): void => {
    const object = objects[activeRow];
    if (event.key === 'Enter' && object !== undefined) {
      openObject(object);
    } else {
      const nextRow = getNextRow(event.key, activeRow, objects.length);
      if (nextRow === undefined) {
        return;
      }
      activateRow(nextRow);
      rows.reveal(nextRow);
    }
    event.preventDefault();
  };
  if (objects.length === 0) {
    return null;
  }
  return (
    <section class="results" aria-label={t('Objects')}>
      {allColumns.length <= 1 ? null : (
        <details class="columns">
          <summary>{t('{0} of {1} keys shown as columns', visibleColumns.length, allColumns.length)}</summary>
          <div class="column-list">
            {allColumns.slice(0, 500).map((name) => (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={visibleColumns.includes(name)}
                  disabled={!visibleColumns.includes(name) && visibleColumns.length >= maxColumns}
                  onChange={({ currentTarget }) => {
                    const nextColumns = new Set(visibleColumns);
                    if (currentTarget.checked) {
                      nextColumns.add(name);
                    } else {
                      nextColumns.delete(name);
                    }
                    setSelectedColumns(nextColumns);
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
        aria-colcount={visibleColumns.length}
        aria-activedescendant={`${id}-${activeRow}`}
        tabIndex={0}
        ref={scroller}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" class="long-table-head" style={{ minWidth }}>
          <div role="row" class="long-table-row" aria-rowindex={1} style={{ gridTemplateColumns }}>
            {visibleColumns.map((name) => (
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
                aria-selected={index === activeRow}
                style={{ transform: `translateY(${start}px)`, gridTemplateColumns }}
                onClick={() => activateRow(index)}
                onDblClick={() => openObject(object)}
              >
                {visibleColumns.map((name) => {
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
      <p class="muted hint">{t('Press Enter or double-click to open the object as a document.')}</p>
    </section>
  );
}
