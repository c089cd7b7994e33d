import type { DiagramTable } from '../diagramLayout/diagramModel.ts';
import type { Edge } from '../diagramLayout/edges.ts';
import type { Rect } from '../diagramLayout/geometry.ts';
import type { Match } from '../diagramLayout/search.ts';
import type { FromDiagram, ToDiagram } from '../protocol/diagram.ts';
import type { Host } from '../shared/host.ts';
import type { ViewportControl } from './useViewport.ts';

export type DiagramHost = Host<ToDiagram, FromDiagram>;

export interface ChooseOptions {
  /** Gives it the keyboard's focus. */
  readonly focus?: boolean;
  /** Zooms in where it is smaller than that. */
  readonly leastScale?: number;
}

/** What the picture and the list both know and do. */
export interface DiagramView {
  readonly data: Extract<ToDiagram, { type: 'data' }>;
  readonly host: DiagramHost;
  readonly tables: ReadonlyMap<string, DiagramTable>;
  readonly related: ReadonlyMap<string, ReadonlySet<string>>;
  /** Brings the table in sight, too. */
  readonly choose: (id: string | undefined, options?: ChooseOptions) => void;
  readonly setOpen: (id: string, isOpen: boolean) => void;
}

export interface CanvasProps extends DiagramView {
  readonly boxes: ReadonlyMap<string, Rect>;
  readonly lines: readonly Edge[];
  readonly open: ReadonlySet<string>;
  readonly chosen: string | undefined;
  readonly viewport: ViewportControl;
  /** A table that gets the keyboard's focus, anew with each wish. */
  readonly focus: { readonly table: string } | undefined;
  /** The relation that is pointed at, here or beside the picture. */
  readonly relation: string | undefined;
  readonly setRelation: (relation: string | undefined) => void;
  readonly match: Match | undefined;
}
