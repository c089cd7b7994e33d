import { createLocalize, type Localize } from './localize.ts';

/** Words a text of this page. */
export const t: Localize = createLocalize(document.body.dataset['words']);
