/** The whole language. Who starts fast imports `language.ts` and loads `format.ts`, the heavy part, on first use. */
export { format } from './format.ts';
export * from './language.ts';
