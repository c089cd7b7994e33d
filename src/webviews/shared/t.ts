import { readWords, type Words } from './words.ts';

/** Words a text of this page. */
export const t: Words = readWords(document.body.dataset['words']);
