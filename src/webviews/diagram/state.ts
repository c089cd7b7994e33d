import type { Viewport } from '../diagramLayout/viewport.ts';

/** The persisted state of the page: the selection, the view and the search. */
export interface DiagramState {
  /** The visible part of the diagram. If absent, the whole diagram is shown. */
  readonly view?: Viewport | undefined;
  /** The IDs of the expanded tables, which show all columns. */
  readonly expandedIds: readonly string[];
  /** The ID of the selected table. */
  readonly selectedId?: string | undefined;
  readonly mode: 'picture' | 'list';
  readonly query: string;
}

export const initialDiagramState: DiagramState = { expandedIds: [], mode: 'picture', query: '' };

/** Reads the persisted state. An older version may have stored it, so invalid values are replaced by defaults. */
export function readDiagramState(persisted: unknown): DiagramState {
  if (typeof persisted !== 'object' || persisted === null) {
    return initialDiagramState;
  }
  // `open` and `chosen` are the names of an earlier version.
  const {
    view,
    open,
    chosen,
    expandedIds = open,
    selectedId = chosen,
    mode,
    query,
  } = persisted as Record<string, unknown>;
  return {
    view: readViewport(view),
    expandedIds: Array.isArray(expandedIds) ? expandedIds.filter((id) => typeof id === 'string') : [],
    selectedId: typeof selectedId === 'string' ? selectedId : undefined,
    mode: mode === 'list' ? 'list' : 'picture',
    query: typeof query === 'string' ? query : '',
  };
}

function readViewport(value: unknown): Viewport | undefined {
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  const { x, y, scale } = value as Record<string, unknown>;
  return isNumber(x) && isNumber(y) && isNumber(scale) && scale > 0 ? { x, y, scale } : undefined;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
