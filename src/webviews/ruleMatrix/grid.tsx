import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { getCellKey, type MatrixParty } from '../../security/matrix/ruleMatrix.ts';
import { t } from '../shared/t.ts';
import { useVirtualItems } from '../shared/useVirtualItems.ts';
import { CellEditor } from './cellEditor.tsx';
import { ColumnHeader } from './columnHeader.tsx';
import { getGridCellId } from './gridCell.tsx';
import { GridRow, type VisibleColumn } from './gridRow.tsx';
import { handleMatrixKey, startEditing } from './gridKeyboard.ts';
import { columnWidth, headerHeight, partyColumnWidth, rowHeight } from './gridMetrics.ts';
import type { MatrixModel } from './matrixModel.ts';
import type { CellPosition } from './selectedCell.ts';
import { useClipboard } from './useClipboard.ts';

/** The grid of rules: parties as rows, columns of the datamodel as columns. The row of everyone else is sticky. */
export function RuleGrid({ model }: { readonly model: MatrixModel }): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const isDragging = useRef(false);
  const { parties, columns } = model.visibleMatrix.value;
  const { active } = model.selection.value;
  const rowItems = useVirtualItems(scroller, {
    // The row of everyone else is part of the sticky header.
    count: parties.length - 1,
    size: rowHeight,
    overscan: 4,
    headerSize: headerHeight + rowHeight,
    keptIndex: active.row - 1,
  });
  const columnItems = useVirtualItems(scroller, {
    count: columns.length,
    size: columnWidth,
    overscan: 1,
    headerSize: partyColumnWidth,
    horizontal: true,
    keptIndex: active.column,
  });
  useRevealActiveCell(model, (position) => {
    if (position.row > 0) {
      rowItems.reveal(position.row - 1);
    }
    columnItems.reveal(position.column);
  });
  useClipboard(model, scroller);
  // Returns the same array while the same columns are visible, so that unchanged rows are not rendered again.
  const visibleColumnIndexes = columnItems.items.map(({ index }) => index).join();
  const visibleColumns = useMemo(
    () =>
      columnItems.items.flatMap(({ index, start }): VisibleColumn[] => {
        const column = columns[index];
        return column === undefined ? [] : [{ index, left: start, column }];
      }),
    [visibleColumnIndexes, columns],
  );
  // Page Up and Page Down move by the visible rows, except the two rows of the sticky header and one row of overlap.
  const countPageRows = (): number =>
    Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 3);
  const getCellAt = (event: MouseEvent): CellPosition | undefined => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
    return cell === null
      ? undefined
      : { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) };
  };
  /** Accepts the typed text before another cell is selected. Returns false if it is invalid: its editor stays open. */
  const finishEditing = (): boolean => {
    const field = scroller.current?.querySelector('textarea');
    field?.blur();
    if (model.activeEdit.value === undefined) {
      return true;
    }
    field?.focus();
    return false;
  };
  const { top, left, bottom, right } = model.selectedBlock.value;
  const [changedKeys, conflictingKeys] = [model.changedCellKeys.value, model.conflictingCellKeys.value];
  const [columnsWithRules, columnsWithGroupRules] = [
    model.columnsWithRules.value,
    model.columnsWithGroupRules.value,
  ];
  const partyDirectory = model.partyDirectory.value;
  const cellProblems = model.cellProblems.value;
  const renderRow = (party: MatrixParty, index: number, start: number): JSX.Element => {
    const isSelected = index >= top && index <= bottom;
    return (
      <GridRow
        key={party.key}
        {...{
          party,
          index,
          changedCellKeys: changedKeys,
          conflictingCellKeys: conflictingKeys,
          cellProblems,
          columnsWithRules,
          columnsWithGroupRules,
          partyDirectory,
        }}
        groupIds={partyDirectory.getGroupIds(party)}
        name={partyDirectory.getName(party)}
        label={partyDirectory.getNameWithType(party)}
        top={start}
        columns={visibleColumns}
        width={columnItems.totalSize}
        savedMatrix={model.visibleMatrix.value.savedMatrix}
        draft={model.visibleMatrix.value.draft}
        firstSelectedColumn={isSelected ? left : 0}
        lastSelectedColumn={isSelected ? right : -1}
        activeColumn={active.row === index ? active.column : undefined}
      />
    );
  };
  const [everyoneElse] = parties;
  return (
    <div
      class="grid"
      ref={scroller}
      onKeyDown={(event) => {
        if (model.activeEdit.value === undefined) {
          handleMatrixKey(model, event, countPageRows());
        }
      }}
      onMouseDown={(event) => {
        const position = getCellAt(event);
        if (position !== undefined && event.button === 0) {
          if (!finishEditing()) {
            event.preventDefault();
            return;
          }
          model.select(position, event.shiftKey ? model.selection.value.anchor : position);
          model.shouldFocusGrid = true;
          isDragging.current = true;
        }
      }}
      onMouseMove={(event) => {
        const position = isDragging.current && event.buttons === 1 ? getCellAt(event) : undefined;
        if (position !== undefined) {
          model.select(position, model.selection.value.anchor);
        }
      }}
      onDblClick={(event) => {
        if (getCellAt(event) !== undefined) {
          startEditing(model);
        }
      }}
      onMouseUp={() => {
        isDragging.current = false;
      }}
    >
      <div
        role="grid"
        aria-label={t('Rules by user or group and column')}
        aria-multiselectable="true"
        aria-rowcount={parties.length + 1}
        aria-colcount={columns.length + 1}
        aria-busy={model.isBusy.value}
        aria-readonly={model.readOnlyReason.value !== undefined}
        class="grid-inner"
        style={{ width: `${columnItems.totalSize}px`, height: `${rowItems.totalSize}px` }}
      >
        <div role="rowgroup" class="grid-head" style={{ width: `${columnItems.totalSize}px` }}>
          <div role="row" aria-rowindex={1} class="grid-row" style={{ height: `${headerHeight}px` }}>
            <span role="columnheader" aria-colindex={1} class="grid-party">
              {t('User or group')}
            </span>
            {visibleColumns.map(({ index, left, column }) => (
              <ColumnHeader key={column.key} {...{ model, column, index, left }} />
            ))}
          </div>
          {everyoneElse === undefined ? null : renderRow(everyoneElse, 0, headerHeight)}
        </div>
        <div role="rowgroup">
          {rowItems.items.map(({ index, start }) => {
            const party = parties[index + 1];
            return party === undefined ? null : renderRow(party, index + 1, start);
          })}
        </div>
      </div>
      {model.activeEdit.value === undefined ? null : (
        <CellEditor
          key={getCellKey(parties[active.row]?.key ?? '', columns[active.column]?.key ?? '')}
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

/**
 * Scrolls the active cell into view when it changes, and focuses it if `shouldFocusGrid` is set or its row was moved.
 */
function useRevealActiveCell(model: MatrixModel, reveal: (position: CellPosition) => void): void {
  const { active } = model.selection.value;
  // An element that is moved in the document loses the focus.
  const hadFocus = document.activeElement?.getAttribute('role') === 'gridcell';
  useEffect(() => reveal(active), [active.row, active.column]);
  useLayoutEffect(() => {
    const mustFocus = model.shouldFocusGrid || (hadFocus && document.activeElement === document.body);
    // The cell may not be rendered yet; it is then focused after a later render.
    const cell = document.getElementById(getGridCellId(active.row, active.column));
    if (mustFocus && model.activeEdit.value === undefined && cell !== null) {
      model.shouldFocusGrid = false;
      cell.focus({ preventScroll: true });
    }
  });
}
