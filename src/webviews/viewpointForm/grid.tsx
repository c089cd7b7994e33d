import { useComputed, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { FormProblem } from '../protocol/documentForm.ts';
import type { ColumnFields } from '../../viewpoints/form/readViewpoint.ts';
import { columnFlags } from '../../viewpoints/form/viewpointEdit.ts';
import { Icon } from '../shared/controls/fields.tsx';
import { gridScrollerAttributes } from '../shared/gridScroller.ts';
import { memo } from '../shared/memo.ts';
import { t } from '../shared/t.ts';
import { useVirtualRows } from '../shared/useVirtualRows.ts';
import { describeFilter, flagLabels } from './describeFilter.ts';
import type { ViewpointFormModel } from './viewpointFormModel.ts';
import { handleColumnGridKey } from './gridKeyboard.ts';
import { type DropMark, useRowDrag } from './useRowDrag.ts';
import { selectOne, selectRange, toggleColumn } from './columnSelection.ts';

const rowHeight = 26;

/** The grid of the viewpoint's columns, one per row. Only the visible rows are rendered. */
export function ColumnGrid({ form }: { readonly form: ViewpointFormModel }): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const columnIndexes = form.matchingIndexes.value;
  const rows = useVirtualRows(scroller, columnIndexes.length, rowHeight);
  const active = useComputed(() => form.selection.value.activeIndex);
  useSignalEffect(() => {
    const rowIndex = active.value === undefined ? -1 : form.matchingIndexes.peek().indexOf(active.value);
    if (rowIndex >= 0) {
      rows.reveal(rowIndex);
    }
  });
  const drag = useRowDrag(form, scroller, rowHeight);
  const selection = form.selection.value;
  const focusTitle = (): void => document.getElementById('column-title')?.focus();
  const handlers = useMemo<RowHandlers>(
    () => ({
      startDrag: (event, columnIndex) => drag.start(event, columnIndex),
      select: (event, columnIndex) => handleRowClick(form, columnIndex, event),
      open: focusTitle,
    }),
    [form],
  );
  const [aggregation, level, sort, filter, flags] = [
    t('Aggregation'),
    t('Level'),
    t('Sort'),
    t('Filter'),
    t('Flags'),
  ];
  return (
    <div
      class="grid"
      role="grid"
      // In some languages, the headers of narrow columns need more space than the values.
      style={{
        '--aggregation-length': aggregation.length,
        '--level-length': level.length,
        '--sort-length': sort.length,
        '--filter-length': filter.length,
        '--flags-length': flags.length,
      }}
      aria-label={t('Columns')}
      aria-multiselectable="true"
      aria-rowcount={columnIndexes.length + 1}
      aria-colcount={7}
      aria-readonly={form.page.isLocked.value}
      aria-activedescendant={active.value === undefined ? undefined : getRowId(active.value)}
      tabIndex={0}
      onKeyDown={(event) => handleColumnGridKey(form, event, focusTitle)}
    >
      <div class="grid-head" role="row" aria-rowindex={1}>
        <ColumnHeader class="cell-title" label={t('Title')} />
        <ColumnHeader class="cell-source" label={t('Column')} />
        <ColumnHeader class="cell-short" label={aggregation} />
        <ColumnHeader class="cell-short" label={level} />
        <ColumnHeader class="cell-short" label={sort} />
        <ColumnHeader class="cell-filter" label={filter} />
        <ColumnHeader class="cell-flags" label={flags} />
      </div>
      <div class="grid-body" role="rowgroup" ref={scroller} {...gridScrollerAttributes}>
        <div class="grid-space" role="presentation" style={{ height: `${rows.totalSize}px` }}>
          {rows.items.map(({ index, start }) => {
            const columnIndex = columnIndexes[index];
            const problems =
              columnIndex === undefined ? undefined : form.problemsByColumn.value.get(columnIndex);
            return columnIndex === undefined ? null : (
              <ColumnRow
                key={columnIndex}
                column={form.getColumn(columnIndex)}
                columnIndex={columnIndex}
                index={index}
                top={start}
                isSelected={selection.selectedIndexes.has(columnIndex)}
                isActive={selection.activeIndex === columnIndex}
                problem={problems?.find(({ severity }) => severity === 'error') ?? problems?.[0]}
                dropMark={drag.getDropMark(columnIndex)}
                handlers={handlers}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

export const getRowId = (columnIndex: number): string => `column-${columnIndex}`;

interface RowProps {
  readonly column: ColumnFields;
  readonly columnIndex: number;
  readonly index: number;
  readonly top: number;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly problem: FormProblem | undefined;
  readonly dropMark: DropMark | undefined;
  readonly handlers: RowHandlers;
}

interface RowHandlers {
  startDrag(event: PointerEvent, columnIndex: number): void;
  select(event: MouseEvent, columnIndex: number): void;
  open(): void;
}

/** The row of a column. */
const ColumnRow = memo(function Row(props: RowProps): JSX.Element {
  const { columnIndex, isSelected, isActive, problem, handlers } = props;
  const { table, column, texts, flags, filter, isDate, isUnsupported } = props.column;
  const title = texts.title.value || column || t('(no title)');
  const classes = [
    'grid-row',
    ...(isSelected ? ['chosen'] : []),
    ...(isActive ? ['active'] : []),
    ...(props.dropMark === undefined ? [] : [`drop-${props.dropMark}`]),
  ];
  return (
    <div
      class={classes.join(' ')}
      id={getRowId(columnIndex)}
      role="row"
      aria-rowindex={props.index + 2}
      aria-selected={isSelected}
      style={{ transform: `translateY(${props.top}px)`, height: `${rowHeight}px` }}
      onPointerDown={(event) => handlers.startDrag(event, columnIndex)}
      onClick={(event) => handlers.select(event, columnIndex)}
      onDblClick={() => handlers.open()}
    >
      <span role="gridcell" class="cell-title">
        <span class="grip" aria-hidden="true">
          <Icon name="gripper" />
        </span>
        {problem === undefined ? (
          <Icon
            name={isDate ? 'calendar' : texts.datatype.value === 'text' ? 'symbol-string' : 'symbol-number'}
            className="type"
          />
        ) : (
          <>
            <Icon
              name={problem.severity === 'information' ? 'info' : problem.severity}
              className={problem.severity}
            />
            <span class="sr-only">{problem.message}</span>
          </>
        )}
        <span class="text" title={problem?.message ?? title}>
          {isUnsupported ? t('(not a column)') : title}
        </span>
      </span>
      <span role="gridcell" class="cell-source" title={`${table}.${column}`}>
        <span class="table-name">{table}</span>
        <span class="dot">.</span>
        <span class="text">{column}</span>
      </span>
      <span role="gridcell" class="cell-short">
        {texts.agg.value}
      </span>
      <span role="gridcell" class="cell-short">
        {texts.level.value}
      </span>
      <span role="gridcell" class="cell-short">
        {getSortLabel(texts.sort.value)}
      </span>
      <span role="gridcell" class="cell-filter" title={describeFilter(filter)}>
        <span class="text">{describeFilter(filter)}</span>
      </span>
      <span role="gridcell" class="cell-flags">
        {columnFlags
          .filter((flag) => flags.has(flag))
          .map((flag) => (
            <span key={flag} title={flagLabels[flag].label()}>
              <Icon name={flagLabels[flag].icon} />
              <span class="sr-only">{flagLabels[flag].label()}</span>
            </span>
          ))}
      </span>
    </div>
  );
});

function getSortLabel(sort: string): string {
  return sort === 'asc' ? t('ascending') : sort === 'desc' ? t('descending') : sort;
}

function handleRowClick(form: ViewpointFormModel, columnIndex: number, event: MouseEvent): void {
  form.select(
    event.shiftKey
      ? selectRange(form.selection.value, columnIndex, form.matchingIndexes.value)
      : event.ctrlKey || event.metaKey
        ? toggleColumn(form.selection.value, columnIndex)
        : selectOne(columnIndex),
  );
}

/** The header of a grid column. The label is also the tooltip, in case it is truncated. */
const ColumnHeader = (props: { readonly class: string; readonly label: string }) => (
  <span role="columnheader" class={props.class} title={props.label}>
    {props.label}
  </span>
);
