import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is removed by `await using`. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** Creates a folder with a short path, since sockets are created in it and their paths are limited in length. */
export async function createTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'dms-'));
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
