import type { Connection } from '../connection.ts';
import type { DiagnoseOptions } from './diagnoseConnection.ts';
import type { DoctorDeps } from './diagnosisContext.ts';
import type { Diagnosis } from './diagnosis.ts';

/** Diagnoses a connection. Everything that it needs is loaded on first use. */
export class Doctor {
  readonly #deps: Omit<DoctorDeps, 'probes'>;

  constructor(deps: Omit<DoctorDeps, 'probes'>) {
    this.#deps = deps;
  }

  /** @throws the signal's reason if the user canceled, and nothing else */
  async diagnose(connection: Connection, options: DiagnoseOptions): Promise<Diagnosis> {
    const [{ diagnoseConnection }, { nodeJsProbes }] = await Promise.all([
      import('./diagnoseConnection.ts'),
      import('./nodeJsProbes.ts'),
    ]);
    return diagnoseConnection({ ...this.#deps, probes: nodeJsProbes }, connection, options);
  }
}
