import { fileURLToPath } from 'node:url';

/** The root folder of the checkout, with package.json and `dist/`. */
export const projectRoot: string = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');
