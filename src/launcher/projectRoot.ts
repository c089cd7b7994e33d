import { fileURLToPath } from 'node:url';

/** The folder of the checkout: where package.json and `dist/` are. */
export const projectRoot: string = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');
