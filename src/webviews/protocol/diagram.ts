import * as z from 'zod';
import type { DiagramModel } from '../diagramLayout/diagramModel.ts';
import type { DiagramLayout } from '../diagramLayout/layoutInput.ts';

const id = z.string().min(1);

/** Identifies the displayed datamodel. The page persists it, so that VS Code can restore its tab after a reload. */
export const diagramPlaceSchema = z.object({ connectionId: id, datamodelId: id, title: z.string() });
export type DiagramPlace = Readonly<z.infer<typeof diagramPlaceSchema>>;

/** Messages from the host to the diagram page. */
export type ToDiagram =
  | {
      readonly type: 'data';
      readonly place: DiagramPlace;
      readonly model: DiagramModel;
      readonly layout: DiagramLayout;
      /** Identifies the rules of the datamodel; passed to the Effective Access command as is. */
      readonly subject: object;
      /** The reason why information is missing, such as which columns are secured. */
      readonly note?: string;
    }
  /** The displayed data is outdated, and is being reloaded. */
  | { readonly type: 'reading' }
  /** The datamodel is loaded, and its layout is being computed. */
  | { readonly type: 'arranging'; readonly tables: number }
  /** Reveals and selects a table. */
  | { readonly type: 'show'; readonly table: string }
  /** Starts to create a relation from the selected table. */
  | { readonly type: 'relate' }
  | { readonly type: 'failed'; readonly message: string };

const end = z.object({ table: id, column: id.optional() });
export type RelationEnd = z.infer<typeof end>;

/** Messages from the diagram page to the host. */
export const fromDiagramSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('reload') }),
  z.object({ type: z.literal('open'), table: id }),
  z.object({ type: z.literal('openRelation'), relation: id }),
  z.object({ type: z.literal('reveal'), table: id }),
  z.object({ type: z.literal('access') }),
  /** Creates a relation. The host asks for missing tables and columns, and for confirmation. */
  z.object({ type: z.literal('relate'), ends: z.array(end).min(1).max(2) }),
  /** Saves an image: the text of an SVG file, or the bytes of a PNG file in base64. */
  z.object({ type: z.literal('export'), format: z.enum(['svg', 'png']), data: z.string() }),
  /** Reports that the browser could not create the image. */
  z.object({ type: z.literal('exportFailed') }),
]);
export type FromDiagram = z.infer<typeof fromDiagramSchema>;
