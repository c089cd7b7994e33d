import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { trackSelectedColumns } from '../../viewpoints/form/trackColumns.ts';
import type { ViewpointFormModel } from './viewpointFormModel.ts';
import { moveColumnsTo } from './columnActions.ts';

/** Whether dragged rows would be dropped before or after the row that shows the mark. */
export type DropMark = 'before' | 'after';

/** The distance in pixels that the pointer must move before a press becomes a drag. */
const dragThreshold = 4;
/** The distance in pixels from the top and bottom edges at which the list scrolls automatically. */
const scrollEdge = 24;

/** Lets the user move columns by dragging their rows; Escape cancels. */
export function useRowDrag(
  form: ViewpointFormModel,
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
): {
  start(event: PointerEvent, columnIndex: number): void;
  getDropMark(columnIndex: number): DropMark | undefined;
} {
  const drag = useMemo(() => new RowDragController(form, scroller, rowHeight), [form, scroller, rowHeight]);
  useEffect(() => () => drag.end(), [drag]);
  return {
    start: (event, columnIndex) => drag.start(event, columnIndex),
    getDropMark: (columnIndex) => drag.getDropMark(columnIndex),
  };
}

class RowDragController {
  readonly #form: ViewpointFormModel;
  readonly #scroller: RefObject<HTMLElement | null>;
  readonly #rowHeight: number;
  /** The row to drop before, as a position in the matching columns; `undefined` if nothing is being dragged. */
  readonly #dropIndex = signal<number | undefined>(undefined);
  #abortController: AbortController | undefined;

  constructor(form: ViewpointFormModel, scroller: RefObject<HTMLElement | null>, rowHeight: number) {
    this.#form = form;
    this.#scroller = scroller;
    this.#rowHeight = rowHeight;
  }

  getDropMark(columnIndex: number): DropMark | undefined {
    const dropIndex = this.#dropIndex.value;
    const matchingIndexes = this.#form.matchingIndexes.value;
    if (dropIndex === undefined) {
      return undefined;
    }
    if (matchingIndexes[dropIndex] === columnIndex) {
      return 'before';
    }
    return dropIndex === matchingIndexes.length && matchingIndexes.at(-1) === columnIndex
      ? 'after'
      : undefined;
  }

  start(event: PointerEvent, columnIndex: number): void {
    if (event.button !== 0 || this.#form.page.isLocked.value) {
      return;
    }
    this.end();
    const abortController = new AbortController();
    this.#abortController = abortController;
    const { signal: abortSignal } = abortController;
    const startY = event.clientY;
    const { columns: columnsAtStart } = this.#form.fields.value;
    const { selectedIndexes } = this.#form.selection.value;
    const draggedIndexes = selectedIndexes.has(columnIndex)
      ? [...selectedIndexes].sort((a, b) => a - b)
      : [columnIndex];
    const handleMove = ({ clientY }: PointerEvent): void => {
      if (this.#dropIndex.value !== undefined || Math.abs(clientY - startY) > dragThreshold) {
        this.#dropIndex.value = this.#getDropIndex(clientY);
      }
    };
    const handleDrop = (): void => {
      const dropIndex = this.#dropIndex.value;
      this.end();
      if (dropIndex !== undefined) {
        const matchingIndexes = this.#form.matchingIndexes.value;
        const { columns } = this.#form.fields.value;
        // The document may have changed during the drag.
        const getCurrentIndex = trackSelectedColumns(columnsAtStart, columns);
        moveColumnsTo(
          this.#form,
          draggedIndexes.flatMap((index) => getCurrentIndex(index) ?? []),
          matchingIndexes[dropIndex] ?? columns.length,
        );
      }
    };
    const handleKey = (keyEvent: KeyboardEvent): void => {
      if (keyEvent.key === 'Escape' && this.#dropIndex.value !== undefined) {
        keyEvent.stopPropagation();
        this.end();
      }
    };
    window.addEventListener('pointermove', handleMove, { signal: abortSignal });
    window.addEventListener('pointerup', handleDrop, { signal: abortSignal });
    window.addEventListener('pointercancel', () => this.end(), { signal: abortSignal });
    // In the capture phase, before the grid: it has the focus during a drag, and would clear its selection on Escape.
    window.addEventListener('keydown', handleKey, { signal: abortSignal, capture: true });
  }

  end(): void {
    this.#abortController?.abort();
    this.#abortController = undefined;
    this.#dropIndex.value = undefined;
  }

  #getDropIndex(clientY: number): number {
    const list = this.#scroller.current;
    if (list === null) {
      return 0;
    }
    const { top, bottom } = list.getBoundingClientRect();
    if (clientY < top + scrollEdge) {
      list.scrollTop -= this.#rowHeight;
    } else if (clientY > bottom - scrollEdge) {
      list.scrollTop += this.#rowHeight;
    }
    const dropIndex = Math.round((clientY - top + list.scrollTop) / this.#rowHeight);
    return Math.min(Math.max(dropIndex, 0), this.#form.matchingIndexes.value.length);
  }
}
