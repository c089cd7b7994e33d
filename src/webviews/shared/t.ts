import type { Localize } from '../../base/localize.ts';
import { createLocalize } from './localize.ts';

/** Translates a text of this page. */
export const t: Localize = createLocalize(document.body.dataset['translations']);
