import type { DiagramTable } from '../diagramLayout/diagramModel.ts';
import type { Edge } from '../diagramLayout/edges.ts';
import type { Rect } from '../diagramLayout/geometry.ts';
import type { SearchMatch } from '../diagramLayout/search.ts';
import type { FromDiagram, ToDiagram } from '../protocol/diagram.ts';
import type { PageHost } from '../shared/host.ts';
import type { ViewportController } from './useViewport.ts';

export type DiagramHost = PageHost<ToDiagram, FromDiagram>;

/** A request of the host to reveal a table, or to create a relation from the selected one. */
export type DiagramRequest = Extract<ToDiagram, { type: 'show' | 'relate' }>;

export interface SelectOptions {
  /** Also moves the keyboard focus to the table. */
  readonly focus?: boolean;
  /** Zooms in to this scale if the current one is smaller. */
  readonly minScale?: number;
}

/** The data and actions that the diagram and its list view share. Tables are identified by their IDs. */
export interface DiagramViewProps {
  readonly data: Extract<ToDiagram, { type: 'data' }>;
  readonly host: DiagramHost;
  readonly tables: ReadonlyMap<string, DiagramTable>;
  /** The IDs of the tables that each table has a relation with. */
  readonly relatedTables: ReadonlyMap<string, ReadonlySet<string>>;
  /** Selects a table and scrolls it into view; `undefined` clears the selection. */
  readonly selectTable: (id: string | undefined, options?: SelectOptions) => void;
  /** Expands a table, so that it shows all columns, or collapses it. */
  readonly setTableExpanded: (id: string, isExpanded: boolean) => void;
}

export interface CanvasProps extends DiagramViewProps {
  readonly boxes: ReadonlyMap<string, Rect>;
  readonly edges: readonly Edge[];
  readonly expandedTables: ReadonlySet<string>;
  readonly selectedId: string | undefined;
  readonly viewport: ViewportController;
  /** The table to move the keyboard focus to. Each new object is a new request, even for the same table. */
  readonly focusRequest: { readonly table: string } | undefined;
  /** The relation under the pointer, in the diagram or in the details beside it. */
  readonly hoveredRelationId: string | undefined;
  readonly setHoveredRelation: (relationId: string | undefined) => void;
  readonly match: SearchMatch | undefined;
}

/** Returns whether a diagram shows files, which can only be opened from it. */
export const isFileDiagram = ({ datamodel }: Pick<DiagramViewProps['data'], 'datamodel'>): boolean =>
  'folder' in datamodel;
