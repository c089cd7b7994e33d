/** All SQL features. For a fast startup, import `language.ts`, and load `format.ts`, which is large, on first use. */
export { format } from './format.ts';
export * from './language.ts';
