import { english, formatMessage } from '../base/localize.ts';
import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { JsonObject } from '../base/json.ts';
import { sortByText } from '../base/sortByText.ts';
import { ensurePrivateFolder, isWritableByOthers, writePrivateFile } from '../base/storage/privateFiles.ts';
import type { RecordedExchange } from '../client/recordingTransport.ts';
import type { ProjectFileReader } from '../project/apply/projectFileReader.ts';
import { bundleHash } from './bundleHash.ts';
import type { PlanOutput } from './planOutput.ts';
import type { PlanOptions } from './projectPlan.ts';
import type { ProjectTarget } from './projectTarget.ts';

/** The version of the format; records of other versions are ignored. */
const recordVersion = 1;

/**
 * A plan without changes, and hashes of what it was computed from: files, options, and all responses of the instance.
 * From the same input, the same version of the program computes the same plan, so the record can be used instead.
 */
export interface PlanRecord {
  /** A hash of everything but the instance, from {@link hashPlanInputs}. */
  readonly inputs: string;
  readonly exchanges: readonly RecordedExchange[];
  readonly plan: PlanOutput;
}

/** Everything that a plan is computed from, apart from the instance. */
export interface PlanInputs {
  readonly target: ProjectTarget;
  readonly options: PlanOptions;
  readonly files: ProjectFileReader;
}

/**
 * Returns a hash of everything that a plan is computed from, apart from the instance, with the exact texts of files.
 */
export async function hashPlanInputs({ target, options, files }: PlanInputs): Promise<string> {
  const lockFile = await files.readLockFile();
  const { texts, faults } = await files.readTexts();
  const { settings, isNewProject, environmentName, instance, connections } = target;
  const { limits, prunedKinds, ignoredCodes } = options;
  const hash = createHash('sha256');
  // Each text is hashed with its length: otherwise, the texts `ab`, `c` and `a`, `bc` would have the same hash.
  const add = (text: string): void => void hash.update(`${text.length}:`).update(text);
  add(
    JSON.stringify([
      bundleHash,
      settings,
      isNewProject,
      environmentName,
      instance.connection,
      connections,
      limits,
      [...prunedKinds].toSorted(),
      [...ignoredCodes].toSorted(),
      sortByText(
        faults.map(({ path, code, message }) => [path, code, formatMessage(english, message)]),
        ([path]) => path ?? '',
      ),
    ]),
  );
  add('text' in lockFile ? lockFile.text : JSON.stringify(lockFile));
  for (const path of [...texts.keys()].toSorted()) {
    add(path);
    add(texts.get(path) ?? '');
  }
  return hash.digest('hex');
}

/**
 * Stores the record of the last plan without changes for each project and environment. It's only a cache: if it can't
 * be read or written, the plan is computed as usual.
 */
export class PlanRecordFile {
  readonly #folder: string;
  readonly #path: string;

  /** @param stateFolder the folder of the user's own state, which nobody else can write to */
  constructor(stateFolder: string, { folder, environmentName, instance }: ProjectTarget) {
    this.#folder = join(stateFolder, 'plans');
    const name = createHash('sha256')
      .update(JSON.stringify([instance.connection.id, environmentName, basename(folder)]))
      .digest('hex')
      .slice(0, 32);
    this.#path = join(this.#folder, `${name}.json`);
  }

  async read(): Promise<PlanRecord | undefined> {
    if (bundleHash === undefined) {
      return undefined;
    }
    try {
      if (await isWritableByOthers(this.#folder)) {
        return undefined;
      }
      const { version, ...record } = JSON.parse(await readFile(this.#path, 'utf8')) as JsonObject &
        PlanRecord;
      return version === recordVersion ? record : undefined;
    } catch {
      // Missing, or not readable: then the plan is computed as usual.
      return undefined;
    }
  }

  async write(record: PlanRecord): Promise<void> {
    if (bundleHash === undefined) {
      return;
    }
    const newPath = `${this.#path}.${randomUUID()}`;
    try {
      await ensurePrivateFolder(this.#folder);
      await writePrivateFile(newPath, JSON.stringify({ version: recordVersion, ...record }));
      await rename(newPath, this.#path);
    } catch {
      // The plan itself is unaffected; the next one takes longer.
      await rm(newPath, { force: true }).catch(() => undefined);
    }
  }
}
