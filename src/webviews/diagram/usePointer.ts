import { useEffect, useRef, useState } from 'preact/hooks';
import type { Point } from '../diagramLayout/geometry.ts';
import { inPicture } from '../diagramLayout/viewport.ts';
import { PressedPointers } from './pressedPointers.ts';
import type { CanvasProps } from './view.ts';

/** A column, or a table where no column is meant, under a pointer. */
interface Target {
  readonly table: string;
  readonly column?: string;
}

/** What a pressed pointer does: it moves the picture, or draws a line from a column. */
type Gesture =
  | { readonly kind: 'pan'; last: Point }
  | { readonly kind: 'relate'; readonly from: Target; readonly start: Point };

interface Drag {
  readonly from: Point;
  readonly to: Point;
}

/** A pointer that has moved less has clicked. */
const clickPixels = 4;
const wheelZoom = 0.0015;
const pinchZoom = 0.01;

/** Everything that a mouse, pen or finger does in the picture. */
export function usePointer(props: CanvasProps) {
  const { viewport, boxes, host, choose, open, setOpen, setRelation, data } = props;
  const [pressed] = useState(() => new PressedPointers());
  const gesture = useRef<{ readonly at: Point; moved: boolean; readonly what: Gesture }>(undefined);
  const [isPanning, setPanning] = useState(false);
  const [drag, setDrag] = useState<Drag>();
  const { element } = viewport;

  const inWindow = (event: MouseEvent): Point => {
    const corner = element?.getBoundingClientRect();
    return { x: event.clientX - (corner?.left ?? 0), y: event.clientY - (corner?.top ?? 0) };
  };
  const end = (): void => {
    gesture.current = undefined;
    setPanning(false);
    setDrag(undefined);
    mark(element, undefined);
  };

  // Preact listens passively to wheels; this one must keep the page from scrolling.
  const control = useRef(viewport);
  control.current = viewport;
  useEffect(() => {
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        control.current.pan((event.deltaX || event.deltaY) * lines, 0);
      } else {
        const speed = event.ctrlKey ? pinchZoom : wheelZoom;
        control.current.zoom(Math.exp(-event.deltaY * lines * speed), inWindow(event));
      }
    };
    element?.addEventListener('wheel', wheel, { passive: false });
    return () => element?.removeEventListener('wheel', wheel);
  }, [element]);
  useEffect(() => {
    const cancel = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && gesture.current !== undefined) {
        event.stopPropagation();
        end();
      }
    };
    globalThis.addEventListener('keydown', cancel, { capture: true });
    return () => globalThis.removeEventListener('keydown', cancel, { capture: true });
  }, []);

  const begin = (event: PointerEvent): void => {
    const at = inWindow(event);
    pressed.press(event.pointerId, at);
    if (event.button !== 0 && event.button !== 1) {
      return;
    }
    const row = closest(event.target, '[data-column].canRelate');
    const from = targetOf(row);
    const isRelation = event.button === 0 && from?.column !== undefined && event.pointerType !== 'touch';
    const what: Gesture = isRelation
      ? { kind: 'relate', from, start: inPicture(viewport.view, at) }
      : { kind: 'pan', last: at };
    gesture.current = { at, moved: false, what };
  };

  const move = (event: PointerEvent): void => {
    const at = inWindow(event);
    const pinch = pressed.move(event.pointerId, at);
    if (pinch !== undefined) {
      end();
      viewport.zoom(pinch.factor, pinch.at);
      return;
    }
    const now = gesture.current;
    if (now === undefined || event.buttons === 0) {
      point(event);
      return;
    }
    if (!now.moved && Math.hypot(at.x - now.at.x, at.y - now.at.y) < clickPixels) {
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
      setDrag({ from: now.what.start, to: inPicture(viewport.view, at) });
      mark(element, dropTarget(event, now.what.from)?.element);
    }
  };

  /** Names the columns of the line under the pointer. */
  const point = (event: PointerEvent): void => {
    const line = closest(event.target, '[data-relation]');
    if (line !== undefined || event.pointerType !== 'touch') {
      setRelation(line?.dataset['relation']);
    }
  };

  const release = (event: PointerEvent): void => {
    pressed.release(event.pointerId);
    const now = gesture.current;
    if (now?.moved === true && now.what.kind === 'relate') {
      const { from } = now.what;
      const to = dropTarget(event, from)?.target;
      if (to !== undefined) {
        host.post({ type: 'relate', ends: [from, to] });
      }
    }
    end();
    swallow.current = now?.moved === true;
  };
  /** The click that the browser makes of a drag is none. */
  const swallow = useRef(false);

  const click = (event: MouseEvent): void => {
    if (swallow.current) {
      swallow.current = false;
      return;
    }
    const target = targetOf(closest(event.target, '[data-table]'));
    const action = closest(event.target, '[data-action]')?.dataset['action'];
    const line = closest(event.target, '[data-relation]')?.dataset['relation'];
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
    const target = targetOf(closest(event.target, '[data-table]'));
    const isAction = closest(event.target, '[data-action]') !== undefined;
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
        pressed.release(event.pointerId);
        end();
      },
      onPointerLeave: (event: PointerEvent) => {
        pressed.release(event.pointerId);
        setRelation(undefined);
      },
      onClick: click,
      onDblClick: doubleClick,
    },
  };
}

function closest(target: EventTarget | null, selector: string): HTMLElement | SVGElement | undefined {
  const found = target instanceof Element ? target.closest(selector) : null;
  return found instanceof HTMLElement || found instanceof SVGElement ? found : undefined;
}

function targetOf(element: HTMLElement | SVGElement | undefined): Target | undefined {
  const table = closest(element ?? null, '[data-table]')?.dataset['table'];
  const column = closest(element ?? null, '[data-column]')?.dataset['column'];
  return table === undefined ? undefined : { table, ...(column === undefined ? {} : { column }) };
}

/** What a line may end at: a column of another table, or another table, whose column is then asked for. */
function dropTarget(
  { clientX, clientY }: PointerEvent,
  from: Target,
): { readonly target: Target; readonly element: Element } | undefined {
  const under = document.elementFromPoint(clientX, clientY);
  const element = closest(under, '[data-column].canRelate') ?? closest(under, '[data-table]');
  const target = targetOf(element);
  return target === undefined || element === undefined || target.table === from.table
    ? undefined
    : { target, element };
}

/** Shows where a line would end; not through the page's state, since that changes with every move. */
function mark(canvas: Element | null, target: Element | undefined): void {
  for (const element of canvas?.querySelectorAll('.isTarget') ?? []) {
    element.classList.remove('isTarget');
  }
  target?.classList.add('isTarget');
}
