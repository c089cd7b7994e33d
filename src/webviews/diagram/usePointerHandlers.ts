import { useEffect, useRef, useState } from 'preact/hooks';
import type { Point } from '../diagramLayout/geometry.ts';
import { toDiagramPoint } from '../diagramLayout/viewport.ts';
import { PointerTracker } from './pointerTracker.ts';
import type { CanvasProps } from './diagramProps.ts';

/** The table under the pointer, and its column if the pointer is over one. */
interface PointerTarget {
  readonly table: string;
  readonly column?: string;
}

/** The action of a pressed pointer: to pan the diagram, or to draw the line of a new relation from a column. */
type PointerAction =
  | { readonly kind: 'pan'; lastPoint: Point }
  | { readonly kind: 'relate'; readonly source: PointerTarget; readonly startPoint: Point };

interface DragLine {
  readonly from: Point;
  readonly to: Point;
}

/** A press that moves the pointer by less than this many pixels is a click. */
const clickTolerance = 4;
const wheelZoomFactor = 0.0015;
const pinchZoomFactor = 0.01;

/** Handles mouse, pen and touch input in the diagram. */
export function usePointerHandlers(props: CanvasProps) {
  const { viewport, boxes, host, selectTable, expandedTables, setTableExpanded, setHoveredRelation, data } =
    props;
  const [pointers] = useState(() => new PointerTracker());
  const gesture = useRef<{ readonly pressPoint: Point; hasMoved: boolean; readonly action: PointerAction }>(
    undefined,
  );
  const [isPanning, setPanning] = useState(false);
  const [drag, setDrag] = useState<DragLine>();
  const { element } = viewport;

  const toViewportPoint = (event: MouseEvent): Point => {
    const canvasRect = element?.getBoundingClientRect();
    return { x: event.clientX - (canvasRect?.left ?? 0), y: event.clientY - (canvasRect?.top ?? 0) };
  };
  const endGesture = (): void => {
    gesture.current = undefined;
    setPanning(false);
    setDrag(undefined);
    setDropTargetClass(element, undefined);
  };

  // Registered without Preact, because it can't set `passive: false`, and a passive listener couldn't prevent the page
  // from scrolling.
  const latestViewport = useRef(viewport);
  latestViewport.current = viewport;
  useEffect(() => {
    const handleWheel = (event: WheelEvent): void => {
      event.preventDefault();
      // Some mice report lines instead of pixels.
      const pixelsPerUnit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        latestViewport.current.pan((event.deltaX || event.deltaY) * pixelsPerUnit, 0);
      } else {
        const speed = event.ctrlKey ? pinchZoomFactor : wheelZoomFactor;
        latestViewport.current.zoom(Math.exp(-event.deltaY * pixelsPerUnit * speed), toViewportPoint(event));
      }
    };
    element?.addEventListener('wheel', handleWheel, { passive: false });
    return () => element?.removeEventListener('wheel', handleWheel);
  }, [element]);
  useEffect(() => {
    const handleEscape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && gesture.current !== undefined) {
        event.stopPropagation();
        endGesture();
      }
    };
    globalThis.addEventListener('keydown', handleEscape, { capture: true });
    return () => globalThis.removeEventListener('keydown', handleEscape, { capture: true });
  }, [element]);

  const handlePointerDown = (event: PointerEvent): void => {
    const point = toViewportPoint(event);
    pointers.add(event.pointerId, point);
    if (event.button !== 0 && event.button !== 1) {
      return;
    }
    const columnElement = findClosest(event.target, '[data-column].canRelate');
    const source = getTarget(columnElement);
    const startsRelation =
      event.button === 0 && source?.column !== undefined && event.pointerType !== 'touch';
    const action: PointerAction = startsRelation
      ? { kind: 'relate', source, startPoint: toDiagramPoint(viewport.view, point) }
      : { kind: 'pan', lastPoint: point };
    gesture.current = { pressPoint: point, hasMoved: false, action };
  };

  const handlePointerMove = (event: PointerEvent): void => {
    const point = toViewportPoint(event);
    const pinch = pointers.move(event.pointerId, point);
    if (pinch !== undefined) {
      endGesture();
      viewport.zoom(pinch.factor, pinch.center);
      return;
    }
    const activeGesture = gesture.current;
    if (activeGesture === undefined || event.buttons === 0) {
      highlightLine(event);
      return;
    }
    if (
      !activeGesture.hasMoved &&
      Math.hypot(point.x - activeGesture.pressPoint.x, point.y - activeGesture.pressPoint.y) < clickTolerance
    ) {
      return;
    }
    if (!activeGesture.hasMoved) {
      activeGesture.hasMoved = true;
      element?.setPointerCapture(event.pointerId);
      setPanning(activeGesture.action.kind === 'pan');
    }
    if (activeGesture.action.kind === 'pan') {
      viewport.pan(activeGesture.action.lastPoint.x - point.x, activeGesture.action.lastPoint.y - point.y);
      activeGesture.action.lastPoint = point;
    } else {
      setDrag({ from: activeGesture.action.startPoint, to: toDiagramPoint(viewport.view, point) });
      setDropTargetClass(element, getDropTarget(event, activeGesture.action.source)?.element);
    }
  };

  /** Highlights the relation whose line is under the pointer, and its columns. */
  const highlightLine = (event: PointerEvent): void => {
    const lineElement = findClosest(event.target, '[data-relation]');
    if (lineElement !== undefined || event.pointerType !== 'touch') {
      setHoveredRelation(lineElement?.dataset['relation']);
    }
  };

  const handlePointerUp = (event: PointerEvent): void => {
    pointers.remove(event.pointerId);
    const activeGesture = gesture.current;
    if (activeGesture?.hasMoved === true && activeGesture.action.kind === 'relate') {
      const { source } = activeGesture.action;
      const dropTarget = getDropTarget(event, source)?.target;
      if (dropTarget !== undefined) {
        host.post({ type: 'relate', ends: [source, dropTarget] });
      }
    }
    endGesture();
    ignoresNextClick.current = activeGesture?.hasMoved === true;
  };
  /** True after a drag: the browser then fires a click, which must be ignored. */
  const ignoresNextClick = useRef(false);

  const handleClick = (event: MouseEvent): void => {
    if (ignoresNextClick.current) {
      ignoresNextClick.current = false;
      return;
    }
    const target = getTarget(findClosest(event.target, '[data-table]'));
    const action = findClosest(event.target, '[data-action]')?.dataset['action'];
    const relationId = findClosest(event.target, '[data-relation]')?.dataset['relation'];
    if (target !== undefined) {
      selectTable(target.table, { focus: true });
      if (action === 'open') {
        host.post({ type: 'open', table: target.table });
      } else if (action === 'toggle') {
        setTableExpanded(target.table, !expandedTables.has(target.table));
      }
    } else if (relationId !== undefined) {
      selectTable(data.model.relations.find(({ id }) => id === relationId)?.ends[0]?.table, { focus: true });
      setHoveredRelation(relationId);
    } else {
      selectTable(undefined);
    }
  };

  const handleDoubleClick = (event: MouseEvent): void => {
    const target = getTarget(findClosest(event.target, '[data-table]'));
    const isAction = findClosest(event.target, '[data-action]') !== undefined;
    if (target !== undefined && boxes.has(target.table) && !isAction) {
      host.post({ type: 'open', table: target.table });
    }
  };

  return {
    isPanning,
    isRelating: drag !== undefined,
    drag,
    handlers: {
      onPointerDown: handlePointerDown,
      onPointerMove: handlePointerMove,
      onPointerUp: handlePointerUp,
      onPointerCancel: (event: PointerEvent) => {
        pointers.remove(event.pointerId);
        endGesture();
      },
      onPointerLeave: (event: PointerEvent) => {
        pointers.remove(event.pointerId);
        setHoveredRelation(undefined);
      },
      onClick: handleClick,
      onDblClick: handleDoubleClick,
    },
  };
}

