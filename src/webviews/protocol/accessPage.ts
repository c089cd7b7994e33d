import type { ToAccess } from './access.ts';
import type { PersistedDraft } from './ruleMatrix.ts';

/** Messages from the host to the Effective Access page. */
export type ToAccessPage =
  | ToAccess
  /** The changes in the rules grid that aren't applied yet; sent before the first `data`, and whenever they change. */
  | { readonly type: 'unapplied'; readonly draft: PersistedDraft };
