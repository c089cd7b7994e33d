import type { Log } from '../../base/log.ts';
import type { ConnectionPickerDeps } from '../../platform/pickConnection.ts';
import type { Sessions } from '../../connections/sessions.ts';

/** The dependencies of projects. */
export interface ProjectDeps extends ConnectionPickerDeps {
  readonly sessions: Pick<Sessions, 'get'>;
  readonly log: Log;
}
