import * as z from 'zod';

/** Someone whom rules or viewpoints of the instance name. */
export interface SeenParty {
  readonly type: 'user' | 'group';
  readonly id: string;
  /** What people call it; the id where nobody has told. */
  readonly name: string;
}

/** The tables of a datamodel with their relations, as rules are read against them. */
export interface AccessCatalog {
  readonly complete: boolean;
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly { readonly name: string; readonly type?: number; readonly hidden?: boolean }[];
  }[];
  readonly relations: readonly {
    readonly columns: readonly { readonly table: string; readonly column: string }[];
  }[];
}

/** Whose rules a page shows. */
export interface RulesPlace {
  readonly connectionId: string;
  /** The rules as a resource; only the host reads it. */
  readonly resource: unknown;
}

/** What the host says to the page that tells who sees what. */
export type ToAccess =
  /** Whose rules the page shows: it keeps that, so that its tab can be brought back after a reload. */
  | { readonly type: 'place'; readonly place: RulesPlace }
  | {
      readonly type: 'data';
      readonly title: string;
      readonly kind: 'extract' | 'live';
      /** As the server answered them. */
      readonly rules: readonly unknown[];
      /** Absent where nothing tells the tables, as for a cube set; then {@link reason} may say why. */
      readonly catalog?: AccessCatalog;
      readonly reason?: string;
    }
  | { readonly type: 'parties'; readonly parties: readonly SeenParty[] }
  /** The answer to a look-up; without an id there is no such group. */
  | { readonly type: 'group'; readonly name: string; readonly id?: string; readonly problem?: string }
  | { readonly type: 'failed'; readonly message: string };

/** What the page says to its host. */
export const fromAccessSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('reload') }),
  z.object({ type: z.literal('findGroup'), name: z.string().min(1) }),
  /** Opens a rule, by its place among the rules that the page was given. */
  z.object({ type: z.literal('openRule'), index: z.int().nonnegative() }),
  /** Opens the matrix in which the rules are edited. */
  z.object({ type: z.literal('editRules') }),
  z.object({ type: z.literal('export'), format: z.enum(['markdown', 'csv']), text: z.string() }),
]);
export type FromAccess = z.infer<typeof fromAccessSchema>;
