import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { ViewpointForm } from './form.ts';
import { moveTo } from './actions.ts';

/** Where a drop would put the dragged columns, at the row that tells it. */
export type DropMark = 'before' | 'after';

/** So far the pointer must go before a press becomes a drag. */
const threshold = 4;
/** So near an edge the list scrolls by itself. */
const edge = 24;

/** Lets rows be dragged to another place with the pointer; Escape gives up. */
export function useRowDrag(
  form: ViewpointForm,
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
): {
  begin(event: PointerEvent, place: number): void;
  markAt(place: number): DropMark | undefined;
} {
  const drag = useMemo(() => new RowDrag(form, scroller, rowHeight), [form, scroller, rowHeight]);
  useEffect(() => () => drag.end(), [drag]);
  return { begin: (event, place) => drag.begin(event, place), markAt: (place) => drag.markAt(place) };
}

class RowDrag {
  readonly #form: ViewpointForm;
  readonly #scroller: RefObject<HTMLElement | null>;
  readonly #rowHeight: number;
  /** Before which of the shown rows; `undefined` while nothing is dragged. */
  readonly #gap = signal<number | undefined>(undefined);
  #listening: AbortController | undefined;

  constructor(form: ViewpointForm, scroller: RefObject<HTMLElement | null>, rowHeight: number) {
    this.#form = form;
    this.#scroller = scroller;
    this.#rowHeight = rowHeight;
  }

  markAt(place: number): DropMark | undefined {
    const gap = this.#gap.value;
    const shown = this.#form.places.value;
    if (gap === undefined) {
      return undefined;
    }
    if (shown[gap] === place) {
      return 'before';
    }
    return gap === shown.length && shown.at(-1) === place ? 'after' : undefined;
  }

  begin(event: PointerEvent, place: number): void {
    if (event.button !== 0 || this.#form.page.isFixed.value) {
      return;
    }
    this.end();
    const listening = new AbortController();
    this.#listening = listening;
    const { signal: ended } = listening;
    const startY = event.clientY;
    const { chosen } = this.#form.choice.value;
    const places = chosen.has(place) ? [...chosen].sort((a, b) => a - b) : [place];
    const move = ({ clientY }: PointerEvent): void => {
      if (this.#gap.value !== undefined || Math.abs(clientY - startY) > threshold) {
        this.#gap.value = this.#gapAt(clientY);
      }
    };
    const drop = (): void => {
      const gap = this.#gap.value;
      this.end();
      if (gap !== undefined) {
        const shown = this.#form.places.value;
        moveTo(this.#form, places, shown[gap] ?? this.#form.fields.value.columns.length);
      }
    };
    window.addEventListener('pointermove', move, { signal: ended });
    window.addEventListener('pointerup', drop, { signal: ended });
    window.addEventListener('pointercancel', () => this.end(), { signal: ended });
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && this.end(), { signal: ended });
  }

  end(): void {
    this.#listening?.abort();
    this.#listening = undefined;
    this.#gap.value = undefined;
  }

  #gapAt(clientY: number): number {
    const list = this.#scroller.current;
    if (list === null) {
      return 0;
    }
    const { top, bottom } = list.getBoundingClientRect();
    if (clientY < top + edge) {
      list.scrollTop -= this.#rowHeight;
    } else if (clientY > bottom - edge) {
      list.scrollTop += this.#rowHeight;
    }
    const gap = Math.round((clientY - top + list.scrollTop) / this.#rowHeight);
    return Math.min(Math.max(gap, 0), this.#form.places.value.length);
  }
}
