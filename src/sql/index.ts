/** The whole language. For a fast start, import `language.ts` and load `format.ts`, the heavy part, on first use. */
export { format } from './format.ts';
export * from './language.ts';
