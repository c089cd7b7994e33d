import { useEffect, useRef, useState } from 'preact/hooks';
import type { Point } from '../diagramLayout/geometry.ts';
import { toPicturePoint } from '../diagramLayout/viewport.ts';
import { PointerTracker } from './pointerTracker.ts';
import type { CanvasProps } from './diagramView.ts';

/** The table under the pointer, and its column if the pointer is over one. */
interface PointerTarget {
  readonly table: string;
  readonly column?: string;
}

/** The action of a pressed pointer: to pan the diagram, or to draw the line of a new relation from a column. */
type Gesture =
  | { readonly kind: 'pan'; last: Point }
  | { readonly kind: 'relate'; readonly from: PointerTarget; readonly start: Point };

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
  const { viewport, boxes, host, choose, open, setOpen, setRelation, data } = props;
  const [pressed] = useState(() => new PointerTracker());
  const gesture = useRef<{ readonly at: Point; moved: boolean; readonly what: Gesture }>(undefined);
  const [isPanning, setPanning] = useState(false);
  const [drag, setDrag] = useState<DragLine>();
  const { element } = viewport;

  const toViewportPoint = (event: MouseEvent): Point => {
    const corner = element?.getBoundingClientRect();
    return { x: event.clientX - (corner?.left ?? 0), y: event.clientY - (corner?.top ?? 0) };
  };
  const endGesture = (): void => {
    gesture.current = undefined;
    setPanning(false);
    setDrag(undefined);
    setDropTargetClass(element, undefined);
  };

  // Preact registers passive wheel listeners, which cannot keep the page from scrolling.
  const control = useRef(viewport);
  control.current = viewport;
  useEffect(() => {
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        control.current.pan((event.deltaX || event.deltaY) * lines, 0);
      } else {
        const speed = event.ctrlKey ? pinchZoomFactor : wheelZoomFactor;
        control.current.zoom(Math.exp(-event.deltaY * lines * speed), toViewportPoint(event));
      }
    };
    element?.addEventListener('wheel', wheel, { passive: false });
    return () => element?.removeEventListener('wheel', wheel);
  }, [element]);
  useEffect(() => {
    const cancel = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && gesture.current !== undefined) {
        event.stopPropagation();
        endGesture();
      }
    };
    globalThis.addEventListener('keydown', cancel, { capture: true });
    return () => globalThis.removeEventListener('keydown', cancel, { capture: true });
  }, []);

  const begin = (event: PointerEvent): void => {
    const at = toViewportPoint(event);
    pressed.add(event.pointerId, at);
    if (event.button !== 0 && event.button !== 1) {
      return;
    }
    const row = findClosest(event.target, '[data-column].canRelate');
    const from = getTarget(row);
    const isRelation = event.button === 0 && from?.column !== undefined && event.pointerType !== 'touch';
    const what: Gesture = isRelation
      ? { kind: 'relate', from, start: toPicturePoint(viewport.view, at) }
      : { kind: 'pan', last: at };
    gesture.current = { at, moved: false, what };
  };

  const move = (event: PointerEvent): void => {
    const at = toViewportPoint(event);
    const pinch = pressed.move(event.pointerId, at);
    if (pinch !== undefined) {
      endGesture();
      viewport.zoom(pinch.factor, pinch.at);
      return;
    }
    const now = gesture.current;
    if (now === undefined || event.buttons === 0) {
      highlightLine(event);
      return;
    }
    if (!now.moved && Math.hypot(at.x - now.at.x, at.y - now.at.y) < clickTolerance) {
      return;
    }
    if (!now.moved) {
      now.moved = true;
      element?.setPointerCapture(event.pointerId);
      setPanning(now.what.kind === 'pan');
    }
    if (now.what.kind === 'pan') {
      viewport.pan(now.what.last.x - at.x, now.what.last.y - at.y);
      now.what.last = at;
    } else {
      setDrag({ from: now.what.start, to: toPicturePoint(viewport.view, at) });
      setDropTargetClass(element, getDropTarget(event, now.what.from)?.element);
    }
  };

  /** Highlights the relation whose line is under the pointer, and its columns. */
  const highlightLine = (event: PointerEvent): void => {
    const line = findClosest(event.target, '[data-relation]');
    if (line !== undefined || event.pointerType !== 'touch') {
      setRelation(line?.dataset['relation']);
    }
  };

  const release = (event: PointerEvent): void => {
    pressed.remove(event.pointerId);
    const now = gesture.current;
    if (now?.moved === true && now.what.kind === 'relate') {
      const { from } = now.what;
      const to = getDropTarget(event, from)?.target;
      if (to !== undefined) {
        host.post({ type: 'relate', ends: [from, to] });
      }
    }
    endGesture();
    swallow.current = now?.moved === true;
  };
  /** True after a drag: the browser then fires a click, which must be ignored. */
  const swallow = useRef(false);

  const click = (event: MouseEvent): void => {
    if (swallow.current) {
      swallow.current = false;
      return;
    }
    const target = getTarget(findClosest(event.target, '[data-table]'));
    const action = findClosest(event.target, '[data-action]')?.dataset['action'];
    const line = findClosest(event.target, '[data-relation]')?.dataset['relation'];
    if (target !== undefined) {
      choose(target.table, { focus: true });
      if (action === 'open') {
        host.post({ type: 'open', table: target.table });
      } else if (action === 'toggle') {
        setOpen(target.table, !open.has(target.table));
      }
    } else if (line !== undefined) {
      choose(data.model.relations.find(({ id }) => id === line)?.ends[0]?.table, { focus: true });
      setRelation(line);
    } else {
      choose(undefined);
    }
  };

  const doubleClick = (event: MouseEvent): void => {
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
      onPointerDown: begin,
      onPointerMove: move,
      onPointerUp: release,
      onPointerCancel: (event: PointerEvent) => {
        pressed.remove(event.pointerId);
        endGesture();
      },
      onPointerLeave: (event: PointerEvent) => {
        pressed.remove(event.pointerId);
        setRelation(undefined);
      },
      onClick: click,
      onDblClick: doubleClick,
    },
  };
}

function findClosest(target: EventTarget | null, selector: string): HTMLElement | SVGElement | undefined {
  const found = target instanceof Element ? target.closest(selector) : null;
  return found instanceof HTMLElement || found instanceof SVGElement ? found : undefined;
}

function getTarget(element: HTMLElement | SVGElement | undefined): PointerTarget | undefined {
  const table = findClosest(element ?? null, '[data-table]')?.dataset['table'];
  const column = findClosest(element ?? null, '[data-column]')?.dataset['column'];
  return table === undefined ? undefined : { table, ...(column === undefined ? {} : { column }) };
}

/** The target of a new relation: a column of another table, or only the table, whose column the user selects later. */
function getDropTarget(
  { clientX, clientY }: PointerEvent,
  from: PointerTarget,
): { readonly target: PointerTarget; readonly element: Element } | undefined {
  const under = document.elementFromPoint(clientX, clientY);
  const element = findClosest(under, '[data-column].canRelate') ?? findClosest(under, '[data-table]');
  const target = getTarget(element);
  return target === undefined || element === undefined || target.table === from.table
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
