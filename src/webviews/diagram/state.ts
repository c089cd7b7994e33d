import type { Viewport } from '../diagramLayout/viewport.ts';

/** The user's choices on the page; they are kept while the page is hidden. */
export interface DiagramState {
  /** The visible part; the whole diagram until the user has moved it. */
  readonly view?: Viewport | undefined;
  /** The expanded tables, which show all columns. */
  readonly open: readonly string[];
  readonly chosen?: string | undefined;
  readonly mode: 'picture' | 'list';
  readonly query: string;
}

export const initialDiagramState: DiagramState = { open: [], mode: 'picture', query: '' };

/** Reads the kept state as far as possible: it may come from an older version of the page. */
export function readDiagramState(kept: unknown): DiagramState {
  if (typeof kept !== 'object' || kept === null) {
    return initialDiagramState;
  }
  const { view, open, chosen, mode, query } = kept as Record<string, unknown>;
  return {
    view: readViewport(view),
    open: Array.isArray(open) ? open.filter((each) => typeof each === 'string') : [],
    chosen: typeof chosen === 'string' ? chosen : undefined,
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
