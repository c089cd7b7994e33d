import { type Direction, findNeighborBox, sortInReadingOrder } from '../diagramLayout/navigation.ts';
import { zoomStep } from '../diagramLayout/viewport.ts';
import type { CanvasProps } from './diagramProps.ts';

const arrowDirections: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const directionVectors: Readonly<Record<Direction, readonly [number, number]>> = {
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
  const direction = arrowDirections[event.key];
  return direction === undefined
    ? handleViewKey(event.key, props) || handleTableKey(event.key, props)
    : handleArrowKey(event, direction, props);
}

function handleArrowKey({ shiftKey }: KeyboardEvent, direction: Direction, props: CanvasProps): boolean {
  const { viewport, boxes, relatedTables, selectedId, selectTable } = props;
  const [dx, dy] = directionVectors[direction];
  if (shiftKey) {
    viewport.pan(dx * panStep, dy * panStep);
    return true;
  }
  const nextId =
    selectedId === undefined
      ? sortInReadingOrder(boxes)[0]
      : findNeighborBox(boxes, relatedTables.get(selectedId) ?? new Set(), selectedId, direction);
  if (nextId !== undefined) {
    selectTable(nextId, { focus: true });
  }
  return true;
}

function handleViewKey(key: string, { viewport, selectedId }: CanvasProps): boolean {
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
      viewport.resetZoom(selectedId);
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
  { boxes, selectedId, selectTable, host, expandedTables, setTableExpanded, viewport }: CanvasProps,
): boolean {
  if (key === 'Home' || key === 'End') {
    selectTable(sortInReadingOrder(boxes).at(key === 'Home' ? 0 : -1), { focus: true });
    return true;
  }
  if (selectedId === undefined) {
    return false;
  }
  switch (key) {
    case 'Enter':
      host.post({ type: 'open', table: selectedId });
      return true;
    case ' ':
      setTableExpanded(selectedId, !expandedTables.has(selectedId));
      return true;
    case 'r':
    case 'R':
      host.post({ type: 'relate', ends: [{ table: selectedId }] });
      return true;
    case 'Escape':
      selectTable(undefined);
      viewport.element?.focus();
      return true;
    default:
      return false;
  }
}
