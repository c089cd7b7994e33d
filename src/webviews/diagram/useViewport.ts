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

/**
 * The visible part of the diagram, and methods to pan and zoom. Points and distances are in pixels, relative to the
 * element that shows the diagram.
 */
export interface ViewportController {
  /** The element that shows the diagram; `null` in the list view. */
  readonly element: HTMLDivElement | null;
  readonly attach: (element: HTMLDivElement | null) => void;
  readonly size: Size;
  readonly view: Viewport;
  pan(dx: number, dy: number): void;
  /** Zooms around a point of the element; around its center if none is given. */
  zoom(factor: number, point?: Point): void;
  fit(): void;
  /** Resets the zoom to 100%; centers the box with the given ID, or keeps the center in place. */
  resetZoom(id?: string): void;
  /** Scrolls a box into view, and zooms in if the scale is smaller than `minScale`. */
  reveal(id: string, minScale?: number): void;
}

export function useViewport({
  boxes,
  view: persistedView,
  setView,
}: {
  readonly boxes: ReadonlyMap<string, Rect>;
  /** The persisted view; if absent, the whole diagram is shown. */
  readonly view: Viewport | undefined;
  readonly setView: (view: Viewport | undefined) => void;
}): ViewportController {
  const [element, attach] = useState<HTMLDivElement | null>(null);
  // The size until the element is measured.
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
  const wholeView = useMemo(() => fitToWindow(getBounds(boxes.values()), size), [boxes, size]);
  // The view may change several times before the next render, and each change must be based on the previous one.
  const latestView = useRef<Viewport>(wholeView);
  latestView.current = persistedView ?? wholeView;
  const moveTo = useCallback(
    (view: Viewport): void => {
      latestView.current = view;
      setView(view);
    },
    [setView],
  );
  // A box may be expanded and revealed at the same time, so its position is read after the next render.
  const [revealRequest, setRevealRequest] = useState<{ readonly id: string; readonly minScale: number }>();
  useEffect(() => {
    const box = revealRequest && boxes.get(revealRequest.id);
    if (revealRequest !== undefined && box !== undefined) {
      setRevealRequest(undefined);
      const { scale } = latestView.current;
      const view =
        scale < revealRequest.minScale ? centerOn(box, size, revealRequest.minScale) : latestView.current;
      moveTo(scrollIntoView(view, box, size));
    }
  }, [revealRequest, boxes, size]);
  const center = { x: size.width / 2, y: size.height / 2 };
  return {
    element,
    attach,
    size,
    view: persistedView ?? wholeView,
    pan: (dx, dy) => moveTo(panBy(latestView.current, dx, dy)),
    zoom: (factor, point = center) => moveTo(zoomAt(latestView.current, factor, point)),
    fit: () => {
      latestView.current = wholeView;
      setView(undefined);
    },
    resetZoom: (id) => {
      const box = id === undefined ? undefined : boxes.get(id);
      moveTo(
        box === undefined
          ? zoomAt(latestView.current, 1 / latestView.current.scale, center)
          : centerOn(box, size, 1),
      );
    },
    reveal: (id, minScale = 0) => setRevealRequest({ id, minScale }),
  };
}
