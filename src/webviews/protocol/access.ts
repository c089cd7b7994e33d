import * as z from 'zod';

/** A known user or group of the instance. */
export interface PageParty {
  readonly type: 'user' | 'group';
  readonly id: string;
  /** The display name; the ID if no name is reported. */
  readonly name: string;
  /** All groups of a user; absent if they are not reported. */
  readonly groupIds?: readonly string[];
  /** Set if the ID of the user is unknown: `id` is then a name, and must not be written to rules. */
  readonly isNameOnly?: true;
}

/**
 * The source of a user's groups: the users of the instance, an imported membership list, or the rules that the server
 * returns for the user.
 */
export type PageMembershipSource = 'instance' | 'imported' | 'rules';

/** The tables and relations of a datamodel, from which the effect of rules is computed. */
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

/** Identifies the rules of a datamodel or cube set that a page shows, for example to restore its tab. */
export interface RulesReference {
  readonly connectionId: string;
  /** The reference to the rules as a resource; opaque to the page. */
  readonly resource: unknown;
}

/** The rules of a datamodel or cube set in the files of a project. */
export const fileRulesSchema = z.object({
  /** The URI of the project's folder. */
  folder: z.string(),
  subject: z.union([z.object({ datamodel: z.string() }), z.object({ cubeSet: z.string() })]),
});
export type FileRulesReference = z.infer<typeof fileRulesSchema>;

/** Values of columns that occur in documents, each with the number of documents that contain it. */
type SerializedValues = readonly {
  readonly table: string;
  readonly column: string;
  readonly values: readonly (readonly [value: string, count: number])[];
}[];

/** Messages from the host to a page that shows rules, such as Effective Access. */
export type ToAccess =
  /** Identifies the displayed rules. The page persists it, so that its tab can be restored after a reload. */
  | { readonly type: 'identity'; readonly rulesReference: RulesReference | FileRulesReference }
  | {
      readonly type: 'data';
      readonly title: string;
      readonly kind: 'extract' | 'live';
      /** The rules as the server returned them. */
      readonly rules: readonly unknown[];
      /**
       * Set for a cube set. The API doesn't list the datamodels of a cube set, so `catalog` has the tables of all
       * datamodels that it may contain. Without rules, it is unknown whether the cube set exists.
       */
      readonly isCubeSet?: true;
      /** Absent if the tables are unknown; `reason` may then explain why. */
      readonly catalog?: AccessCatalog;
      readonly reason?: string;
      /** Set if the rules are those of the files of a project, which identify users and groups by name. */
      readonly source?: 'files';
      /** What else is unknown, in sentences. */
      readonly notes?: readonly string[];
    }
  /** Values of columns in other documents, such as the rules of other datamodels; sent before each `data`. */
  | {
      readonly type: 'values';
      readonly lists: readonly SerializedValues[];
      /** Values that are only offered: their spelling is not compared with that of others. */
      readonly offered?: SerializedValues;
      /** Why values of the instance are missing. */
      readonly problem?: string;
    }
  /** The known parties, in addition to those that were posted before, or (`replaces`) instead of them. */
  | { readonly type: 'parties'; readonly parties: readonly PageParty[]; readonly replaces?: true }
  /** The result of `findParty`. Without an ID, nothing was found, and `problem` is the reason. */
  | {
      readonly type: 'party';
      readonly partyType: PageParty['type'];
      readonly text: string;
      readonly id?: string;
      readonly name?: string;
      readonly problem?: string;
    }
  /** The groups of the requested user; without `groupIds` they are unknown. */
  | {
      readonly type: 'membership';
      /** The `user` of the request: an ID or a name. */
      readonly user: string;
      /** The ID of the user, if it differs from the requested text. */
      readonly id?: string;
      readonly groupIds?: readonly string[];
      readonly source?: PageMembershipSource;
      /** The rules that the server applies to the user; absent if the server doesn't report them. */
      readonly appliedRules?: readonly unknown[];
      /** An explanation to display, such as why the groups are unknown. */
      readonly note?: string;
      /** Set if the text does not identify exactly one user: then no access can be shown. */
      readonly isUnidentified?: true;
      /** The known name that is most similar to that of an unidentified user. */
      readonly suggestion?: string;
    }
  | { readonly type: 'failed'; readonly message: string };

/** Looks up a user or group by its name, e-mail address or ID. */
export const findPartySchema = z.object({
  type: z.literal('findParty'),
  partyType: z.enum(['user', 'group']),
  text: z.string().min(1),
});

/** Messages from the Effective Access page to the host. */
export const fromAccessSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('reload') }),
  findPartySchema,
  z.object({ type: z.literal('membership'), user: z.string().min(1) }),
  /** Reads the users of the instance again, and then answers like `membership`. */
  z.object({ type: z.literal('searchUserAgain'), user: z.string().min(1) }),
  z.object({ type: z.literal('importMembership') }),
  /** Opens the rule with this index in the `rules` that the page received. */
  z.object({ type: z.literal('openRule'), index: z.int().nonnegative() }),
  /** Opens the rules in the grid editor. */
  z.object({ type: z.literal('editRules') }),
  z.object({ type: z.literal('export'), format: z.enum(['markdown', 'csv']), text: z.string() }),
]);
export type FromAccess = z.infer<typeof fromAccessSchema>;
