import type { DiagramTable } from './diagramModel.ts';
import { type Edge, edges, type Picture } from './edges.ts';
import { around, type Rect } from './geometry.ts';
import { canOpen, metrics, shownColumns } from './tableBox.ts';

/** The colours of a picture, as the theme has them now. */
export interface Colours {
  readonly background: string;
  readonly box: string;
  readonly header: string;
  readonly border: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly accent: string;
}

/** What the picture says besides names. */
export interface SceneWords {
  readonly custom: string;
  readonly hidden: string;
  readonly secured: string;
  more(count: number): string;
}

/** What a picture is painted from, in this order. Whatever paints it clips a text to its width. */
export type Shape =
  | (Rect & {
      readonly kind: 'box';
      readonly fill: string;
      readonly stroke?: string;
      readonly dashed?: boolean;
    })
  | { readonly kind: 'path'; readonly d: string; readonly stroke: string }
  | { readonly kind: 'dot'; readonly x: number; readonly y: number; readonly fill: string }
  | {
      readonly kind: 'text';
      readonly x: number;
      /** The line that the letters stand on. */
      readonly y: number;
      readonly width: number;
      readonly text: string;
      readonly fill: string;
      readonly bold?: boolean;
      readonly italic?: boolean;
      readonly atEnd?: boolean;
    };

export interface Scene {
  readonly bounds: Rect;
  readonly background: string;
  readonly shapes: readonly Shape[];
}

const margin = 24;
const inset = 10;
const beside = 70;
const baseline = 5;

/** The whole picture, for export: what is seen on the screen, without what only the screen has. */
export function scene(picture: Picture, colours: Colours, words: SceneWords): Scene {
  const { x, y, width, height } = around(picture.boxes.values());
  const tables = picture.model.tables.flatMap((table) => {
    const box = picture.boxes.get(table.id);
    return box === undefined ? [] : tableShapes(table, picture.open.has(table.id), box, colours, words);
  });
  return {
    bounds: { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin },
    background: colours.background,
    shapes: [...edges(picture).flatMap((edge) => edgeShapes(edge, colours)), ...tables],
  };
}

const edgeShapes = ({ path, from, to }: Edge, { line }: Colours): readonly Shape[] => [
  { kind: 'path', d: path, stroke: line },
  { kind: 'dot', ...from, fill: line },
  { kind: 'dot', ...to, fill: line },
];

function tableShapes(
  table: DiagramTable,
  isOpen: boolean,
  box: Rect,
  colours: Colours,
  words: SceneWords,
): readonly Shape[] {
  const { isHidden, isCustom, isSecured } = table;
  const marks = [isCustom ? words.custom : '', isHidden ? words.hidden : '', isSecured ? words.secured : ''];
  const mark = marks.filter((word) => word !== '').join(', ');
  const shown = shownColumns(table, isOpen);
  const fill = isHidden ? colours.muted : colours.text;
  const rows = shown.flatMap((column, index): readonly Shape[] => {
    const y = box.y + metrics.header + (index + 0.5) * metrics.row;
    const text = { kind: 'text', y: y + baseline, italic: column.isCustom } as const;
    return [
      ...(column.isKey ? [{ kind: 'dot', x: box.x + inset, y, fill: colours.accent } as const] : []),
      {
        ...text,
        x: box.x + 2 * inset,
        width: box.width - 2 * inset - beside,
        text: column.name,
        fill: column.isHidden ? colours.muted : fill,
      },
      {
        ...text,
        x: box.x + box.width - inset,
        width: beside,
        text: column.isSecured ? words.secured : (column.type ?? ''),
        fill: colours.muted,
        atEnd: true,
      },
    ];
  });
  const more = table.columns.length - shown.length;
  return [
    { kind: 'box', ...box, fill: colours.box },
    { kind: 'box', ...box, height: metrics.header, fill: colours.header },
    { kind: 'box', ...box, fill: 'none', stroke: colours.border, dashed: isHidden },
    {
      kind: 'text',
      x: box.x + inset,
      y: box.y + metrics.header / 2 + baseline,
      width: box.width - 2 * inset - (mark === '' ? 0 : beside),
      text: table.name,
      fill,
      bold: true,
      italic: isCustom,
    },
    {
      kind: 'text',
      x: box.x + box.width - inset,
      y: box.y + metrics.header / 2 + baseline,
      width: beside,
      text: mark,
      fill: colours.muted,
      atEnd: true,
    },
    ...rows,
    ...(more > 0 && canOpen(table)
      ? [
          {
            kind: 'text',
            x: box.x + 2 * inset,
            y: box.y + box.height - metrics.padding - metrics.footer / 2 + baseline,
            width: box.width - 3 * inset,
            text: words.more(more),
            fill: colours.muted,
          } as const,
        ]
      : []),
  ];
}