function findClosest(target: EventTarget | null, selector: string): HTMLElement | SVGElement | undefined {
  const ancestor = target instanceof Element ? target.closest(selector) : null;
  return ancestor instanceof HTMLElement || ancestor instanceof SVGElement ? ancestor : undefined;
}

function getTarget(element: HTMLElement | SVGElement | undefined): PointerTarget | undefined {
  const table = findClosest(element ?? null, '[data-table]')?.dataset['table'];
  const column = findClosest(element ?? null, '[data-column]')?.dataset['column'];
  return table === undefined ? undefined : { table, ...(column === undefined ? {} : { column }) };
}

/** The target of a new relation: a column of another table, or only the table, whose column the user selects later. */
function getDropTarget(
  { clientX, clientY }: PointerEvent,
  source: PointerTarget,
): { readonly target: PointerTarget; readonly element: Element } | undefined {
  const elementUnderPointer = document.elementFromPoint(clientX, clientY);
  const element =
    findClosest(elementUnderPointer, '[data-column].canRelate') ??
    findClosest(elementUnderPointer, '[data-table]');
  const target = getTarget(element);
  return target === undefined || element === undefined || target.table === source.table
    ? undefined
    : { target, element };
}

/** Highlights the drop target. Sets the class directly: rendering again with each pointer move would be slow. */
function setDropTargetClass(canvas: Element | null, target: Element | undefined): void {
  for (const element of canvas?.querySelectorAll('.isTarget') ?? []) {
    element.classList.remove('isTarget');
  }
  target?.classList.add('isTarget');
}
