import type { DiagramTable } from '../diagramLayout/diagramModel.ts';
import type { Edge } from '../diagramLayout/edges.ts';
import type { Rect } from '../diagramLayout/geometry.ts';
import type { SearchMatch } from '../diagramLayout/search.ts';
import type { FromDiagram, ToDiagram } from '../protocol/diagram.ts';
import type { PageHost } from '../shared/host.ts';
import type { ViewportController } from './useViewport.ts';

export type DiagramHost = PageHost<ToDiagram, FromDiagram>;

export interface SelectOptions {
  /** Moves the keyboard focus to it. */
  readonly focus?: boolean;
  /** Zooms in if the scale is smaller. */
  readonly minScale?: number;
}

/** Data and actions that the diagram and the list share. */
export interface DiagramViewProps {
  readonly data: Extract<ToDiagram, { type: 'data' }>;
  readonly host: DiagramHost;
  readonly tables: ReadonlyMap<string, DiagramTable>;
  readonly related: ReadonlyMap<string, ReadonlySet<string>>;
  /** Also scrolls the table into view. */
  readonly choose: (id: string | undefined, options?: SelectOptions) => void;
  readonly setOpen: (id: string, isOpen: boolean) => void;
}

export interface CanvasProps extends DiagramViewProps {
  readonly boxes: ReadonlyMap<string, Rect>;
  readonly lines: readonly Edge[];
  readonly open: ReadonlySet<string>;
  readonly chosen: string | undefined;
  readonly viewport: ViewportController;
  /** The table that gets the keyboard focus, again for each new object. */
  readonly focus: { readonly table: string } | undefined;
  /** The hovered relation, in or beside the diagram. */
  readonly relation: string | undefined;
  readonly setRelation: (relation: string | undefined) => void;
  readonly match: SearchMatch | undefined;
}
