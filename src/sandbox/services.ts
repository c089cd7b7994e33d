import type { BuildService } from './builds/buildService.ts';
import type { Context } from './context.ts';

/** What the routes work with. */
export interface Services extends Context {
  readonly builds: BuildService;
}
