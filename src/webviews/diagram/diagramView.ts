import type { DiagramTable } from '../diagramLayout/diagramModel.ts';
import type { Edge } from '../diagramLayout/edges.ts';
import type { Rect } from '../diagramLayout/geometry.ts';
import type { SearchMatch } from '../diagramLayout/search.ts';
import type { FromDiagram, ToDiagram } from '../protocol/diagram.ts';
import type { PageHost } from '../shared/host.ts';
import type { ViewportController } from './useViewport.ts';

export type DiagramHost = PageHost<ToDiagram, FromDiagram>;

export interface SelectOptions {
  /** Gives it the keyboard's focus. */
  readonly focus?: boolean;
  /** Zooms in where it is smaller than that. */
  readonly minScale?: number;
}

/** What the picture and the list both know and do. */
export interface DiagramViewProps {
  readonly data: Extract<ToDiagram, { type: 'data' }>;
  readonly host: DiagramHost;
  readonly tables: ReadonlyMap<string, DiagramTable>;
  readonly related: ReadonlyMap<string, ReadonlySet<string>>;
  /** Brings the table in sight, too. */
  readonly choose: (id: string | undefined, options?: SelectOptions) => void;
  readonly setOpen: (id: string, isOpen: boolean) => void;
}

export interface CanvasProps extends DiagramViewProps {
  readonly boxes: ReadonlyMap<string, Rect>;
  readonly lines: readonly Edge[];
  readonly open: ReadonlySet<string>;
  readonly chosen: string | undefined;
  readonly viewport: ViewportController;
  /** A table that gets the keyboard's focus, anew with each wish. */
  readonly focus: { readonly table: string } | undefined;
  /** The relation that is pointed at, here or beside the picture. */
  readonly relation: string | undefined;
  readonly setRelation: (relation: string | undefined) => void;
  readonly match: SearchMatch | undefined;
}
