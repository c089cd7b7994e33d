import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { Doctor } from '../../connections/doctor/doctor.ts';

/** The dependencies of the connection doctor. */
export interface DoctorFeatureDeps {
  readonly doctor: Doctor;
  readonly connections: ConnectionStore;
  readonly currentConnection: CurrentConnection;
  readonly clock: Clock;
  readonly log: Log;
  /** The version of the extension, for the report. */
  readonly version: string;
}
