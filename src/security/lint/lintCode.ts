/** The codes of problems in rules (decisions.md, "Stable interfaces"). */
export type RuleLintCode =
  | 'all-members-false'
  | 'members-required'
  | 'ambiguous-empty'
  | 'default-has-party'
  | 'party-required'
  | 'date-column'
  | 'unknown-table'
  | 'unknown-column'
  | 'datatype-mismatch'
  | 'live-flag'
  | 'live-prefix'
  | 'exclusionary-live'
  | 'no-default-rule'
  | 'duplicate-rule'
  | 'member-not-string'
  | 'flag-not-boolean'
  | 'other-spelling';
