import type { Disposable } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { DoctorFeatureDeps } from './deps.ts';

/** Testing a connection step by step, with what helps; loaded when somebody tests one. */
export const register = (deps: DoctorFeatureDeps): Disposable =>
  registerCommand('datamodelStudio.connections.test', deps.log, async (target) =>
    (await import('./testConnection.ts')).testConnection(deps, target),
  );
