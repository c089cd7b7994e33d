import type { BuildService } from './builds/buildService.ts';
import type { EditContext } from './editContext.ts';
import type { EngineTasks } from './engine/buildEngine.ts';
import type { Profile } from './profiles/profile.ts';

/** The dependencies of the routes. */
export interface RouteServices extends EditContext {
  readonly builds: BuildService;
  readonly tasks: EngineTasks;
  /** How the sandbox behaves where the guide and the vendor's contract differ. */
  readonly profile: Profile;
}
