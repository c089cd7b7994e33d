import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { MatrixParty } from '../../security/matrix/ruleMatrix.ts';
import { t } from '../shared/t.ts';
import { useVirtualItems } from '../shared/useVirtualItems.ts';
import { CellEditor } from './cellEditor.tsx';
import { ColumnHeader } from './columnHeader.tsx';
import { getGridCellId } from './gridCell.tsx';
import { GridRow, type VisibleColumn } from './gridRow.tsx';
import { handleMatrixKey, startEditing } from './gridKeyboard.ts';
import { columnWidth, headerHeight, partyColumnWidth, rowHeight } from './gridMetrics.ts';
import type { MatrixModel, CellPosition } from './matrixModel.ts';
import { useClipboard } from './useClipboard.ts';

/** The grid of rules: parties as rows, columns of the datamodel as columns. The row of everyone else is sticky. */
export function RuleGrid({ model }: { readonly model: MatrixModel }): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const dragged = useRef(false);
  const { parties, columns } = model.visible.value;
  const { active } = model.selection.value;
  const rows = useVirtualItems(scroller, {
    // The row of everyone else is part of the sticky header.
    count: parties.length - 1,
    size: rowHeight,
    overscan: 4,
    head: headerHeight + rowHeight,
    keptIndex: active.row - 1,
  });
  const across = useVirtualItems(scroller, {
    count: columns.length,
    size: columnWidth,
    overscan: 1,
    head: partyColumnWidth,
    horizontal: true,
    keptIndex: active.column,
  });
  useRevealActiveCell(model, (place) => {
    if (place.row > 0) {
      rows.reveal(place.row - 1);
    }
    across.reveal(place.column);
  });
  useClipboard(model, scroller);
  // Returns the same array while the same columns are visible, so that unchanged rows are not rendered again.
  const places = across.items.map(({ index }) => index).join();
  const shownColumns = useMemo(
    () =>
      across.items.flatMap(({ index, start }): VisibleColumn[] => {
        const column = columns[index];
        return column === undefined ? [] : [{ index, start, column }];
      }),
    [places, columns],
  );
  const countPageRows = (): number =>
    Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 3);
  const getCellAt = (event: MouseEvent): CellPosition | undefined => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
    return cell === null
      ? undefined
      : { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) };
  };
  const { top, left, bottom, right } = model.block.value;
  const [changed, conflicts] = [model.changed.value, model.conflicts.value];
  const [ruled, groupRuled] = [model.cellsWithRules.value, model.groupCellsWithRules.value];
  const names = model.names.value;
  const renderRow = (party: MatrixParty, index: number, start: number): JSX.Element => {
    const isSelected = index >= top && index <= bottom;
    return (
      <GridRow
        key={party.key}
        {...{
          party,
          index,
          changed,
          conflicts,
          columnsWithRules: ruled,
          columnsWithGroupRules: groupRuled,
          names,
        }}
        groupIds={names.getGroups(party)}
        name={names.getName(party)}
        label={names.getNameWithType(party)}
        top={start}
        columns={shownColumns}
        width={across.totalSize}
        base={model.visible.value.base}
        draft={model.visible.value.draft}
        selectedFrom={isSelected ? left : 0}
        selectedTo={isSelected ? right : -1}
        active={active.row === index ? active.column : undefined}
      />
    );
  };
  const [first] = parties;
  return (
    <div
      class="grid"
      ref={scroller}
      onKeyDown={(event) => {
        if (model.editing.value === undefined) {
          handleMatrixKey(model, event, countPageRows());
        }
      }}
      onMouseDown={(event) => {
        const place = getCellAt(event);
        if (place !== undefined && event.button === 0) {
          model.select(place, event.shiftKey ? model.selection.value.anchor : place);
          model.wantsFocus = true;
          dragged.current = true;
        }
      }}
      onMouseMove={(event) => {
        const place = dragged.current && event.buttons === 1 ? getCellAt(event) : undefined;
        if (place !== undefined) {
          model.select(place, model.selection.value.anchor);
        }
      }}
      onDblClick={(event) => {
        if (getCellAt(event) !== undefined) {
          startEditing(model);
        }
      }}
      onMouseUp={() => {
        dragged.current = false;
      }}
    >
      <div
        role="grid"
        aria-label={t('Rules: parties down, columns across')}
        aria-multiselectable="true"
        aria-rowcount={parties.length + 1}
        aria-colcount={columns.length + 1}
        aria-busy={model.isBusy.value}
        class="grid-inner"
        style={{ width: `${across.totalSize}px`, height: `${rows.totalSize}px` }}
      >
        <div role="rowgroup" class="grid-head" style={{ width: `${across.totalSize}px` }}>
          <div role="row" aria-rowindex={1} class="grid-row" style={{ height: `${headerHeight}px` }}>
            <span role="columnheader" aria-colindex={1} class="grid-party">
              {t('Party')}
            </span>
            {shownColumns.map(({ index, start, column }) => (
              <ColumnHeader key={column.key} {...{ model, column, index, start }} />
            ))}
          </div>
          {first === undefined ? null : renderRow(first, 0, headerHeight)}
        </div>
        <div role="rowgroup">
          {rows.items.map(({ index, start }) => {
            const party = parties[index + 1];
            return party === undefined ? null : renderRow(party, index + 1, start);
          })}
        </div>
      </div>
      {model.editing.value === undefined ? null : (
        <CellEditor
          key={`${active.row} ${active.column}`}
          model={model}
          style={{
            left: `${partyColumnWidth + active.column * columnWidth}px`,
            // The row of everyone else is sticky, so its position depends on the scroll position.
            top: `${headerHeight + (active.row === 0 ? (scroller.current?.scrollTop ?? 0) : active.row * rowHeight)}px`,
            minWidth: `${columnWidth}px`,
          }}
        />
      )}
    </div>
  );
}

/** Scrolls the active cell into view when it changes, and focuses it if `shouldFocusGrid` is set. */
function useRevealActiveCell(model: MatrixModel, reveal: (place: CellPosition) => void): void {
  const { active } = model.selection.value;
  useEffect(() => reveal(active), [active.row, active.column]);
  useLayoutEffect(() => {
    // The cell may not be rendered yet; it is then focused after a later render.
    const cell = document.getElementById(getGridCellId(active.row, active.column));
    if (model.wantsFocus && model.editing.value === undefined && cell !== null) {
      model.wantsFocus = false;
      cell.focus({ preventScroll: true });
    }
  });
}
