/** Choices that the form of a viewpoint offers in the editor. */
export type ViewpointQuestion =
  | { readonly kind: 'datamodel' }
  /** Columns of the datamodel, to insert before the one at `at`. */
  | { readonly kind: 'columns'; readonly at: number }
  | { readonly kind: 'share'; readonly list: 'apps' | 'groups' | 'users' };

/** Choices that the form of rules offers in the editor. */
export type RuleQuestion =
  | { readonly kind: 'datamodel' }
  | { readonly kind: 'column'; readonly rule: number }
  | { readonly kind: 'parties'; readonly rule: number }
  /** A new rule; a missing column or party is selected first. */
  | {
      readonly kind: 'newRule';
      readonly table?: string | undefined;
      readonly column?: string | undefined;
      readonly party?:
        | { readonly type: 'user' | 'group' | 'default'; readonly id?: string | undefined }
        | undefined;
    };
