import { type Direction, neighbour, readingOrder } from '../diagramLayout/neighbours.ts';
import { zoomStep } from '../diagramLayout/viewport.ts';
import type { CanvasProps } from './view.ts';

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const steps: Readonly<Record<Direction, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};
const panBy = 60;

/** What a key does in the picture; false where it does nothing. */
export function canvasKey(event: KeyboardEvent, props: CanvasProps): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return false;
  }
  const direction = arrows[event.key];
  return direction === undefined
    ? viewKey(event.key, props) || tableKey(event.key, props)
    : arrow(event, direction, props);
}

function arrow({ shiftKey }: KeyboardEvent, direction: Direction, props: CanvasProps): boolean {
  const { viewport, boxes, related, chosen, choose } = props;
  const [dx, dy] = steps[direction];
  if (shiftKey) {
    viewport.pan(dx * panBy, dy * panBy);
    return true;
  }
  const next =
    chosen === undefined
      ? readingOrder(boxes)[0]
      : neighbour(boxes, related.get(chosen) ?? new Set(), chosen, direction);
  if (next !== undefined) {
    choose(next, { focus: true });
  }
  return true;
}

function viewKey(key: string, { viewport, chosen }: CanvasProps): boolean {
  switch (key) {
    case '+':
    case '=':
      viewport.zoom(zoomStep);
      return true;
    case '-':
    case '_':
      viewport.zoom(1 / zoomStep);
      return true;
    case '0':
      viewport.actualSize(chosen);
      return true;
    case 'f':
    case 'F':
      viewport.fit();
      return true;
    default:
      return false;
  }
}

function tableKey(
  key: string,
  { boxes, chosen, choose, host, open, setOpen, viewport }: CanvasProps,
): boolean {
  if (key === 'Home' || key === 'End') {
    choose(readingOrder(boxes).at(key === 'Home' ? 0 : -1), { focus: true });
    return true;
  }
  if (chosen === undefined) {
    return false;
  }
  switch (key) {
    case 'Enter':
      host.post({ type: 'open', table: chosen });
      return true;
    case ' ':
      setOpen(chosen, !open.has(chosen));
      return true;
    case 'r':
    case 'R':
      host.post({ type: 'relate', ends: [{ table: chosen }] });
      return true;
    case 'Escape':
      choose(undefined);
      viewport.element?.focus();
      return true;
    default:
      return false;
  }
}
