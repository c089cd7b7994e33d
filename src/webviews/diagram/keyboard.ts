import { type Direction, findNeighborBox, sortInReadingOrder } from '../diagramLayout/navigation.ts';
import { zoomStep } from '../diagramLayout/viewport.ts';
import type { CanvasProps } from './diagramView.ts';

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
const panStep = 60;

/** Handles a key in the diagram; returns false if the key is not handled. */
export function handleCanvasKey(event: KeyboardEvent, props: CanvasProps): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return false;
  }
  const direction = arrows[event.key];
  return direction === undefined
    ? handleViewKey(event.key, props) || handleTableKey(event.key, props)
    : handleArrowKey(event, direction, props);
}

function handleArrowKey({ shiftKey }: KeyboardEvent, direction: Direction, props: CanvasProps): boolean {
  const { viewport, boxes, related, chosen, choose } = props;
  const [dx, dy] = steps[direction];
  if (shiftKey) {
    viewport.pan(dx * panStep, dy * panStep);
    return true;
  }
  const next =
    chosen === undefined
      ? sortInReadingOrder(boxes)[0]
      : findNeighborBox(boxes, related.get(chosen) ?? new Set(), chosen, direction);
  if (next !== undefined) {
    choose(next, { focus: true });
  }
  return true;
}

function handleViewKey(key: string, { viewport, chosen }: CanvasProps): boolean {
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

function handleTableKey(
  key: string,
  { boxes, chosen, choose, host, open, setOpen, viewport }: CanvasProps,
): boolean {
  if (key === 'Home' || key === 'End') {
    choose(sortInReadingOrder(boxes).at(key === 'Home' ? 0 : -1), { focus: true });
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
