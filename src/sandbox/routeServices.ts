import type { BuildService } from './builds/buildService.ts';
import type { EditContext } from './context.ts';
import type { EngineTasks } from './engine/port.ts';
import type { Profile } from './profiles/profile.ts';

/** What the routes work with. */
export interface RouteServices extends EditContext {
  readonly builds: BuildService;
  readonly tasks: EngineTasks;
  /** What is decided where the spec and the vendor's contract differ. */
  readonly profile: Profile;
}
