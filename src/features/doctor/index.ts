import type { Disposable } from '../../base/disposable.ts';
import { registerCommand } from '../../platform/commands.ts';
import type { DoctorFeatureDeps } from './deps.ts';

/** Registers the connection test; loaded on first use. */
export const register = (deps: DoctorFeatureDeps): Disposable =>
  registerCommand('datamodelStudio.connections.test', deps.log, async (target) =>
    (await import('./testConnection.ts')).testConnection(deps, target),
  );
