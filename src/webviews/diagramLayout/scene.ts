import type { DiagramTable } from './diagramModel.ts';
import { type Edge, createEdges, type DiagramGeometry } from './edges.ts';
import { getBounds, type Rect } from './geometry.ts';
import { canExpand, boxMetrics, getVisibleColumns } from './boxMetrics.ts';

/** The colors of a diagram in the current theme. */
export interface SceneColors {
  readonly background: string;
  readonly box: string;
  readonly header: string;
  readonly border: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly accent: string;
}

/** The localized texts in an exported diagram. */
export interface SceneLabels {
  readonly custom: string;
  readonly hidden: string;
  readonly secured: string;
  formatMoreColumns(count: number): string;
}

/** A shape of an exported diagram, in diagram units. Texts are clipped to their width. */
export type SceneShape =
  | (Rect & {
      readonly kind: 'box';
      readonly fill: string;
      readonly stroke?: string;
      readonly isDashed?: boolean;
    })
  | { readonly kind: 'path'; readonly d: string; readonly stroke: string }
  | { readonly kind: 'dot'; readonly x: number; readonly y: number; readonly fill: string }
  | {
      readonly kind: 'text';
      readonly x: number;
      /** The baseline. */
      readonly y: number;
      readonly width: number;
      readonly text: string;
      readonly fill: string;
      readonly isBold?: boolean;
      readonly isItalic?: boolean;
      readonly isRightAligned?: boolean;
    };

export interface Scene {
  readonly bounds: Rect;
  readonly background: string;
  readonly shapes: readonly SceneShape[];
}

const margin = 24;
const textInset = 10;
const badgeWidth = 70;
const baselineOffset = 5;

/** Creates the shapes of the whole diagram, for export: as on the screen, but without interactive elements. */
export function createScene(geometry: DiagramGeometry, colors: SceneColors, labels: SceneLabels): Scene {
  const { x, y, width, height } = getBounds(geometry.boxes.values());
  const tables = geometry.model.tables.flatMap((table) => {
    const box = geometry.boxes.get(table.id);
    return box === undefined
      ? []
      : createTableShapes(table, geometry.expandedTables.has(table.id), box, colors, labels);
  });
  return {
    bounds: { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin },
    background: colors.background,
    shapes: [...createEdges(geometry).flatMap((edge) => createEdgeShapes(edge, colors)), ...tables],
  };
}

const createEdgeShapes = ({ path, from, to }: Edge, { line }: SceneColors): readonly SceneShape[] => [
  { kind: 'path', d: path, stroke: line },
  { kind: 'dot', ...from, fill: line },
  { kind: 'dot', ...to, fill: line },
];

function createTableShapes(
  table: DiagramTable,
  isExpanded: boolean,
  box: Rect,
  colors: SceneColors,
  labels: SceneLabels,
): readonly SceneShape[] {
  const { isHidden, isCustom, isSecured } = table;
  const badges = [
    isCustom ? labels.custom : '',
    isHidden ? labels.hidden : '',
    isSecured ? labels.secured : '',
  ];
  const badgeText = badges.filter((badge) => badge !== '').join(', ');
  const visibleColumns = getVisibleColumns(table, isExpanded);
  const fill = isHidden ? colors.muted : colors.text;
  const rows = visibleColumns.flatMap((column, index): readonly SceneShape[] => {
    const y = box.y + boxMetrics.header + (index + 0.5) * boxMetrics.row;
    const textStyle = { kind: 'text', y: y + baselineOffset, isItalic: column.isCustom } as const;
    return [
      ...(column.isInRelation
        ? [{ kind: 'dot', x: box.x + textInset, y, fill: colors.accent } as const]
        : []),
      {
        ...textStyle,
        x: box.x + 2 * textInset,
        width: box.width - 2 * textInset - badgeWidth,
        text: column.name,
        fill: column.isHidden ? colors.muted : fill,
      },
      {
        ...textStyle,
        x: box.x + box.width - textInset,
        width: badgeWidth,
        text: column.isSecured ? labels.secured : (column.type ?? ''),
        fill: colors.muted,
        isRightAligned: true,
      },
    ];
  });
  const hiddenColumnCount = table.columns.length - visibleColumns.length;
  return [
    { kind: 'box', ...box, fill: colors.box },
    { kind: 'box', ...box, height: boxMetrics.header, fill: colors.header },
    { kind: 'box', ...box, fill: 'none', stroke: colors.border, isDashed: isHidden },
    {
      kind: 'text',
      x: box.x + textInset,
      y: box.y + boxMetrics.header / 2 + baselineOffset,
      width: box.width - 2 * textInset - (badgeText === '' ? 0 : badgeWidth),
      text: table.name,
      fill,
      isBold: true,
      isItalic: isCustom,
    },
    {
      kind: 'text',
      x: box.x + box.width - textInset,
      y: box.y + boxMetrics.header / 2 + baselineOffset,
      width: badgeWidth,
      text: badgeText,
      fill: colors.muted,
      isRightAligned: true,
    },
    ...rows,
    ...(hiddenColumnCount > 0 && canExpand(table)
      ? [
          {
            kind: 'text',
            x: box.x + 2 * textInset,
            y: box.y + box.height - boxMetrics.padding - boxMetrics.footer / 2 + baselineOffset,
            width: box.width - 3 * textInset,
            text: labels.formatMoreColumns(hiddenColumnCount),
            fill: colors.muted,
          } as const,
        ]
      : []),
  ];
}
