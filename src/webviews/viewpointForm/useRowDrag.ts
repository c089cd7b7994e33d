import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
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
  begin(event: PointerEvent, place: number): void;
  markAt(place: number): DropMark | undefined;
} {
  const drag = useMemo(() => new RowDragController(form, scroller, rowHeight), [form, scroller, rowHeight]);
  useEffect(() => () => drag.end(), [drag]);
  return { begin: (event, place) => drag.start(event, place), markAt: (place) => drag.getDropMark(place) };
}

class RowDragController {
  readonly #form: ViewpointFormModel;
  readonly #scroller: RefObject<HTMLElement | null>;
  readonly #rowHeight: number;
  /** The index of the visible row to drop before; `undefined` if nothing is being dragged. */
  readonly #dropIndex = signal<number | undefined>(undefined);
  #abortController: AbortController | undefined;

  constructor(form: ViewpointFormModel, scroller: RefObject<HTMLElement | null>, rowHeight: number) {
    this.#form = form;
    this.#scroller = scroller;
    this.#rowHeight = rowHeight;
  }

  getDropMark(place: number): DropMark | undefined {
    const gap = this.#dropIndex.value;
    const shown = this.#form.visiblePlaces.value;
    if (gap === undefined) {
      return undefined;
    }
    if (shown[gap] === place) {
      return 'before';
    }
    return gap === shown.length && shown.at(-1) === place ? 'after' : undefined;
  }

  start(event: PointerEvent, place: number): void {
    if (event.button !== 0 || this.#form.page.isLocked.value) {
      return;
    }
    this.end();
    const listening = new AbortController();
    this.#abortController = listening;
    const { signal: ended } = listening;
    const startY = event.clientY;
    const { chosen } = this.#form.selection.value;
    const places = chosen.has(place) ? [...chosen].sort((a, b) => a - b) : [place];
    const move = ({ clientY }: PointerEvent): void => {
      if (this.#dropIndex.value !== undefined || Math.abs(clientY - startY) > dragThreshold) {
        this.#dropIndex.value = this.#getDropIndex(clientY);
      }
    };
    const drop = (): void => {
      const gap = this.#dropIndex.value;
      this.end();
      if (gap !== undefined) {
        const shown = this.#form.visiblePlaces.value;
        moveColumnsTo(this.#form, places, shown[gap] ?? this.#form.fields.value.columns.length);
      }
    };
    window.addEventListener('pointermove', move, { signal: ended });
    window.addEventListener('pointerup', drop, { signal: ended });
    window.addEventListener('pointercancel', () => this.end(), { signal: ended });
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && this.end(), { signal: ended });
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
    const gap = Math.round((clientY - top + list.scrollTop) / this.#rowHeight);
    return Math.min(Math.max(gap, 0), this.#form.visiblePlaces.value.length);
  }
}
