import * as z from 'zod';
import type { DiagramModel } from '../diagramLayout/diagramModel.ts';
import type { DiagramLayout } from '../diagramLayout/layoutInput.ts';

const id = z.string().min(1);

/** The displayed datamodel. The page keeps it, so that the editor can restore its tab after a reload. */
export const diagramPlaceSchema = z.object({ connectionId: id, datamodelId: id, title: z.string() });
export type DiagramPlace = Readonly<z.infer<typeof diagramPlaceSchema>>;

/** Messages from the host to the diagram page. */
export type ToDiagram =
  | {
      readonly type: 'data';
      readonly place: DiagramPlace;
      readonly model: DiagramModel;
      readonly layout: DiagramLayout;
      /** The binding of the datamodel's rules, as the command for Effective Access expects it. */
      readonly subject: object;
      /** The reason why something, such as secured columns, is not marked. */
      readonly note?: string;
    }
  /** The current data is outdated: it is being reloaded. */
  | { readonly type: 'reading' }
  /** The datamodel is loaded, and its layout takes a moment. */
  | { readonly type: 'arranging'; readonly tables: number }
  /** Shows a table. */
  | { readonly type: 'show'; readonly table: string }
  /** The user wants a relation from the selected table. */
  | { readonly type: 'relate' }
  | { readonly type: 'failed'; readonly message: string };

const end = z.object({ table: id, column: id.optional() });
export type RelationEnd = z.infer<typeof end>;

/** Messages from the page to its host. */
export const fromDiagramSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('reload') }),
  z.object({ type: z.literal('open'), table: id }),
  z.object({ type: z.literal('openRelation'), relation: id }),
  z.object({ type: z.literal('reveal'), table: id }),
  z.object({ type: z.literal('access') }),
  /** Creates a relation; the host asks for what is missing and for confirmation. */
  z.object({ type: z.literal('relate'), ends: z.array(end).min(1).max(2) }),
  /** An image to save: text of an SVG, or bytes of a PNG in base64. */
  z.object({ type: z.literal('export'), format: z.enum(['svg', 'png']), data: z.string() }),
  /** The image could not be created. */
  z.object({ type: z.literal('exportFailed') }),
]);
export type FromDiagram = z.infer<typeof fromDiagramSchema>;
