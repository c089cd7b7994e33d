import type { DiagramModel } from './diagramModel.ts';
import type { Point, Size } from './geometry.ts';
import { getBoxSize } from './boxMetrics.ts';

/** The input of a layout: collapsed boxes, and the links between them. */
export interface LayoutInput {
  readonly boxes: readonly (Size & { readonly id: string })[];
  /** Indexes into {@link boxes}, the lower one first; each pair once. */
  readonly links: readonly (readonly [number, number])[];
}

/** The upper left corner of each collapsed box, in the order of {@link LayoutInput.boxes}. */
export type DiagramLayout = readonly Point[];

/** The columns of one relation are all joined with its first (rest-api.md, "Relation": a join path). */
export function createLayoutInput({ tables, relations }: DiagramModel): LayoutInput {
  const indexes = new Map(tables.map(({ id }, index) => [id, index]));
  const links = new Map<string, readonly [number, number]>();
  for (const { ends } of relations) {
    const [first, ...others] = ends.flatMap(({ table }) => indexes.get(table) ?? []);
    for (const other of others) {
      if (first !== undefined && first !== other) {
        const link = [Math.min(first, other), Math.max(first, other)] as const;
        links.set(link.join(' '), link);
      }
    }
  }
  return {
    boxes: tables.map((table) => ({ id: table.id, ...getBoxSize(table, false) })),
    links: [...links.values()],
  };
}
