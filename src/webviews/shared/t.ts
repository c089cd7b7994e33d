import { createLocalize, type Localize } from './localize.ts';

/** Translates a text of this page. */
export const t: Localize = createLocalize(document.body.dataset['words']);
