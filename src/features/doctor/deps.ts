import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { CurrentConnection } from '../../connections/currentConnection.ts';
import type { Doctor } from '../../connections/doctor/doctor.ts';

/** What the connection doctor is made from. */
export interface DoctorFeatureDeps {
  readonly doctor: Doctor;
  readonly connections: ConnectionStore;
  readonly current: CurrentConnection;
  readonly clock: Clock;
  readonly log: Log;
  /** Version of the extension, for the report. */
  readonly version: string;
}
