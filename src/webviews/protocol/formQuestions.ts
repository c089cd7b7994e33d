/** Quick picks that the form of a viewpoint can open in VS Code. */
export type ViewpointQuestion =
  | { readonly kind: 'datamodel' }
  /** Selects columns of the datamodel; they are inserted at this index of the viewpoint's columns. */
  | { readonly kind: 'columns'; readonly insertIndex: number }
  | { readonly kind: 'share'; readonly list: 'apps' | 'groups' | 'users' };

/** Quick picks that the form of rules can open in VS Code. `rule` is the index of the rule in the document. */
export type RuleQuestion =
  | { readonly kind: 'datamodel' }
  | { readonly kind: 'column'; readonly rule: number }
  | { readonly kind: 'parties'; readonly rule: number }
  /** Adds a rule: the user is asked for a column and a party. */
  | { readonly kind: 'newRule' };
