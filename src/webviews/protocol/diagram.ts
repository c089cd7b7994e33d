import * as z from 'zod';
import type { DiagramModel } from '../diagramLayout/diagramModel.ts';
import type { DiagramLayout } from '../diagramLayout/layoutInput.ts';

const id = z.string().min(1);

/** The datamodel that is drawn. The page keeps it, so that the editor can bring its tab back after a reload. */
export const diagramPlaceSchema = z.object({ connectionId: id, datamodelId: id, title: z.string() });
export type DiagramPlace = Readonly<z.infer<typeof diagramPlaceSchema>>;

/** What the host says to the page that draws a datamodel. */
export type ToDiagram =
  | {
      readonly type: 'data';
      readonly place: DiagramPlace;
      readonly model: DiagramModel;
      readonly layout: DiagramLayout;
      /** What the rules of the datamodel are bound to, as the command that tells who sees what takes it. */
      readonly subject: object;
      /** Why something is not marked, such as secured columns. */
      readonly note?: string;
    }
  /** What was told is no longer to be shown: it is read anew. */
  | { readonly type: 'reading' }
  /** The datamodel was read, and its picture takes a moment. */
  | { readonly type: 'arranging'; readonly tables: number }
  /** Shows a table. */
  | { readonly type: 'show'; readonly table: string }
  /** The person wants a relation from the table that is chosen. */
  | { readonly type: 'relate' }
  | { readonly type: 'failed'; readonly message: string };

const end = z.object({ table: id, column: id.optional() });
export type RelationEnd = z.infer<typeof end>;

/** What the page says to its host. */
export const fromDiagramSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('reload') }),
  z.object({ type: z.literal('open'), table: id }),
  z.object({ type: z.literal('openRelation'), relation: id }),
  z.object({ type: z.literal('reveal'), table: id }),
  z.object({ type: z.literal('access') }),
  /** Makes a relation; the host asks for what is missing and whether it is meant. */
  z.object({ type: z.literal('relate'), ends: z.array(end).min(1).max(2) }),
  /** A picture to be saved: text of an SVG, or bytes of a PNG in base64. */
  z.object({ type: z.literal('export'), format: z.enum(['svg', 'png']), data: z.string() }),
  /** The picture could not be made. */
  z.object({ type: z.literal('exportFailed') }),
]);
export type FromDiagram = z.infer<typeof fromDiagramSchema>;
