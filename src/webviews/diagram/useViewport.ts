import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { getBounds, type Point, type Rect, type Size } from '../diagramLayout/geometry.ts';
import {
  centerOn,
  fitToWindow,
  panBy,
  scrollIntoView,
  type Viewport,
  zoomAt,
} from '../diagramLayout/viewport.ts';

/** The visible part of the diagram, and methods to pan and zoom. Points and distances are in pixels of the window. */
export interface ViewportController {
  /** The element that shows the diagram; `null` in the list view. */
  readonly element: HTMLDivElement | null;
  readonly attach: (element: HTMLDivElement | null) => void;
  readonly size: Size;
  readonly view: Viewport;
  pan(dx: number, dy: number): void;
  /** Zooms around a point of the window; around its center if none is given. */
  zoom(factor: number, at?: Point): void;
  fit(): void;
  /** Resets the zoom to 100%; centers the box with the given ID, or keeps the center in place. */
  actualSize(id?: string): void;
  /** Scrolls a box into view, and zooms in if the scale is smaller than `minScale`. */
  reveal(id: string, leastScale?: number): void;
}

export function useViewport({
  boxes,
  view: kept,
  setView,
}: {
  readonly boxes: ReadonlyMap<string, Rect>;
  /** The persisted view; if absent, the whole diagram is shown. */
  readonly view: Viewport | undefined;
  readonly setView: (view: Viewport | undefined) => void;
}): ViewportController {
  const [element, attach] = useState<HTMLDivElement | null>(null);
  const [size, setSize] = useState<Size>({ width: 800, height: 600 });
  useLayoutEffect(() => {
    if (element === null) {
      return undefined;
    }
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [element]);
  const all = useMemo(() => fitToWindow(getBounds(boxes.values()), size), [boxes, size]);
  // The view may change several times before the next render, and each change must be based on the previous one.
  const latest = useRef<Viewport>(all);
  latest.current = kept ?? all;
  const move = useCallback(
    (view: Viewport): void => {
      latest.current = view;
      setView(view);
    },
    [setView],
  );
  // A box may be expanded and revealed at the same time, so its position is read after the next render.
  const [wanted, setWanted] = useState<{ readonly id: string; readonly leastScale: number }>();
  useEffect(() => {
    const box = wanted && boxes.get(wanted.id);
    if (wanted !== undefined && box !== undefined) {
      setWanted(undefined);
      const { scale } = latest.current;
      const view = scale < wanted.leastScale ? centerOn(box, size, wanted.leastScale) : latest.current;
      move(scrollIntoView(view, box, size));
    }
  }, [wanted, boxes, size]);
  const middle = { x: size.width / 2, y: size.height / 2 };
  return {
    element,
    attach,
    size,
    view: kept ?? all,
    pan: (dx, dy) => move(panBy(latest.current, dx, dy)),
    zoom: (factor, at = middle) => move(zoomAt(latest.current, factor, at)),
    fit: () => setView(undefined),
    actualSize: (id) => {
      const box = id === undefined ? undefined : boxes.get(id);
      move(
        box === undefined ? zoomAt(latest.current, 1 / latest.current.scale, middle) : centerOn(box, size, 1),
      );
    },
    reveal: (id, leastScale = 0) => setWanted({ id, leastScale }),
  };
}
