import type { Log } from '../../base/log.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { Doctor } from '../../connections/doctor/doctor.ts';

/** What the connection doctor is made from. */
export interface DoctorFeatureDeps {
  readonly doctor: Doctor;
  readonly connections: ConnectionStore;
  readonly log: Log;
  /** Version of the extension, for the report. */
  readonly version: string;
}
