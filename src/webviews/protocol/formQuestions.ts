/** What the form of a viewpoint lets a person choose. */
export type ViewpointQuestion =
  | { readonly kind: 'datamodel' }
  /** Columns of the datamodel, to stand before the one at `at`. */
  | { readonly kind: 'columns'; readonly at: number }
  | { readonly kind: 'share'; readonly list: 'apps' | 'groups' | 'users' };

/** What the form of rules lets a person choose. */
export type RuleQuestion =
  | { readonly kind: 'datamodel' }
  | { readonly kind: 'column'; readonly rule: number }
  | { readonly kind: 'parties'; readonly rule: number }
  /** A new rule; without a column or a party, these are chosen first. */
  | {
      readonly kind: 'newRule';
      readonly table?: string | undefined;
      readonly column?: string | undefined;
      readonly party?:
        | { readonly type: 'user' | 'group' | 'default'; readonly id?: string | undefined }
        | undefined;
    };
