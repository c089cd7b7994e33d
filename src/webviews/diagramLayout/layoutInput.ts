import type { DiagramModel } from './diagramModel.ts';
import type { Point, Size } from './geometry.ts';
import { getBoxSize } from './boxMetrics.ts';

/** The input of a layout: the sizes of the collapsed boxes, and the links between them. */
export interface LayoutInput {
  readonly boxes: readonly (Size & { readonly id: string })[];
  /** Pairs of indexes into {@link boxes}, the lower one first; each pair occurs once. */
  readonly links: readonly (readonly [number, number])[];
}

/** The upper left corner of each collapsed box, in the order of {@link LayoutInput.boxes}. */
export type DiagramLayout = readonly Point[];

/** Links all tables of a relation with the table of its first column (rest-api.md, "Relation": a join path). */
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
