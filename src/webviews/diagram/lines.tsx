import type { Edge } from '../diagramLayout/edges.ts';
import { overlaps, type Point, type Rect } from '../diagramLayout/geometry.ts';

interface LinesProps {
  readonly edges: readonly Edge[];
  /** The part of the diagram to render, in diagram units. */
  readonly visibleRect: Rect;
  readonly selectedId: string | undefined;
  readonly hoveredRelationId: string | undefined;
  /** True if the scale is too small to show details: end points are not drawn. */
  readonly isZoomedOut: boolean;
}

/** The maximum distance by which the curve of a line exceeds the rectangle around its end points. */
const maxCurveOffset = 200;

/**
 * The lines of relations. Highlighted lines are not moved to the front: Chromium fails to restyle an element whose
 * class changes while it is moved.
 */
export function Lines({ edges, visibleRect, selectedId, hoveredRelationId, isZoomedOut }: LinesProps) {
  const visibleEdges = edges.filter(({ from, to }) => overlaps(visibleRect, getCurveBounds(from, to)));
  const getHighlightLevel = ({ relationId: id, ends }: Edge): number =>
    id === hoveredRelationId ? 2 : ends.some(({ table }) => table === selectedId) ? 1 : 0;
  const classes = ['', 'isRelated', 'isHovered'];
  return (
    <svg class="lines" aria-hidden="true" width="1" height="1">
      {visibleEdges.map((edge) => (
        <g
          key={`${edge.relationId} ${edge.ends[1].table} ${edge.ends[1].column ?? ''}`}
          class={classes[getHighlightLevel(edge)]}
          data-relation={edge.relationId}
        >
          <path class="hit" d={edge.path} />
          <path class="line" d={edge.path} />
          {isZoomedOut ? null : (
            <>
              <circle cx={edge.from.x} cy={edge.from.y} r={3} />
              <circle cx={edge.to.x} cy={edge.to.y} r={3} />
            </>
          )}
        </g>
      ))}
    </svg>
  );
}

/** The line that the user is drawing to create a relation. */
export const PendingLine = ({ from, to }: { readonly from: Point; readonly to: Point }) => (
  <svg class="lines" aria-hidden="true" width="1" height="1">
    <path class="drag" d={`M${from.x} ${from.y}L${to.x} ${to.y}`} />
  </svg>
);

const getCurveBounds = (a: Point, b: Point): Rect => ({
  x: Math.min(a.x, b.x) - maxCurveOffset,
  y: Math.min(a.y, b.y) - 1,
  width: Math.abs(a.x - b.x) + 2 * maxCurveOffset,
  height: Math.abs(a.y - b.y) + 2,
});
