import * as z from 'zod';
import type { DiagramModel } from '../diagramLayout/diagramModel.ts';
import type { DiagramLayout } from '../diagramLayout/layoutInput.ts';

const idSchema = z.string().min(1);

/** Identifies the displayed datamodel. The page persists it, so that VS Code can restore its tab after a reload. */
export const diagramDatamodelSchema = z.object({
  connectionId: idSchema,
  datamodelId: idSchema,
  title: z.string(),
});
export type DiagramDatamodel = Readonly<z.infer<typeof diagramDatamodelSchema>>;

/** Identifies a datamodel in the files of a project; `folder` is the URI of the project. Its diagram is read-only. */
export const diagramFilesSchema = z.object({ folder: idSchema, title: z.string() });
export type DiagramFileDatamodel = Readonly<z.infer<typeof diagramFilesSchema>>;

/** Messages from the host to the diagram page. */
export type ToDiagram =
  | {
      readonly type: 'data';
      readonly datamodel: DiagramDatamodel | DiagramFileDatamodel;
      readonly model: DiagramModel;
      readonly layout: DiagramLayout;
      /**
       * What the rules of the datamodel apply to (a `RuleSubject`); passed to the Effective Access command as is.
       * Absent for files.
       */
      readonly subject?: object;
      /** Why some information is missing, for example which columns have rules. */
      readonly note?: string;
    }
  /** The displayed data is outdated, and is being reloaded. */
  | { readonly type: 'reading' }
  /** The datamodel is loaded, and its layout is being computed. */
  | { readonly type: 'arranging'; readonly tableCount: number }
  /** Reveals and selects a table. */
  | { readonly type: 'show'; readonly table: string }
  /** Starts to create a relation from the selected table. */
  | { readonly type: 'relate' }
  | { readonly type: 'failed'; readonly message: string };

const relationEndSchema = z.object({ table: idSchema, column: idSchema.optional() });
export type RelationEnd = z.infer<typeof relationEndSchema>;

/** Messages from the diagram page to the host. */
export const fromDiagramSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('reload') }),
  z.object({ type: z.literal('open'), table: idSchema }),
  z.object({ type: z.literal('openRelation'), relation: idSchema }),
  z.object({ type: z.literal('reveal'), table: idSchema }),
  z.object({ type: z.literal('access') }),
  /** Creates a relation. The host asks for missing tables and columns, and for confirmation. */
  z.object({ type: z.literal('relate'), ends: z.array(relationEndSchema).min(1).max(2) }),
  /** Reports that a relation can't start from the selected table, since none is selected. */
  z.object({ type: z.literal('noTableSelected') }),
  /** Saves an image: the text of an SVG file, or the bytes of a PNG file in base64. */
  z.object({ type: z.literal('export'), format: z.enum(['svg', 'png']), data: z.string() }),
  /** Reports that the browser could not create the image. */
  z.object({ type: z.literal('exportFailed') }),
]);
export type FromDiagram = z.infer<typeof fromDiagramSchema>;
